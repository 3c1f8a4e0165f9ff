import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type { Meaning } from '../../resources/meaning.ts';
import type { Expected } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import type { Asked } from './asked.ts';
import { effectOf } from './effect.ts';
import { findByKeys, isKept, requireParents } from './find-stored.ts';
import { identityOf, imagineResource } from './imagine.ts';
import { preconditionFailed, refuseMissing } from './read.ts';
import { answerBeside, showThings } from './show.ts';
import { chooseSuccess, type Deed } from './success.ts';
import { makeWhole } from './whole-thing.ts';

/** What is there before a change. */
export interface Before {
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
export interface Become {
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
