import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { plain } from '../../base/words.ts';
import { drawAlike } from '../../generate/text/codes.ts';
import { getProperty, keyIn, readKey } from '../../resources/collections.ts';
import { checkConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ActionMeaning, ReplaceMeaning } from '../../resources/meaning.ts';
import { isMark, type ResourceType } from '../../resources/resource.ts';
import { setProperty, unwrap, valueAt } from '../../resources/wrapping.ts';
import type { Change, Expected } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { completeResource, type Written } from './complete-resource.ts';
import { expand } from './expand.ts';
import { findByKeys, findNamed, requireParents, requireStored } from './find-stored.ts';
import {
  type Keys,
  keyBelowParents,
  keysIn,
  keysInPath,
  setFromPath,
  setFromQuery,
} from './path-keys.ts';
import { placeholderResource } from './placeholder.ts';
import { withObjects } from './refer.ts';
import { setGiven } from './set-given.ts';
import { mayChange, StoringEffect, showWritten } from './show.ts';
import { propertySchema, type StateRequest } from './state-request.ts';
import { NEVER_WRITTEN } from './unwritten-store.ts';

export interface Existing {
  readonly key: string;
  readonly resource: JsonObject;
  readonly expected: Expected;
}

/**
 * Changes the resource with one of the keys. One that was never written begins as the placeholder
 * that a read would show.
 *
 * @returns undefined without a key, or if the operation declares only failures
 */
export function changeExisting<Result>(
  request: StateRequest,
  keys: Keys | undefined,
  change: (existing: Existing) => Awaitable<Result | undefined>,
): Awaitable<Result | undefined> {
  if (keys === undefined || keys.length === 0 || !mayChange(request.operation)) return undefined;
  return after(findExisting(request, keys), (existing) => existing && change(existing));
}

/** Returns undefined if the request creates a resource that is absent. */
function findExisting(request: StateRequest, keys: Keys): Awaitable<Existing | undefined> {
  const { meaning } = request;
  const [key = ''] = keys;
  const createsAbsent = meaning.kind === 'replace' && meaning.createsAbsent;
  const found = createsAbsent
    ? after(requireParents(request), () => findByKeys(request, keys))
    : requireStored(request, keys);
  return after(found, (stored) => {
    if (stored !== undefined) {
      checkConditions(request, toEntityTag(stored.version));
      return { key: stored.key, resource: stored.resource, expected: stored.version };
    }
    checkConditions(request, createsAbsent ? undefined : toEntityTag(NEVER_WRITTEN));
    if (createsAbsent) return undefined;
    return { key, resource: placeholderResource(request, key), expected: 'absent' as const };
  });
}

export function respondChanged(
  request: StateRequest,
  written: Written,
  expected: Expected,
): Awaitable<Outcome> {
  return after(changeOne(request, written, expected), (changed) =>
    respondWith(request, [changed], written.before === undefined),
  );
}

interface Changed {
  readonly key: string;
  readonly whole: JsonObject;
  readonly changes: readonly Change[];
}

/** Returns what a request makes of one resource. */
export function changeOne(
  request: StateRequest,
  written: Written,
  expected: Expected,
): Awaitable<Changed> {
  const { collection } = request;
  const { key } = written;
  return after(changedWhole(request, written), (whole) =>
    after(newKeyOf(request, written) ?? key, (newKey) => {
      const isMoved = newKey !== key;
      const changes: Change[] = [
        { collection, key: newKey, expected: isMoved ? 'absent' : expected, resource: whole },
      ];
      if (isMoved) changes.push({ collection, key, expected, resource: undefined });
      return { key: newKey, whole, changes };
    }),
  );
}

export function respondWith(
  request: StateRequest,
  changed: readonly Changed[],
  isNew: boolean,
): Awaitable<Outcome> {
  const key = changed[0]?.key ?? '';
  const changes = changed.flatMap((one) => one.changes);
  const effect = new StoringEffect(request, changes, changed.length === 1 ? key : undefined);
  const shown = afterEach(changed, ({ whole }) => expand(request, whole));
  return after(shown, (resources) => ({
    candidate: showWritten(request, { resources, key }, isNew),
    effect,
  }));
}

/**
 * Returns the key that a request gives to a resource by `newName`; undefined if it keeps its own.
 *
 * @throws {Problem} RESOURCE_EXISTS
 */
function newKeyOf(request: StateRequest, { resource, before }: Written) {
  const { store, collection, meaning } = request;
  const { type } = meaning;
  const own = keyIn(type, resource);
  if (before === undefined || own === undefined || !givesNewKey(request)) return undefined;
  if (own === keyIn(type, before)) return undefined;
  return after(
    keyBelowParents(request, own, () => resource),
    (newKey) =>
      after(store.get(collection, newKey), (other) => {
        if (other !== undefined) throw takenProblem(type, own);
        return newKey;
      }),
  );
}

