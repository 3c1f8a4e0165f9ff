import { toInstant } from '../base/clock.ts';
import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { SessionClock } from '../session/clock.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
} from './call.ts';
import { readDuration } from './duration.ts';
import { flagOf, numberOf, textOf } from './members.ts';

/** The clock of the session. */
export const clockOperations: ControlOperations = {
  getClock: ({ session }) => answerJson(describeClock(session.clock)),
  setClock(call) {
    setClock(call.session.clock, call.members);
    return told(call);
  },
  advanceClock(call) {
    const { clock } = call.session;
    const by = readAdvance(call.members);
    refuseBeyond(clock.now() + by);
    clock.advance(by);
    return told(call);
  },
};

/** What of a clock is shown: RFC 3339 with milliseconds. */
export function describeClock(clock: SessionClock): JsonObject {
  return { now: toInstant(clock.now()), isFrozen: clock.isFrozen };
}

/**
 * @param members `now`, `isFrozen` or both; what is left out stays as it is
 * @throws {Problem} INVALID_REQUEST for a moment that cannot be written
 */
export function setClock(clock: SessionClock, members: JsonObject): void {
  const text = textOf(members, 'now');
  const now = text === undefined ? undefined : Date.parse(text.replace(/[tz ]/g, toUpper));
  if (now !== undefined) refuseBeyond(now);
  const isFrozen = flagOf(members, 'isFrozen') ?? clock.isFrozen;
  if (now !== undefined) clock.set(now);
  if (isFrozen && !clock.isFrozen) clock.freeze(now);
  if (!isFrozen) clock.resume();
}

/** RFC 3339 §5.6 lets `t` and `z` be small, and a space take the place of `T`. */
function toUpper(letter: string): string {
  return letter === ' ' ? 'T' : letter.toUpperCase();
}

function readAdvance(members: JsonObject): number {
  const text = textOf(members, 'by');
  const by = text === undefined ? numberOf(members, 'milliseconds') : readDuration(text);
  if (by !== undefined) return by;
  throw new Problem('INVALID_REQUEST', 'body/by must be a duration such as "5m" or "PT5M"');
}

/** The years that RFC 3339 can write. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function refuseBeyond(milliseconds: number): void {
  if (milliseconds >= FIRST && milliseconds <= LAST) return;
  throw new Problem('INVALID_REQUEST', 'the clock shows moments of the years 0000 to 9999');
}

function told(call: ControlCall): ControlAnswer {
  const clock = describeClock(call.session.clock);
  call.publish('clock', () => clock);
  return answerJson(clock);
}
