import { toInstant } from '../base/clock.ts';
import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { SessionClock } from '../session/clock.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
} from './call.ts';
import { durationOf, flagOf, numberOf, textOf } from './members.ts';

export const clockOperations: ControlOperations = {
  getClock: ({ session }) => jsonResponse(describeClock(session.clock)),
  setClock(call) {
    setClock(call.session.clock, call.members);
    return publishClock(call);
  },
  advanceClock(call) {
    const { clock } = call.session;
    // The body has one of the two.
    const by = durationOf(call.members, 'by', '5m') ?? numberOf(call.members, 'milliseconds') ?? 0;
    refuseBeyond(clock.now() + by);
    clock.advance(by);
    return publishClock(call);
  },
};

/** Returns the time in RFC 3339 with milliseconds, and whether the clock is frozen. */
export function describeClock(clock: SessionClock): JsonObject {
  return { now: toInstant(clock.now()), isFrozen: clock.isFrozen };
}

/** Sets the time, freezes or resumes a clock; a missing member changes nothing. */
export function setClock(clock: SessionClock, members: JsonObject): void {
  const text = textOf(members, 'now');
  const now = text === undefined ? undefined : Date.parse(text.replace(/[tz ]/g, toUpper));
  if (now !== undefined) refuseBeyond(now);
  const isFrozen = flagOf(members, 'isFrozen') ?? clock.isFrozen;
  if (now !== undefined) clock.set(now);
  if (isFrozen && !clock.isFrozen) clock.freeze(now);
  if (!isFrozen) clock.resume();
}

/** RFC 3339 §5.6 allows lower-case `t` and `z`, and a space in place of `T`. */
function toUpper(letter: string): string {
  return letter === ' ' ? 'T' : letter.toUpperCase();
}

/** The range of RFC 3339, whose years have four digits. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function refuseBeyond(milliseconds: number): void {
  if (milliseconds >= FIRST && milliseconds <= LAST) return;
  throw new Problem('INVALID_REQUEST', 'the clock must be within the years 0000 to 9999');
}

function publishClock(call: ControlCall): ControlResponse {
  const clock = describeClock(call.session.clock);
  return call.publish('clock', clock, jsonResponse(clock));
}
