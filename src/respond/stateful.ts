import type { ResponseSource } from './response.ts';
import { act, replace } from './state/change.ts';
import { create } from './state/create.ts';
import { showList } from './state/list.ts';
import { patch } from './state/patch.ts';
import { read } from './state/read.ts';
import { remove } from './state/remove.ts';
import { type StateMaterial, toStateRequest } from './state/state-request.ts';

/**
 * The source that stores resources: later responses contain what was created and changed, as their
 * schemas declare it.
 */
export function statefulSource(material: StateMaterial): ResponseSource {
  return (request, call) => {
    const meaning = material.resources.meaningOf(request.operation);
    switch (meaning?.kind) {
      case 'create':
        return create(toStateRequest(material, meaning, request, call));
      case 'list':
        return showList(toStateRequest(material, meaning, request, call));
      case 'read':
        return read(toStateRequest(material, meaning, request, call));
      case 'replace':
        return replace(toStateRequest(material, meaning, request, call));
      case 'patch':
        return patch(toStateRequest(material, meaning, request, call));
      case 'delete':
        return remove(toStateRequest(material, meaning, request, call));
      case 'action':
        return act(toStateRequest(material, meaning, request, call));
      default:
        return undefined;
    }
  };
}
