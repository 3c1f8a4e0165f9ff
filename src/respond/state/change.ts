import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { keyIn, markWritten } from '../../resources/collections.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type {
  ActionMeaning,
  DeleteMeaning,
  Meaning,
  ReplaceMeaning,
} from '../../resources/meaning.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Change, Expected, Stored } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { completeResource } from './complete-resource.ts';
import { findByKeys, isManaged, markDeleted, requireParents } from './find-stored.ts';
import {
  isOfParents,
  keyBelowParents,
  keysIn,
  keysInPath,
  setFromQuery,
  setKeyOfPath,
  setParents,
} from './path-keys.ts';
import { placeholderResource } from './placeholder.ts';
import { preconditionFailed, refuseMissing } from './read.ts';
import { effectOf, mayChange, showResources, showWritten } from './show.ts';
import type { StateRequest } from './state-request.ts';

interface Existing {
  readonly key: string;
  readonly resource: JsonObject;
  /** The version that the change expects. */
  readonly expected: Expected;
}

/** The version of a placeholder. */
const NEVER_WRITTEN = 0;

/**
 * Finds the resource to change. If it was never written, the placeholder that a read would show.
 *
 * @param keys the keys that it may have
 * @returns undefined if there is none and `createsAbsent` is true
 */
export function findExisting(
  request: StateRequest,
  keys: readonly string[],
  makesAbsent: boolean,
): Awaitable<Existing | undefined> {
  const [key = ''] = keys;
  return after(requireParents(request), () =>
    after(findByKeys(request, keys), (stored) => {
      if (stored !== undefined) {
        requireConditions(request, toEntityTag(stored.version));
        return { key: stored.key, resource: stored.resource, expected: stored.version };
      }
      if (makesAbsent) {
        requireConditions(request, undefined);
        return undefined;
      }
      return after(isManaged(request), (isAbsent) => {
        if (isAbsent) return refuseMissing(request, keys);
        requireConditions(request, toEntityTag(NEVER_WRITTEN));
        return { key, resource: placeholderResource(request, key), expected: 'absent' as const };
      });
    }),
  );
}

function requireConditions({ fields, method }: StateRequest, entityTag: string | undefined): void {
  if (!hasConditions(fields)) return;
  if (evaluateConditions(fields, method, entityTag) === 'failed') throw preconditionFailed();
}

interface ChangedResource {
  readonly key: string;
  readonly resource: JsonObject;
  readonly before: Existing | undefined;
}

/** Returns the effect and the response of a request that changes or creates one resource. */
export function respondChanged(
  request: StateRequest<Meaning>,
  { key, resource, before }: ChangedResource,
): Outcome {
  const whole = completeResource(
    request,
    keepSet(request, resource, before),
    key,
    before?.resource,
  );
  const expected = before?.expected ?? 'absent';
  const changes = [{ collection: request.collection, key, expected, resource: whole }];
  const effect = effectOf(request, changes, key);
  const candidate = showWritten(request, { resources: [whole], key }, before === undefined);
  return { candidate, effect };
}

/** Returns the resource with its key and its parents, which do not change. */
function keepSet(
  { meaning }: StateRequest,
  resource: JsonObject,
  before: Existing | undefined,
): JsonObject {
  if (before === undefined) return resource;
  const { key, parents } = meaning.type;
  const kept: JsonObject = { ...resource };
  for (const property of [key?.property, ...parents.map((parent) => parent.property)]) {
    const value = property && getMember(before.resource, property.value);
    if (property !== undefined && value !== undefined) setMember(kept, property.value, value);
  }
  return kept;
}

/** `PUT /plants/7`: replaces everything that the client may set, or creates the resource. */
export function replace(request: StateRequest<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning } = request;
  const body = request.body?.value;
  const given = body === undefined ? undefined : unwrap(body, meaning.given, meaning.type);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  const resource = { ...given };
  // `PUT /pet` has the key in its body.
  const keys = keysInPath(request) ?? keysIn(request, resource);
  const [key] = keys;
  if (key === undefined) return undefined;
  setKeyOfPath(request, resource);
  setParents(request, resource);
  const ownKey = keyIn(meaning.type, resource) ?? key;
  return after(findExisting(request, keys, meaning.createsAbsent), (before) =>
    after(before?.key ?? keyBelowParents(request, ownKey), (kept) =>
      respondChanged(request, { key: kept, resource, before }),
    ),
  );
}

