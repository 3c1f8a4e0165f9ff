import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import {
  type Collection,
  collectionOf,
  hasBeenWritten,
  isShared,
  keyTextOf,
  keyTextsOf,
} from '../../resources/collections.ts';
import { isMark, type Parent, type ResourceType } from '../../resources/resource.ts';
import { type Change, findFirst, listAll, type Stored } from '../../state/store.ts';
import { isOfParents, type Keys, namesInPath } from './path-keys.ts';
import type { StateRequest } from './state-request.ts';

/** Returns the resource of the path's parents that has one of the keys, or a name that ends in it. */
export function findByKeys(request: StateRequest, keys: Keys): Awaitable<Stored | undefined> {
  const { store, collection } = request;
  const hasParents = request.meaning.type.parents.length > 0;
  const isIt = (stored: Stored) => !hasParents || isOfParents(request, stored.resource);
  return after(
    findFirst(store, collection, keys, isIt),
    (stored) =>
      stored ??
      after(
        findFirst(store, collection, namesInPath(request), isIt),
        (named) =>
          named ??
          findOtherwise(request, { type: request.meaning.type, name: collection }, keys, isIt),
      ),
  );
}

/** Returns the resource with one of the keys in another property; of `me`, the first. */
function findOtherwise(
  { store }: StateRequest,
  { type, name }: Collection,
  keys: Keys,
  isOfThem: (stored: Stored) => boolean = () => true,
): Awaitable<Stored | undefined> {
  const { alternates = [], mayBeMe = false } = type.key ?? {};
  const isMe = mayBeMe && keys.includes(ME);
  if (alternates.length === 0 && !isMe) return undefined;
  return after(listAll(store, name), (all) =>
    all.find(
      (stored) =>
        (isMe ||
          alternates.some((one) => keys.includes(keyTextOf(stored.resource[one] ?? null)))) &&
        isOfThem(stored),
    ),
  );
}

const ME = keyTextOf('me');

/**
 * Returns the resource that a request names; undefined if the collection was never written to.
 *
 * @throws {Problem} RESOURCE_NOT_FOUND or RESOURCE_GONE
 */
export function requireStored(
  request: StateRequest,
  keys: Keys,
  find: () => Awaitable<Stored | undefined> = () => findByKeys(request, keys),
): Awaitable<Stored | undefined> {
  return after(requireParents(request), () =>
    after(find(), (stored) => {
      if (stored !== undefined) return stored;
      return after(isManaged(request), (isAbsent) =>
        isAbsent ? refuseMissing(request, keys) : undefined,
      );
    }),
  );
}

/** Returns a resource of any collection: one that is stored, or that the collection begins with. */
function findIn(
  { store, material: { world } }: StateRequest,
  { type, name }: Collection,
  keys: Keys,
): Awaitable<JsonObject | undefined> {
  return after(findFirst(store, name, keys), (stored) => {
    if (stored !== undefined || world === undefined) return stored?.resource;
    return after(hasBeenWritten(store, name), (isWritten) => {
      const begun = isWritten ? undefined : world.beginningOf(type, name);
      return keys.map((key) => begun?.get(key)).find((one) => one !== undefined);
    });
  });
}

/** Returns true if an unknown key is missing, and not only unwritten. */
export function isManaged(request: StateRequest): Awaitable<boolean> {
  const isCollection = request.meaning.type.kind === 'collection';
  if (isCollection && request.material.emptyState === 'nothing') return true;
  const isWritten = hasBeenWritten(request.call.session.state, request.collection);
  if (!isMark(request.meaning.type)) return isWritten;
  return after(isWritten, (known) => known || isBelowCreated(request));
}

/** Returns the resource that another names by its key, where the path says which collection has it. */
export function findNamed(
  request: StateRequest,
  type: ResourceType,
  key: JsonValue,
): Awaitable<JsonObject | undefined> {
  const { pathParameters } = request;
  const isKnown = type.parents.every(({ parameter }) => pathParameters.has(parameter));
  if (!isKnown && !isShared(type)) return undefined;
  const keys = new Set([keyTextOf(key), ...keyTextsOf(String(key))]);
  return findIn(request, { type, name: collectionOf(type, pathParameters) }, [...keys]);
}

/**
 * Requires that the parents in the path exist.
 *
 * @throws {Problem} RESOURCE_NOT_FOUND
 */
export function requireParents(request: StateRequest): Awaitable<unknown> {
  return everyParent(request, (found, { resource, parameter }) =>
    after(found === undefined || mayExist(request, found), (isThere) => {
      if (isThere) return true;
      throw notFound(resource ?? parameter, request.pathParameters.get(parameter) ?? '');
    }),
  );
}

