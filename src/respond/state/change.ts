import { type Awaitable, after } from '../../base/awaitable.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { getProperty, keyIn, setProperty } from '../../resources/collections.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ActionMeaning, ReplaceMeaning } from '../../resources/meaning.ts';
import { isMark } from '../../resources/resource.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Expected } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { completeResource, type Written } from './complete-resource.ts';
import { expand } from './expand.ts';
import { findByKeys, isManaged, requireParents } from './find-stored.ts';
import {
  type Keys,
  keyBelowParents,
  keysIn,
  keysInPath,
  setFromPath,
  setFromQuery,
} from './path-keys.ts';
import { placeholderResource } from './placeholder.ts';
import { preconditionFailed, refuseMissing } from './read.ts';
import { findNamesake } from './refer.ts';
import { setGiven } from './set-given.ts';
import { effectOf, mayChange, showWritten } from './show.ts';
import type { StateRequest } from './state-request.ts';
import { NEVER_WRITTEN } from './unwritten-store.ts';

/** A resource that is to change. */
export interface Existing {
  readonly key: string;
  readonly resource: JsonObject;
  /** The version that the change expects. */
  readonly expected: Expected;
}

/**
 * Changes the resource with one of the keys. One that was never written begins as the placeholder
 * that a read would show.
 *
 * @returns undefined without a key, or if the operation declares only failures
 */
export function changeExisting(
  request: StateRequest,
  keys: Keys | undefined,
  change: (existing: Existing) => Awaitable<Outcome>,
): Awaitable<Outcome> {
  if (keys === undefined || keys.length === 0 || !mayChange(request.operation)) return undefined;
  return after(findExisting(request, keys), (existing) => existing && change(existing));
}

/** Returns undefined if the request creates a resource that is absent. */
function findExisting(request: StateRequest, keys: Keys): Awaitable<Existing | undefined> {
  const { meaning } = request;
  const [key = ''] = keys;
  return after(requireParents(request), () =>
    after(findByKeys(request, keys), (stored) => {
      if (stored !== undefined) {
        requireConditions(request, toEntityTag(stored.version));
        return { key: stored.key, resource: stored.resource, expected: stored.version };
      }
      if (meaning.kind === 'replace' && meaning.createsAbsent) {
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

/** Returns the effect and the response of a request that changes or creates one resource. */
export function respondChanged(
  request: StateRequest,
  written: Written,
  expected: Expected,
): Awaitable<Outcome> {
  const { key, before } = written;
  const whole = completeResource(request, { ...written, resource: keepSet(request, written) });
  const changes = [{ collection: request.collection, key, expected, resource: whole }];
  const effect = effectOf(request, changes, key);
  return after(expand(request, whole), (shown) => {
    const candidate = showWritten(request, { resources: [shown], key }, before === undefined);
    return { candidate, effect };
  });
}

/** Returns the resource with its key and its parents, which do not change. */
function keepSet({ meaning }: StateRequest, { resource, before }: Written): JsonObject {
  if (before === undefined) return resource;
  const { key, parents } = meaning.type;
  const kept: JsonObject = { ...resource };
  for (const property of [key?.property, ...parents.map((parent) => parent.property)]) {
    const value = property && getProperty(before, property.value);
    if (property !== undefined && value !== undefined) setProperty(kept, property.value, value);
  }
  return kept;
}

/** `PUT /plants/7`: replaces everything that the client may set, or creates the resource. */
export function replace(request: StateRequest<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning } = request;
  const body = request.body?.value;
  if (!mayChange(request.operation)) return undefined;
  // A body that may be missing sets nothing.
  if (body === undefined && !isMark(meaning.type)) return putMember(request);
  const given = body === undefined ? {} : unwrap(body, meaning.given, meaning.type);
  if (given === undefined) return undefined;
  const resource = { ...given };
  // `PUT /pet` has the key in its body.
  const keys = keysInPath(request) ?? keysIn(request, resource);
  const [key] = keys;
  if (key === undefined) return undefined;
  setFromPath(request, resource);
  const ownKey = keyIn(meaning.type, resource) ?? key;
  return after(findExisting(request, keys), (existing) =>
    after(existing?.key ?? keyBelowParents(request, ownKey, () => resource), (kept) => {
      const written = { key: kept, resource, before: existing?.resource };
      return respondChanged(request, written, existing?.expected ?? 'absent');
    }),
  );
}

/** `PUT /teams/7/members/anna`: puts what another collection has under the key into this one. */
function putMember(request: StateRequest<ReplaceMeaning>): Awaitable<Outcome> {
  const keys = keysInPath(request) ?? [];
  const [key] = keys;
  if (key === undefined) return undefined;
  return after(findExisting(request, keys), (existing) =>
    after(existing?.resource ?? findNamesake(request, keys), (known) => {
      const resource = { ...known };
      setFromPath(request, resource);
      const kept = existing?.key ?? keyBelowParents(request, key, () => resource);
      return after(kept, (own) => {
        const written = { key: own, resource, before: existing?.resource };
        return respondChanged(request, written, existing?.expected ?? 'absent');
      });
    }),
  );
}

/**
 * `POST /orders/7/cancel`: sets what the action means, and the members of its body that the
 * resource has.
 */
export function act(request: StateRequest<ActionMeaning>): Awaitable<Outcome> {
  return changeExisting(request, keysInPath(request), ({ key, resource: before, expected }) => {
    requireStatus(request, before);
    const resource: JsonObject = { ...before };
    setFromQuery(request, resource);
    setGiven(request, resource);
    for (const { property, value } of request.meaning.sets) {
      if (value.value !== null || mayBeNull(request, property)) {
        setMember(resource, property, value.value);
      } else delete resource[property];
    }
    return respondChanged(request, { key, resource, before }, expected);
  });
}

function mayBeNull({ material, meaning }: StateRequest, property: string): boolean {
  const pointer = material.factsOf(meaning.type).properties.get(property)?.pointer;
  const schema = pointer && material.contract.schemas.schemaAt(pointer, 'response');
  return !schema || schema.accepts(null);
}

/** @throws {Problem} WRONG_STATUS */
function requireStatus({ meaning }: StateRequest<ActionMeaning>, resource: JsonObject): void {
  for (const { property, values } of meaning.from) {
    const value = getMember(resource, property);
    if (value === undefined || values.value.some((one) => one === value)) continue;
    const wanted = values.value.join(' or ') || 'another';
    throw new Problem(
      'WRONG_STATUS',
      `${property} is ${stringifyJson(value)}, and ${meaning.name} needs ${wanted}`,
    );
  }
}