/**
 * `POST /orders/7/cancel`: sets what the action means, and the members of its body that the
 * resource has.
 */
export function act(request: StateRequest<ActionMeaning>): Awaitable<Outcome> {
  const keys = keysInPath(request);
  if (keys === undefined || !mayChange(request.operation)) return undefined;
  return after(findExisting(request, keys, false), (before) => {
    if (before === undefined) return undefined;
    const resource: JsonObject = { ...before.resource };
    setFromQuery(request, resource);
    setGiven(request, resource);
    for (const { property, value } of request.meaning.sets)
      setMember(resource, property, value.value);
    return respondChanged(request, { key: before.key, resource, before });
  });
}

function setGiven(
  { material, meaning, body: sent }: StateRequest<ActionMeaning>,
  resource: JsonObject,
): void {
  const { given, type } = meaning;
  const body = sent?.value;
  if (given === undefined || body === undefined) return;
  const members = unwrap(body, given, type) ?? {};
  for (const name of material.factsOf(type).properties.keys()) {
    const value = getMember(members, name);
    if (value !== undefined) setMember(resource, name, value);
  }
}

/** `DELETE /plants/7`, or all of them by `DELETE /plants`. */
export function remove(request: StateRequest<DeleteMeaning>): Awaitable<Outcome> {
  if (!mayChange(request.operation)) return undefined;
  if (request.meaning.isAll) return removeAll(request);
  const keys = keysInPath(request);
  if (keys === undefined) return undefined;
  return after(findExisting(request, keys, false), (before) => {
    if (before === undefined) return undefined;
    const { key, resource, expected } = before;
    const isStored = typeof expected === 'number';
    const changes: Change[] = isStored ? [removal(request.collection, key, expected)] : [];
    return respondRemoved(request, [...changes, ...marksOf(request, [key])], [resource], key);
  });
}

function removal(collection: string, key: string, expected: Change['expected']): Change {
  return { collection, key, expected, resource: undefined };
}

/** Returns the marks that resources existed. */
function marksOf(
  { material, meaning, collection }: StateRequest,
  keys: readonly string[],
): readonly Change[] {
  const { declaresGone } = material.factsOf(meaning.type);
  const gone = declaresGone ? keys : [];
  return [markWritten(collection), ...gone.map((key) => markDeleted(collection, key, {}))];
}

function removeAll(request: StateRequest<DeleteMeaning>): Awaitable<Outcome> {
  return after(requireParents(request), () =>
    after(listAll(request, 0, []), (all) => {
      const own = all.filter(({ resource }) => isOfParents(request, resource));
      const keys = own.map(({ key }) => key);
      const changes = keys.map((key) => removal(request.collection, key, 'any'));
      const resources = own.map(({ resource }) => resource);
      return respondRemoved(request, [...changes, ...marksOf(request, keys)], resources, '');
    }),
  );
}

const CHUNK = 1_000;

function listAll(
  request: StateRequest,
  offset: number,
  before: readonly Stored[],
): Awaitable<readonly Stored[]> {
  return after(request.store.list(request.collection, { offset, limit: CHUNK }), (chunk) => {
    const all = [...before, ...chunk];
    return chunk.length < CHUNK ? all : listAll(request, offset + CHUNK, all);
  });
}

function respondRemoved(
  request: StateRequest<DeleteMeaning>,
  changes: readonly Change[],
  resources: readonly JsonObject[],
  key: string,
): Outcome {
  const declared = request.operation.responses.success;
  return {
    candidate: declared && showResources(request, declared, { resources, key }),
    effect: effectOf(request, changes),
  };
}
