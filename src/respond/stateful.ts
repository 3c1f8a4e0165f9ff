import type { JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import { toEntityTag } from '../resources/conditions.ts';
import type { ReadMeaning } from '../resources/meaning.ts';
import { findAcceptable, readPreference } from './negotiate.ts';
import { type Candidate, nameSource, type ResponseSource, toCandidate } from './response.ts';
import { act, remove, replace } from './state/change.ts';
import { create } from './state/create.ts';
import { showList } from './state/list.ts';
import { patch } from './state/patch.ts';
import { keysInPath } from './state/path-keys.ts';
import {
  identityOf,
  type Placeholder,
  placeholderBody,
  withKeysOfPath,
} from './state/placeholder.ts';
import { read } from './state/read.ts';
import { canShow, setField } from './state/show.ts';
import { type StateMaterial, type StateRequest, toStateRequest } from './state/state-request.ts';

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

/**
 * The source for resources that were never written: responds with the document's example or a
 * generated value under the key of the path, always the same. A change begins with it.
 */
export function unwrittenSource(material: StateMaterial): ResponseSource {
  return (request, call) => {
    const meaning = material.resources.meaningOf(request.operation);
    if (meaning?.kind !== 'read') return undefined;
    return respondByPlaceholder(toStateRequest(material, meaning, request, call));
  };
}

function respondByPlaceholder(request: StateRequest<ReadMeaning>): Candidate | undefined {
  const { operation } = request;
  const declared = operation.responses.success;
  const [key] = keysInPath(request) ?? [];
  // With a seed the client wants another value.
  if (declared === undefined || key === undefined) return undefined;
  if (readPreference(request).seed !== undefined) return undefined;
  const content = findAcceptable(request.fields, declared);
  if (content === undefined || !canShow(content)) return undefined;
  const imagined = placeholderBody(request.material, content, identityOf(request, key));
  if (imagined === undefined) return undefined;
  return respondWith(request, declared, content, imagined);
}

function respondWith(
  request: StateRequest<ReadMeaning>,
  declared: Declared,
  content: Content,
  { value, from }: Placeholder,
): Candidate | undefined {
  const keyed = withKeysOfPath(request, value);
  const isAllowed =
    content.schema === undefined || content.schema.check(keyed, 'body').length === 0;
  const shown: JsonValue = isAllowed ? keyed : value;
  const fields: Record<string, string> = {};
  if (declared.response.headers.schemas.has('etag')) {
    setField(fields, { declared }, 'etag', [toEntityTag(0)]);
  }
  const source =
    typeof from === 'string'
      ? nameSource('generated', 'seed', from)
      : nameSource('example', 'name', from.name);
  return toCandidate(source, declared, { kind: 'value', content, value: shown }, fields);
}
