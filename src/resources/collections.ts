import { type Awaitable, after } from '../base/awaitable.ts';
import { JsonError, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { Change, Store } from '../state/store.ts';
import type { Resources } from './meaning.ts';
import type { ResourceType } from './resource.ts';

/**
 * Where the resources of a path are kept: the name of a collection of the store. Where all parents
 * are named in the resource itself, that is one collection for all of them; else each parent has
 * one of its own, called by the path, in which each parent's key stands percent-encoded:
 * `gardens/7/plants`, `gardens/north%2Feast/plants`.
 */
export function collectionOf(type: ResourceType, parameters: PathParameters): string {
  // Of what there is one of, each parent has its own.
  const isShared = type.kind === 'collection' || type.parents.length === 0;
  if (isShared && type.parents.every(({ property }) => property !== undefined)) {
    return type.name;
  }
  return type.path
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
export function keyIn({ key }: ResourceType, resource: JsonValue): string | undefined {
  const name = key?.property?.value;
  if (name === undefined || !isJsonObject(resource)) return undefined;
  const value = getMember(resource, name);
  return value === undefined || value === null ? undefined : keyTextOf(value);
}

/** A collection or a singleton of the store, found by what it is called. */
export interface Collection {
  readonly type: ResourceType;
  /** What the store calls it. */
  readonly name: string;
}

/**
 * The way back from {@link collectionOf}.
 *
 * @param text as people and the control API call it: `plants`, `gardens/7/plants`
 * @returns undefined where the document has no such place
 */
export function locateCollection(resources: Resources, text: string): Collection | undefined {
  const named = resources.find(text);
  if (named !== undefined && isShared(named)) return { type: named, name: named.name };
  for (const type of resources.all) {
    if (isShared(type)) continue;
    const parameters = readParameters(type.path, text);
    if (parameters !== undefined) return { type, name: collectionOf(type, parameters) };
  }
  return undefined;
}

/** @returns the parameters that lead to a place, none where it has one for all parents */
export function parametersOf(type: ResourceType, collection: string): ReadonlyMap<string, string> {
  return (isShared(type) ? undefined : readParameters(type.path, collection)) ?? new Map();
}

/** True where one collection holds those of all parents. */
export function isShared({ parents }: ResourceType): boolean {
  return parents.every(({ property }) => property !== undefined);
}

/** @returns the places as people may write them: `gardens/{gardenId}/plants` where parents part it */
export function describeCollections(resources: Resources): readonly string[] {
  return resources.all.map((one) => (isShared(one) ? one.name : one.path.replace(/^\//, '')));
}

/** A segment of a path template is a text, a parameter, or both mixed. */
const PARAMETER = /\{([^{}]*)\}/g;

function readParameters(path: string, text: string): ReadonlyMap<string, string> | undefined {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
  const values = toPattern(path).exec(text)?.slice(1).map(decode);
  if (values === undefined || values.includes(undefined)) return undefined;
  return new Map(names.map((name, index) => [name, values[index] ?? '']));
}

/** @returns what the places of a kind are called that each parent has its own of */
export function collectionPattern({ path }: ResourceType): RegExp {
  return toPattern(path);
}

function toPattern(path: string): RegExp {
  const parts = path.replace(/^\//, '').split(PARAMETER);
  const pattern = parts.map((part, index) =>
    index % 2 === 1 ? '([^/]+)' : part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  return new RegExp(`^${pattern.join('')}$`);
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The collection of marks: the places that somebody has written to, even if nothing is left. */
const WRITTEN = '$touched';

const MARK: JsonObject = Object.freeze({});

/**
 * @returns true for a place that holds something, or did: then what is not there is missing, where
 *   a place that nobody has written to answers by the document's examples
 */
export function hasBeenWritten(store: Store, collection: string): Awaitable<boolean> {
  return after(store.count(collection), (count) =>
    count > 0 ? true : after(store.get(WRITTEN, collection), (mark) => mark !== undefined),
  );
}

/** @returns what keeps a place touched when a change may leave nothing in it */
export function markWritten(collection: string): Change {
  return { collection: WRITTEN, key: collection, expected: 'any', resource: MARK };
}
