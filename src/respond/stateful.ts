import type { ResponseSource } from './answer.ts';
import { act, replace } from './state/change.ts';
import { create } from './state/create.ts';
import { showList } from './state/list.ts';
import { patch } from './state/patch.ts';
import { read } from './state/read.ts';
import { remove } from './state/remove.ts';
import { askOf, type StateMaterial } from './state/state-request.ts';

/**
 * The source that remembers: what is created, changed and deleted is so in all later answers, each
 * as its response's schema shows it.
 */
export function statefulSource(material: StateMaterial): ResponseSource {
  return (request, call) => {
    const meaning = material.resources.meaningOf(request.operation);
    switch (meaning?.kind) {
      case 'create':
        return create(askOf(material, meaning, request, call));
      case 'list':
        return showList(askOf(material, meaning, request, call));
      case 'read':
        return read(askOf(material, meaning, request, call));
      case 'replace':
        return replace(askOf(material, meaning, request, call));
      case 'patch':
        return patch(askOf(material, meaning, request, call));
      case 'delete':
        return remove(askOf(material, meaning, request, call));
      case 'action':
        return act(askOf(material, meaning, request, call));
      default:
        return undefined;
    }
  };
}