/** Returns false for a parent that is missing, and not only unwritten. */
function mayExist(request: StateRequest, found: Located) {
  const { material, call } = request;
  const { name } = found;
  return after(findParent(request, found), (stored) => {
    if (stored !== undefined) return true;
    // A resource below one of its own kind: what the store begins with has not been written.
    const isAbsent = material.emptyState === 'nothing' || hasBeenWritten(call.session.state, name);
    return after(isAbsent, (absent) => !absent);
  });
}

function findParent(request: StateRequest, found: Located): Awaitable<Stored | undefined> {
  return after(
    findFirst(request.store, found.name, found.keys),
    (stored) => stored ?? findOtherwise(request, found, found.keys),
  );
}

/** Returns true if the parents in the path are stored, or are among those of the beginning. */
export function knowsParents(request: StateRequest): Awaitable<boolean> {
  return everyParent(request, (found) => {
    if (found === undefined) return false;
    return after(findIn(request, found, found.keys), (parent) => parent !== undefined);
  });
}

/** Returns true if a parent in the path is stored, and is none of the beginning. */
export function isBelowCreated(request: StateRequest): Awaitable<boolean> {
  const { store, material } = request;
  const isOld = everyParent(request, (found) => {
    if (found === undefined) return true;
    return after(findFirst(store, found.name, found.keys), (stored) => {
      if (stored === undefined) return true;
      const begun = material.world?.beginningOf(found.type, found.name);
      return found.keys.some((key) => begun?.get(key) !== undefined);
    });
  });
  return after(isOld, (all) => !all);
}

/** Returns true if a test is true of each parent in the path, outermost first. */
function everyParent(
  request: StateRequest,
  test: (found: Located | undefined, parent: Parent) => Awaitable<boolean>,
  from = 0,
): Awaitable<boolean> {
  const parent = request.meaning.type.parents[from];
  if (parent === undefined) return true;
  return after(
    test(locateParent(request, parent), parent),
    (isTrue) => isTrue && everyParent(request, test, from + 1),
  );
}

interface Located extends Collection {
  readonly keys: Keys;
}

/** Returns where a parent is stored; undefined if the path does not say it. */
function locateParent(
  { material, pathParameters }: StateRequest,
  parent: Parent,
): Located | undefined {
  const segment = pathParameters.get(parent.parameter);
  const type = parent.resource === undefined ? undefined : material.resources.find(parent.resource);
  if (type === undefined || segment === undefined || type.kind === 'singleton') return undefined;
  // The path does not say which collection the parent is in.
  if (type.parents.some(({ parameter }) => !pathParameters.has(parameter))) return undefined;
  return { type, name: collectionOf(type, pathParameters), keys: keyTextsOf(segment) };
}

/** The collection of deleted keys, for operations that declare 410. */
const DELETED = '$deleted';

function deletedKey(collection: string, key: string): string {
  return `${collection} ${key}`;
}

/** Returns the change that marks a resource as deleted, or removes its mark if `mark` is undefined. */
export function markDeleted(collection: string, key: string, mark: JsonObject | undefined): Change {
  return { collection: DELETED, key: deletedKey(collection, key), expected: 'any', resource: mark };
}

/** @throws {Problem} RESOURCE_NOT_FOUND or RESOURCE_GONE */
export function refuseMissing(request: StateRequest, keys: Keys): Awaitable<never> {
  const { meaning, operation, pathParameters, store, collection } = request;
  const parameter = meaning.type.key?.parameter ?? '';
  const segment = pathParameters.get(parameter) ?? keys[0] ?? '';
  const absent = notFound(meaning.type.name, segment);
  const declaresGone = operation.responses.all.some(({ key }) => key === '410');
  if (!declaresGone) throw absent;
  const names = keys.map((key) => deletedKey(collection, key));
  return after(findFirst(store, DELETED, names), (mark) => {
    if (mark === undefined) throw absent;
    throw new Problem('RESOURCE_GONE', `${quote(segment)} of ${meaning.type.name} was deleted`);
  });
}

function notFound(name: string, segment: string): Problem {
  return new Problem('RESOURCE_NOT_FOUND', `${name} has no ${quote(segment)}`);
}

const LONGEST_QUOTE = 80;

/** Quotes a string, but not a number. */
function quote(text: string): string {
  const short = text.slice(0, LONGEST_QUOTE);
  return /^-?\d+$/.test(short) ? short : JSON.stringify(short);
}
