import { JsonError, parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { PathParameters } from '../../contract/routes.ts';
import type { Resource } from '../resource.ts';

/**
 * Where the resources of a path are kept: the name of a collection of the store. Where all parents
 * are named in the resource itself, that is one collection for all of them; else each parent has
 * one of its own, called by the path, in which each parent's key stands percent-encoded:
 * `gardens/7/plants`, `gardens/north%2Feast/plants`.
 */
export function placeOf(resource: Resource, parameters: PathParameters): string {
  // Of what there is one of, each parent has its own.
  const isShared = resource.kind === 'collection' || resource.parents.length === 0;
  if (isShared && resource.parents.every(({ property }) => property !== undefined)) {
    return resource.name;
  }
  return resource.path
    .replace(/^\//, '')
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
      encodeURIComponent(toWellFormed(parameters.get(name) ?? '')),
    );
}

/** Half of a surrogate pair cannot be percent-encoded. */
function toWellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\uFFFD');
}

/** The key under which a singleton is kept. */
export const SINGLETON_KEY = '"it"';

/** @returns the key of a value, as a store has it: `1` and `1.0` are one, `"1"` is another */
export function keyTextOf(value: JsonValue): string {
  return stringifyJson(value);
}

/**
 * @param segment a path parameter, decoded
 * @returns the keys that it may mean, the likelier first: `7` is the number before the text
 */
export function keyTextsOf(segment: string): readonly [string, string] {
  const quoted = stringifyJson(segment);
  const other = readKey(segment) ?? segment;
  return NUMBER.test(segment) ? [other, quoted] : [quoted, other];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function readKey(segment: string): string | undefined {
  try {
    return stringifyJson(parseJson(segment));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/**
 * @param resource as it is kept, or was sent
 * @returns its key; undefined where it has none
 */
export function keyIn({ key }: Resource, resource: JsonValue): string | undefined {
  const name = key?.property?.value;
  if (name === undefined || !isJsonObject(resource)) return undefined;
  const value = getMember(resource, name);
  return value === undefined || value === null ? undefined : keyTextOf(value);
}
