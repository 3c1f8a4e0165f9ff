import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import { isTouched, keyTextsOf, placeOf } from '../../resources/collections.ts';
import type { Parent } from '../../resources/resource.ts';
import type { Store, Stored } from '../../state/store.ts';
import { isOfParents } from './path-keys.ts';
import type { Asked } from './state-request.ts';

/** @returns what is kept under the first of the keys that there is */
export function findByKeys(asked: Asked, keys: readonly string[]): Awaitable<Stored | undefined> {
  const [key, ...others] = keys;
  if (key === undefined) return undefined;
  return after(asked.store.get(asked.place, key), (stored) =>
    stored !== undefined && isOfParents(asked, stored.resource)
      ? stored
      : findByKeys(asked, others),
  );
}

/** @returns true where what is not there is missing, and not merely never written */
export function isKept({ material, meaning, store, place }: Asked): Awaitable<boolean> {
  const isCollection = meaning.resource.kind === 'collection';
  if (isCollection && material.emptyState === 'nothing') return true;
  return isTouched(store, place);
}

/**
 * Where the path names a parent that is not there, nothing is below it.
 *
 * @throws {Problem} RESOURCE_NOT_FOUND
 */
export function requireParents(asked: Asked, next: number = 0): Awaitable<undefined> {
  const parent = asked.meaning.resource.parents[next];
  if (parent === undefined) return undefined;
  return after(hasParent(asked, parent), (isThere) => {
    if (isThere) return requireParents(asked, next + 1);
    const segment = asked.request.pathParameters.get(parent.parameter) ?? '';
    throw notFound(parent.resource ?? parent.parameter, segment);
  });
}

function hasParent(asked: Asked, parent: Parent): Awaitable<boolean> {
  const { material, request, store } = asked;
  const { pathParameters } = request;
  const segment = pathParameters.get(parent.parameter);
  const resource =
    parent.resource === undefined ? undefined : material.resources.find(parent.resource);
  if (resource === undefined || segment === undefined || resource.kind === 'singleton') return true;
  // Of a parent whose own place the path does not tell, nothing is known.
  if (resource.parents.some(({ parameter }) => !pathParameters.has(parameter))) return true;
  const place = placeOf(resource, pathParameters);
  return after(hasAny(store, place, keyTextsOf(segment)), (isThere) => {
    if (isThere) return true;
    const isAbsent = material.emptyState === 'nothing' || isTouched(store, place);
    return after(isAbsent, (absent) => !absent);
  });
}

/** The collection of keys that were deleted, where an operation tells of them. */
export const DELETED = '$deleted';

/** @returns the name under which a deleted resource is remembered */
export function deletedKey(place: string, key: string): string {
  return `${place} ${key}`;
}

/** @returns the refusal of a request for what is not there */
export function missing(asked: Asked, keys: readonly string[]): Awaitable<Problem> {
  const { meaning, request, store, place } = asked;
  const parameter = meaning.resource.key?.parameter ?? '';
  const segment = request.pathParameters.get(parameter) ?? keys[0] ?? '';
  const absent = notFound(meaning.resource.name, segment);
  const declaresGone = request.operation.responses.all.some(({ key }) => key === '410');
  if (!declaresGone) return absent;
  const names = keys.map((key) => deletedKey(place, key));
  return after(hasAny(store, DELETED, names), (isDeleted) =>
    isDeleted
      ? new Problem('RESOURCE_GONE', `${quote(segment)} of ${meaning.resource.name} was deleted`)
      : absent,
  );
}

function hasAny(store: Store, collection: string, keys: readonly string[]): Awaitable<boolean> {
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

/** A number is told as one. */
function quote(text: string): string {
  const short = text.slice(0, LONGEST_QUOTE);
  return /^-?\d+$/.test(short) ? short : JSON.stringify(short);
}
