import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { keyIn } from '../../resources/collections.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ActionMeaning, Meaning, ReplaceMeaning } from '../../resources/meaning.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Expected } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import { makeWhole } from './complete-resource.ts';
import { effectOf } from './effect.ts';
import { findByKeys, isKept, requireParents } from './find-stored.ts';
import {
  keyBelowParents,
  keysInPath,
  setFromQuery,
  setKeyOfPath,
  setParents,
} from './path-keys.ts';
import { identityOf, imagineResource } from './placeholder.ts';
import { preconditionFailed, refuseMissing } from './read.ts';
import { answerBeside, chooseSuccess, type Deed, mayChange, showThings } from './show.ts';
import type { Asked } from './state-request.ts';

/** What is there before a change. */
interface Before {
  readonly key: string;
  readonly thing: JsonObject;
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
export function findBefore(
  asked: Asked,
  keys: readonly string[],
  makesAbsent: boolean,
): Awaitable<Before | undefined> {
  const [key = ''] = keys;
  return after(requireParents(asked), () =>
    after(findByKeys(asked, keys), (stored) => {
      if (stored !== undefined) {
        requireConditions(asked, toEntityTag(stored.version));
        return { key: stored.key, thing: stored.resource, expected: stored.version };
      }
      if (makesAbsent) {
        requireConditions(asked, undefined);
        return undefined;
      }
      return after(isKept(asked), (isAbsent) => {
        if (isAbsent) return refuseMissing(asked, keys);
        requireConditions(asked, toEntityTag(NEVER_WRITTEN));
        return { key, thing: imagineResource(asked, key), expected: 'absent' as const };
      });
    }),
  );
}

/** @throws {Problem} PRECONDITION_FAILED */
function requireConditions({ request }: Asked, entityTag: string | undefined): void {
  const { fields, method } = request;
  if (!hasConditions(fields)) return;
  if (evaluateConditions(fields, method, entityTag) === 'failed') throw preconditionFailed();
}

/** What a resource becomes. */
interface Become {
  readonly key: string;
  readonly thing: JsonObject;
  readonly before: Before | undefined;
}

/**
 * The answer to a request that changes one resource, or makes it: what the service sets is set,
 * the rest of the thing is as given.
 */
export function answerChanged(asked: Asked<Meaning>, { key, thing, before }: Become): Outcome {
  const whole = makeWhole(asked, keepSet(asked, thing, before), key, before?.thing);
  const expected = before?.expected ?? 'absent';
  const changes = [{ collection: asked.place, key, expected, resource: whole }];
  const effect = effectOf(asked, changes, key);
  const deed: Deed = before === undefined ? 'created' : 'changed';
  const { operation } = asked.request;
  const declared = chooseSuccess(operation, deed);
  if (declared === undefined) return { answer: undefined, effect };
  const identity = identityOf(asked, key);
  const shown = showThings(asked, declared, [whole], identity);
  const isUsual = declared.status === operation.responses.success?.status;
  return {
    answer: shown ?? (isUsual ? undefined : answerBeside(asked, declared, identity)),
    effect,
  };
}

/** What names a resource, and to whom it belongs, stays. */
function keepSet({ meaning }: Asked, thing: JsonObject, before: Before | undefined): JsonObject {
  if (before === undefined) return thing;
  const { key, parents } = meaning.resource;
  const kept: JsonObject = { ...thing };
  for (const property of [key?.property, ...parents.map((parent) => parent.property)]) {
    const value = property && getMember(before.thing, property.value);
    if (property !== undefined && value !== undefined) setMember(kept, property.value, value);
  }
  return kept;
}

/** `PUT /plants/7`: all that the client may set is replaced; what is not there may be made. */
export function replace(asked: Asked<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning, request } = asked;
  const body = request.body?.value;
  const given = body === undefined ? undefined : unwrap(body, meaning.given, meaning.resource);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  const thing = { ...given };
  const keys = keysInPath(asked) ?? keysIn(asked, thing);
  const [key] = keys;
  if (key === undefined) return undefined;
  setKeyOfPath(asked, thing);
  setParents(asked, thing);
  const ownKey = keyIn(meaning.resource, thing) ?? key;
  return after(findBefore(asked, keys, meaning.createsAbsent), (before) =>
    after(before?.key ?? keyBelowParents(asked, ownKey), (kept) =>
      answerChanged(asked, { key: kept, thing, before }),
    ),
  );
}

/** `PUT /pet` has the key in its body. */
function keysIn({ meaning }: Asked, thing: Parameters<typeof keyIn>[1]): readonly string[] {
  const key = keyIn(meaning.resource, thing);
  return key === undefined ? [] : [key];
}

/** `POST /orders/7/cancel`: what the action sets is set, and what its body says of the resource. */
export function act(asked: Asked<ActionMeaning>): Awaitable<Outcome> {
  const keys = keysInPath(asked);
  if (keys === undefined || !mayChange(asked.request.operation)) return undefined;
  return after(findBefore(asked, keys, false), (before) => {
    if (before === undefined) return undefined;
    const thing: JsonObject = { ...before.thing };
    setFromQuery(asked, thing);
    setGiven(asked, thing);
    for (const { property, value } of asked.meaning.sets) setMember(thing, property, value.value);
    return answerChanged(asked, { key: before.key, thing, before });
  });
}

/** Of the body, what the resource has too. */
function setGiven({ material, meaning, request }: Asked<ActionMeaning>, thing: JsonObject): void {
  const { given, resource } = meaning;
  const body = request.body?.value;
  if (given === undefined || body === undefined) return;
  const members = unwrap(body, given, resource) ?? {};
  for (const name of material.factsOf(resource).properties.keys()) {
    const value = getMember(members, name);
    if (value !== undefined) setMember(thing, name, value);
  }
}
