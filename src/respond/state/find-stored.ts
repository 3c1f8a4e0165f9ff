import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { collectionOf, hasBeenWritten, keyTextsOf } from '../../resources/collections.ts';
import { isMark, type Parent } from '../../resources/resource.ts';
import type { Change, Store, Stored } from '../../state/store.ts';
import { isOfParents, type Keys } from './path-keys.ts';
import type { StateRequest } from './state-request.ts';

export function findByKeys(request: StateRequest, keys: Keys): Awaitable<Stored | undefined> {
  const [key, ...others] = keys;
  if (key === undefined) return undefined;
  return after(request.store.get(request.collection, key), (stored) =>
    stored !== undefined && isOfParents(request, stored.resource)
      ? stored
      : findByKeys(request, others),
  );
}

/** Returns true if an unknown key is missing, and not only unwritten. */
export function isManaged(request: StateRequest): Awaitable<boolean> {
  const isCollection = request.meaning.type.kind === 'collection';
  if (isCollection && request.material.emptyState === 'nothing') return true;
  const isWritten = hasBeenWritten(request.call.session.state, request.collection);
  if (!isMark(request.meaning.type)) return isWritten;
  return after(isWritten, (known) => known || isBelowCreated(request));
}

/**
 * Requires that the parents in the path exist.
 *
 * @throws {Problem} RESOURCE_NOT_FOUND
 */
export function requireParents(request: StateRequest, next: number = 0): Awaitable<undefined> {
  const parent = request.meaning.type.parents[next];
  if (parent === undefined) return undefined;
  return after(hasParent(request, parent), (isThere) => {
    if (isThere) return requireParents(request, next + 1);
    const segment = request.pathParameters.get(parent.parameter) ?? '';
    throw notFound(parent.resource ?? parent.parameter, segment);
  });
}

function hasParent(request: StateRequest, parent: Parent): Awaitable<boolean> {
  const found = locateParent(request, parent);
  if (found === undefined) return true;
  const { material, store, call } = request;
  return after(hasAny(store, found.collection, found.keys), (isThere) => {
    if (isThere) return true;
    // A resource below one of its own kind: what the store begins with has not been written.
    const isAbsent =
      material.emptyState === 'nothing' || hasBeenWritten(call.session.state, found.collection);
    return after(isAbsent, (absent) => !absent);
  });
}

/** Returns true if the parents in the path are stored, or are among those of the beginning. */
export function knowsParents(request: StateRequest, next: number = 0): Awaitable<boolean> {
  const parent = request.meaning.type.parents[next];
  if (parent === undefined) return true;
  const found = locateParent(request, parent);
  if (found === undefined) return false;
  const { material, store } = request;
  const { type, collection, keys } = found;
  return after(hasBeenWritten(store, collection), (isWritten) => {
    const begun = isWritten ? undefined : material.world?.beginningOf(type, collection);
    const isThere = begun ? keys.some((key) => begun.has(key)) : hasAny(store, collection, keys);
    return after(isThere, (known) => known && knowsParents(request, next + 1));
  });
}

/** Returns true if a parent in the path is stored, and is none of the beginning. */
export function isBelowCreated(request: StateRequest, next: number = 0): Awaitable<boolean> {
  const parent = request.meaning.type.parents[next];
  if (parent === undefined) return false;
  const found = locateParent(request, parent);
  if (found === undefined) return isBelowCreated(request, next + 1);
  const { type, collection, keys } = found;
  const begun = request.material.world?.beginningOf(type, collection);
  const isOfBeginning = keys.some((key) => begun?.has(key));
  const isCreated = !isOfBeginning && hasAny(request.store, collection, keys);
  return after(isCreated, (isNew) => isNew || isBelowCreated(request, next + 1));
}

/** Returns where a parent is stored; undefined if the path does not say it. */
function locateParent({ material, pathParameters }: StateRequest, parent: Parent) {
  const segment = pathParameters.get(parent.parameter);
  const type = parent.resource === undefined ? undefined : material.resources.find(parent.resource);
  if (type === undefined || segment === undefined || type.kind === 'singleton') return undefined;
  // The path does not say which collection the parent is in.
  if (type.parents.some(({ parameter }) => !pathParameters.has(parameter))) return undefined;
  return { type, collection: collectionOf(type, pathParameters), keys: keyTextsOf(segment) };
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

export function missingProblem(request: StateRequest, keys: Keys): Awaitable<Problem> {
  const { meaning, operation, pathParameters, store, collection } = request;
  const parameter = meaning.type.key?.parameter ?? '';
  const segment = pathParameters.get(parameter) ?? keys[0] ?? '';
  const absent = notFound(meaning.type.name, segment);
  const declaresGone = operation.responses.all.some(({ key }) => key === '410');
  if (!declaresGone) return absent;
  const names = keys.map((key) => deletedKey(collection, key));
  return after(hasAny(store, DELETED, names), (isDeleted) =>
    isDeleted
      ? new Problem('RESOURCE_GONE', `${quote(segment)} of ${meaning.type.name} was deleted`)
      : absent,
  );
}

function hasAny(store: Store, collection: string, keys: Keys): Awaitable<boolean> {
  const [key, ...others] = keys;
  if (key === undefined) return false;
  return after(store.get(collection, key), (found) =>
    found === undefined ? hasAny(store, collection, others) : true,
  );
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

const CHUNK = 1_000;

/** Returns all resources of a collection, in the order of their creation. */
export function listAll(
  request: StateRequest,
  before: readonly Stored[] = [],
): Awaitable<readonly Stored[]> {
  const page = { offset: before.length, limit: CHUNK };
  return after(request.store.list(request.collection, page), (chunk) => {
    const all = [...before, ...chunk];
    return chunk.length < CHUNK ? all : listAll(request, all);
  });
}
