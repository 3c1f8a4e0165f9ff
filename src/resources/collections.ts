import { type Awaitable, after } from '../base/awaitable.ts';
import { JSON_NUMBER } from '../base/json/number.ts';
import { parseJsonOrText } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { fillTemplate, parameterNames } from '../contract/path-template.ts';
import type { PathParameters } from '../contract/routes.ts';
import { decodePercent, encodePercent } from '../http/query.ts';
import type { Change, StoredCollections } from '../state/store.ts';
import type { Resources } from './meaning.ts';
import type { ResourceType } from './resource.ts';
import { valueAt } from './wrapping.ts';

/**
 * Returns the name of the store's collection for the resources of a path. If every parent is named
 * by a property of the resource, all parents share one collection. Otherwise each parent has a
 * collection, named by the path with the parents' keys percent-encoded: `gardens/7/plants`,
 * `gardens/north%2Feast/plants`.
 */
export function collectionOf(type: ResourceType, parameters: PathParameters): string {
  // Each parent has its own singleton.
  const isOwn = type.kind === 'singleton' && type.parents.length > 0;
  if (isShared(type) && !isOwn) return type.name;
  const encode = (name: string) => encodePercent(parameters.get(name) ?? '');
  return fillTemplate(homeOf(type).replace(/^\//, ''), encode);
}

/** A collection in a session: the session's random seed and the name. */
export interface CollectionOfCall {
  readonly call: { readonly seed: string };
  readonly collection: string;
}

/** Returns what identifies a resource among all resources and random seeds. */
export function identityOf({ call, collection }: CollectionOfCall, key: string): string {
  return identityIn(call.seed, collection, key);
}

/** @param seed the random seed of the session */
export function identityIn(seed: string, collection: string, key: string): string {
  return `${seed}\n${collection}\n${key}`;
}

/** Returns the path template of a collection, whichever path shows it. */
export function homeOf({ home, path }: Pick<ResourceType, 'home' | 'path'>): string {
  return home ?? path;
}

export const SINGLETON_KEY = '"it"';

/** Returns the key of a value as the store has it: the same for `1` and `1.0`, not for `"1"`. */
export function keyTextOf(value: JsonValue): string {
  // Most keys are integers, which take half the time this way.
  return Number.isInteger(value) ? String(value) : stringifyJson(value);
}

/**
 * Returns the keys that a path segment may mean, the likelier first: `7` is the number before the
 * string.
 *
 * @param segment a path parameter, decoded
 */
export function keyTextsOf(segment: string): readonly [string, string] {
  if (ORDINARY_NUMBER.test(segment)) return [segment, `"${segment}"`];
  const quoted = stringifyJson(segment);
  const value = readKey(segment);
  const other = value === segment ? segment : stringifyJson(value);
  return JSON_NUMBER.test(segment) ? [other, quoted] : [quoted, other];
}

/** An integer that JSON writes as it came. */
const ORDINARY_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

/** Parses the text of a key. Text that is no JSON is the key itself. */
export function readKey(text: string): JsonValue {
  return parseJsonOrText(text);
}

/** Returns the key of a stored or sent resource; undefined if it has none. */
export function keyIn({ key }: ResourceType, resource: JsonValue): string | undefined {
  const name = key?.property?.value;
  if (name === undefined || !isJsonObject(resource)) return undefined;
  const value = getProperty(resource, name);
  return value === undefined || value === null ? undefined : keyTextOf(value);
}

/** Returns a property of a resource, or one inside another: `metadata.name`. */
export function getProperty(resource: JsonObject, name: string): JsonValue | undefined {
  const value = getMember(resource, name);
  return value === undefined && name.includes('.') ? valueAt(resource, name.split('.')) : value;
}

export interface Collection {
  readonly type: ResourceType;
  readonly name: string;
}

/**
 * Returns the collection of a name, the inverse of {@link collectionOf}.
 *
 * @param text the name for people and the control API: `plants`, `gardens/7/plants`
 * @returns undefined if the document has no such collection
 */
export function locateCollection(resources: Resources, text: string): Collection | undefined {
  const named = resources.find(text);
  if (named !== undefined && isShared(named)) return { type: named, name: named.name };
  for (const type of resources.all) {
    if (isShared(type)) continue;
    const parameters = readParameters(homeOf(type), text);
    if (parameters !== undefined) return { type, name: collectionOf(type, parameters) };
  }
  return undefined;
}

/** Returns the path parameters that a collection's name contains; none if all parents share it. */
export function parametersOf(type: ResourceType, collection: string): ReadonlyMap<string, string> {
  return (isShared(type) ? undefined : readParameters(homeOf(type), collection)) ?? new Map();
}

/** Returns true if one collection holds the resources of all parents. */
export function isShared({ parents }: ResourceType): boolean {
  return parents.every(({ property }) => property !== undefined);
}

/** Returns true if a path with parents shows only a part of its collection. */
export function isPartial({ parents }: ResourceType): boolean {
  return parents.some(({ property }) => property !== undefined);
}

/** Returns the names of all collections: `gardens/{gardenId}/plants` if each parent has one. */
export function describeCollections(resources: Resources): readonly string[] {
  return resources.all.map((one) => (isShared(one) ? one.name : one.path.replace(/^\//, '')));
}

function readParameters(path: string, text: string): ReadonlyMap<string, string> | undefined {
  const values = collectionPattern({ path }).exec(text)?.slice(1).map(decodePercent);
  if (values === undefined || values.includes(undefined)) return undefined;
  return new Map(parameterNames(path).map((name, index) => [name, values[index] ?? '']));
}

/** Returns the pattern of the names that the collections of different parents have. */
export function collectionPattern({ path }: Pick<ResourceType, 'path'>): RegExp {
  const escaped = path.replace(/^\//, '').replaceAll(/[\\^$.*+?()[\]|/]/g, '\\$&');
  return new RegExp(`^${fillTemplate(escaped, () => '([^/]+)')}$`);
}

/** The collection with the names of collections that were written to, even if they are empty. */
const WRITTEN = '$touched';

const MARK: JsonObject = Object.freeze({});

/** Returns true if a collection holds something or did: then an unknown key is missing. */
export function hasBeenWritten(store: StoredCollections, collection: string): Awaitable<boolean> {
  const count = store.count(collection);
  return typeof count === 'number' && count > 0 ? true : isCounted(store, collection, count);
}

function isCounted(
  store: StoredCollections,
  collection: string,
  counted: Awaitable<number>,
): Awaitable<boolean> {
  return after(counted, (count) =>
    count > 0 ? true : after(store.get(WRITTEN, collection), (mark) => mark !== undefined),
  );
}

/** Returns the changes that store resources; for none, the mark that keeps a collection empty. */
export function putAll(
  collection: string,
  entries: ReadonlyMap<string, JsonObject>,
): readonly Change[] {
  if (entries.size === 0) return [markWritten(collection)];
  return [...entries].map(([key, resource]) => ({ collection, key, expected: 'any', resource }));
}

/** Marks a collection as written to. Make this change with those that may empty it. */
export function markWritten(collection: string): Change {
  return { collection: WRITTEN, key: collection, expected: 'any', resource: MARK };
}
