import { mergeDeep } from '../../base/json/copy.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { Example } from '../../contract/examples.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import { findExample } from '../example.ts';
import { generateFor } from '../generated.ts';
import { setKeyOfPath, setParents } from './path-keys.ts';
import type { StateMaterial, StateRequest } from './state-request.ts';

/** What a body would be that nobody has written. */
export interface Placeholder {
  readonly value: JsonValue;
  /** Where it comes from: an example of the document, or the seed that it was drawn by. */
  readonly from: Example | string;
}

/**
 * @param of what it is a body of: the same gives the same
 * @returns the document's example, else a value that its schema allows; undefined for neither
 */
export function placeholderBody(
  { generator, hasExamples }: StateMaterial,
  content: Content,
  of: string,
): Placeholder | undefined {
  const example = hasExamples ? findExample(content) : undefined;
  if (example !== undefined) return { value: example.value, from: example };
  const { schema } = content;
  const generated = schema && generateFor(generator, schema, of);
  return generated && { value: generated.value, from: generated.seed };
}

/** @returns what tells the resource from all others, of all sessions of other seeds */
export function identityOf({ call, collection }: StateRequest, key: string): string {
  return `${call.seed}\n${collection}\n${key}`;
}

/**
 * The resource that a read of the path shows as long as nobody has written it: with it begins
 * whoever changes what was never made.
 *
 * @returns one that has its keys alone where no operation shows one, or none can be made up
 */
export function placeholderResource(request: StateRequest, key: string): JsonObject {
  const { material, meaning } = request;
  const { type } = meaning;
  const { read } = material.factsOf(type);
  const content = read?.operation.responses.success?.response.contents[0];
  const identity = identityOf(request, key);
  const body = content && placeholderBody(material, content, identity)?.value;
  const shown =
    body === undefined || read?.shown === undefined ? undefined : unwrap(body, read.shown, type);
  const { schema } = type;
  const bare = shown ?? (schema && generateFor(material.generator, schema, identity)?.value);
  const resource = isJsonObject(bare) ? { ...bare } : {};
  setKeyOfPath(request, resource);
  setParents(request, resource);
  return resource;
}

/** @returns the resource of the document's example: of a read, else of the answer to this request */
export function exampleOf({ material, meaning }: StateRequest): JsonObject | undefined {
  if (!material.hasExamples) return undefined;
  for (const one of [material.factsOf(meaning.type).read, meaning]) {
    const content = one?.operation.responses.success?.response.contents[0];
    const example = content && findExample(content);
    const resource =
      example === undefined || one?.shown === undefined
        ? undefined
        : unwrap(example.value, one.shown, meaning.type);
    if (resource !== undefined) return resource;
  }
  return undefined;
}

/** @returns the body with the keys of the path in the resource that it shows */
export function withKeysOfPath(request: StateRequest, body: JsonValue): JsonValue {
  const { shown, type } = request.meaning;
  const bare = shown === undefined ? undefined : unwrap(body, shown, type);
  if (shown === undefined || bare === undefined) return body;
  const resource = { ...bare };
  setKeyOfPath(request, resource);
  setParents(request, resource);
  return mergeDeep(body, wrap(resource, shown, type));
}
