import { isJsonObject, type JsonObject, type JsonValue, mergeDeep } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import { identityOf } from '../../resources/collections.ts';
import type { Meaning } from '../../resources/meaning.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import { findExample } from '../example.ts';
import { generateFor } from '../generated.ts';
import { setFromPath } from './path-keys.ts';
import type { StateMaterial, StateRequest } from './state-request.ts';

/**
 * Returns the body of a resource that was never written: the document's example, else a generated
 * value; undefined if there is neither. With it comes the example, or the random seed.
 *
 * @param identity the only thing that a generated value depends on
 */
export function placeholderBody(
  { generator, hasExamples }: PlaceholderMaterial,
  content: Content,
  identity: string,
) {
  const example = hasExamples ? findExample(content) : undefined;
  if (example !== undefined) return { value: example.value, from: example };
  const { schema } = content;
  const generated = schema && generateFor(generator, schema, identity);
  return generated && { value: generated.value, from: generated.seed };
}

type PlaceholderMaterial = Pick<StateMaterial, 'generator' | 'hasExamples'>;

export function placeholderIn(
  material: PlaceholderMaterial,
  meaning: Meaning | undefined,
  identity: string,
): JsonObject | undefined {
  const content = contentOf(meaning);
  const body = content && placeholderBody(material, content, identity)?.value;
  return meaning && unwrap(body, meaning.shown, meaning.type);
}

export function contentOf(meaning: Meaning | undefined): Content | undefined {
  return meaning?.operation.responses.success?.response.contents[0];
}

/**
 * Returns the resource that a read of the path shows until it is written. Changes begin with it.
 *
 * @returns only the keys if no operation shows the resource, or none can be generated
 */
export function placeholderResource(request: StateRequest, key: string): JsonObject {
  const { material, meaning, facts } = request;
  const { schema } = meaning.type;
  const identity = identityOf(request, key);
  const shown = placeholderIn(material, facts.read, identity);
  const bare = shown ?? (schema && generateFor(material.generator, schema, identity)?.value);
  const resource = isJsonObject(bare) ? { ...bare } : {};
  setFromPath(request, resource);
  return resource;
}

/** Returns the resource in the document's example: of a read, else of this response. */
export function exampleOf({ material, meaning, facts }: StateRequest): JsonObject | undefined {
  if (!material.hasExamples) return undefined;
  for (const one of [facts.read, meaning]) {
    const content = contentOf(one);
    const example = content && findExample(content);
    const resource = unwrap(example?.value, one?.shown, meaning.type);
    if (resource !== undefined) return resource;
  }
  return undefined;
}

/** Returns the body with the keys of the path in its resource, where it has a place for them. */
export function withKeysOfPath(request: StateRequest, body: JsonValue): JsonValue {
  const { shown, type } = request.meaning;
  const bare = unwrap(body, shown, type);
  if (shown === undefined || bare === undefined) return body;
  const resource = { ...bare };
  setFromPath(request, resource);
  const { properties } = request.facts;
  for (const name of Object.keys(resource)) {
    if (!Object.hasOwn(bare, name) && !properties.has(name)) delete resource[name];
  }
  return mergeDeep(body, wrap(resource, shown, type));
}