export function takenProblem({ name }: ResourceType, key: string): Problem {
  return new Problem('RESOURCE_EXISTS', `${name} has ${key.slice(0, 80)} already`);
}

/** Returns true for a body with a `newName` if the key is `name`. */
function givesNewKey({ meaning, body }: StateRequest): boolean {
  if (meaning.kind !== 'patch' || meaning.given.renamed === undefined) return false;
  const members = valueAt(body?.value, meaning.given.path);
  const keyName = meaning.type.key?.property?.value;
  return [...meaning.given.renamed].some(
    ([name, other]) =>
      other === keyName &&
      plain(name) === `new${plain(other)}` &&
      isJsonObject(members) &&
      Object.hasOwn(members, name),
  );
}

/** Returns the resource to store, with objects where a client sends their keys. */
function changedWhole(request: StateRequest, written: Written): Awaitable<JsonObject> {
  const { resource, before = {} } = written;
  const changed = Object.entries(resource).filter(([name, value]) => value !== before[name]);
  return after(withObjects(request, Object.fromEntries(changed)), (members) => {
    const whole = { ...written, resource: { ...resource, ...members } };
    return completeResource(request, { ...whole, resource: keepSet(request, whole) });
  });
}

/** Returns the resource with its parents, and with its key unless the request gives a new one. */
function keepSet(request: StateRequest, { resource, before }: Written): JsonObject {
  if (before === undefined) return resource;
  const { key, parents } = request.meaning.type;
  const kept: JsonObject = { ...resource };
  const ownKey = givesNewKey(request) ? undefined : key?.property;
  for (const property of [ownKey, ...parents.map((parent) => parent.property)]) {
    const value = property && getProperty(before, property.value);
    if (property !== undefined && value !== undefined) setProperty(kept, property.value, value);
  }
  return kept;
}

/**
 * `PUT /plants/7`: replaces everything that the client may set, or creates the resource. Without a
 * body, `PUT /teams/7/members/anna` puts in what another collection has under the key.
 */
export function replace(request: StateRequest<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning } = request;
  const body = request.body?.value;
  if (!mayChange(request.operation)) return undefined;
  const given = unwrap(body, meaning.given, meaning.type);
  if (body !== undefined && given === undefined) return undefined;
  // `PUT /pet` has the key in its body.
  const keys = keysInPath(request) ?? keysIn(request, given);
  const [key] = keys;
  if (key === undefined) return undefined;
  return after(findExisting(request, keys), (existing) => {
    const usual = () => existing?.resource ?? findTwin(request, key);
    return after(given ?? (isMark(meaning.type) ? {} : usual()), (members) => {
      const resource = { ...members };
      if (given === undefined) setFromQuery(request, resource);
      setFromPath(request, resource);
      const own = keyIn(meaning.type, resource) ?? key;
      return after(existing?.key ?? keyBelowParents(request, own, () => resource), (kept) => {
        const written = { key: kept, resource, before: existing?.resource };
        return respondChanged(request, written, existing?.expected ?? 'absent');
      });
    });
  });
}

/** Returns what the collection with the same schema has under a key. */
function findTwin(request: StateRequest, key: string): Awaitable<JsonObject | undefined> {
  const twin = request.facts.twin();
  return twin && findNamed(request, twin, readKey(key));
}

/** `POST /orders/7/cancel`: sets what the action means, and what the resource has of its body. */
export function act(request: StateRequest<ActionMeaning>): Awaitable<Outcome> {
  return changeExisting(request, keysInPath(request), ({ key, resource: before, expected }) => {
    requireStatus(request, before);
    const resource: JsonObject = { ...before };
    setFromQuery(request, resource);
    setGiven(request, resource);
    for (const { property, value } of request.meaning.sets) {
      const mayBeNull = propertySchema(request, property)?.accepts(null) !== false;
      if (value.value !== null || mayBeNull) setMember(resource, property, value.value);
      else delete resource[property];
    }
    renewSecret(request, resource);
    return respondChanged(request, { key, resource, before }, expected);
  });
}

/** `POST /streams/7/reset-stream-key`: makes a secret that looks like the one before. */
function renewSecret({ meaning, call }: StateRequest<ActionMeaning>, resource: JsonObject): void {
  const { renews = '' } = meaning;
  const before = getMember(resource, renews);
  if (typeof before !== 'string') return;
  const chance = { random: call.chanceOf(`property ${renews}`), now: call.now() };
  setMember(resource, renews, drawAlike(chance, before) ?? before);
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
