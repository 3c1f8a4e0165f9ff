import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { keyIn } from '../../resources/collections.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ActionMeaning, Meaning, ReplaceMeaning } from '../../resources/meaning.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Expected } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import { completeResource } from './complete-resource.ts';
import { effectOf } from './effect.ts';
import { findByKeys, isManaged, requireParents } from './find-stored.ts';
import {
  keyBelowParents,
  keysInPath,
  setFromQuery,
  setKeyOfPath,
  setParents,
} from './path-keys.ts';
import { identityOf, placeholderResource } from './placeholder.ts';
import { preconditionFailed, refuseMissing } from './read.ts';
import { answerBeside, type ChangeKind, chooseSuccess, mayChange, showResources } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** What is there before a change. */
interface Existing {
  readonly key: string;
  readonly resource: JsonObject;
  /** What the change takes for granted. */
  readonly expected: Expected;
}

/** The version of what is shown but was never written. */
const NEVER_WRITTEN = 0;

/**
 * Finds what a request is to change. What nobody has written yet is taken as a read would show it.
 *
 * @param keys that it may have
 * @returns undefined where there is nothing, and something could be made
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

/** @throws {Problem} PRECONDITION_FAILED */
function requireConditions({ fields, method }: StateRequest, entityTag: string | undefined): void {
  if (!hasConditions(fields)) return;
  if (evaluateConditions(fields, method, entityTag) === 'failed') throw preconditionFailed();
}

/** What a resource becomes. */
interface ChangedResource {
  readonly key: string;
  readonly resource: JsonObject;
  readonly before: Existing | undefined;
}

/**
 * The answer to a request that changes one resource, or makes it: what the service sets is set,
 * the rest of the thing is as given.
 */
export function answerChanged(
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
  const deed: ChangeKind = before === undefined ? 'created' : 'changed';
  const { operation } = request;
  const declared = chooseSuccess(operation, deed);
  if (declared === undefined) return { answer: undefined, effect };
  const identity = identityOf(request, key);
  const shown = showResources(request, declared, [whole], identity);
  const isUsual = declared.status === operation.responses.success?.status;
  return {
    answer: shown ?? (isUsual ? undefined : answerBeside(request, declared, identity)),
    effect,
  };
}

/** What names a resource, and to whom it belongs, stays. */
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

/** `PUT /plants/7`: all that the client may set is replaced; what is not there may be made. */
export function replace(request: StateRequest<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning } = request;
  const body = request.body?.value;
  const given = body === undefined ? undefined : unwrap(body, meaning.given, meaning.type);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  const resource = { ...given };
  const keys = keysInPath(request) ?? keysIn(request, resource);
  const [key] = keys;
  if (key === undefined) return undefined;
  setKeyOfPath(request, resource);
  setParents(request, resource);
  const ownKey = keyIn(meaning.type, resource) ?? key;
  return after(findExisting(request, keys, meaning.createsAbsent), (before) =>
    after(before?.key ?? keyBelowParents(request, ownKey), (kept) =>
      answerChanged(request, { key: kept, resource, before }),
    ),
  );
}

/** `PUT /pet` has the key in its body. */
function keysIn(
  { meaning }: StateRequest,
  resource: Parameters<typeof keyIn>[1],
): readonly string[] {
  const key = keyIn(meaning.type, resource);
  return key === undefined ? [] : [key];
}

/** `POST /orders/7/cancel`: what the action sets is set, and what its body says of the resource. */
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
    return answerChanged(request, { key: before.key, resource, before });
  });
}

/** Of the body, what the resource has too. */
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
