import type { Operation } from '../../contract/contract.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { NO_FIELDS } from '../../http/message.ts';
import { compileCounterKey } from './counter-key.ts';
import { countMatch } from './counters.ts';
import { isOpen, strengthOf } from './outage-window.ts';
import { type Allowance, compileRateLimit } from './rate-limit.ts';
import { isInState, moveOn } from './scenario.ts';
import type { Occasion, Turn, TurnOutcome } from './turn.ts';
import type { TurnDefinition } from './turn-form.ts';

/** The rule whose turn is worked out. */
export interface TurnOwner {
  readonly name: string;
  /** That the rule names; none for all. */
  readonly operations: readonly Operation[];
  /**
   * True for a rule that has neither status nor fault. A ramp raises the share of the requests that
   * fail, but the length of the delay where there is nothing else: not half of the requests half as
   * late, but all of them.
   */
  readonly onlyDelays: boolean;
}

/**
 * Works out when a rule acts. It acts on a request when all holds that its file says: the state of
 * its scenario, its counts, its outage, its empty bucket, and at last its chance.
 *
 * @param file the fixture file, for places
 * @throws {DiagnosticError} for path parameters that an operation of the rule has not
 */
export function compileTurn(
  file: SourceDocument,
  definition: TurnDefinition,
  owner: TurnOwner,
): Turn {
  const { outage, scenario } = definition;
  const keyOf = compileCounterKey(file, definition, owner.operations);
  const rateLimit = definition.rateLimit && compileRateLimit(owner.name, definition.rateLimit);
  const tokens = definition.rateLimit?.burst ?? 0;
  return Object.freeze({
    placeOf: (view) => ({ rule: owner.name, key: keyOf(view), scenario: scenario?.name }),
    take(occasion, memory) {
      if (scenario !== undefined && !isInState(memory, scenario)) return RESTS;
      const { now } = occasion;
      const counter = countMatch(memory, owner.name, keyOf(occasion.view), now, tokens);
      const elapsed = now - counter.firstAt;
      const allowance = rateLimit?.take(counter, now);
      const strength = strengthOf(outage, elapsed);
      const isDue =
        isCountedIn(definition, counter.matched) &&
        isOpen(outage, elapsed) &&
        allowance?.isSpent !== false;
      const chance = owner.onlyDelays ? definition.probability : definition.probability * strength;
      const acts = isDue && isDrawn(chance, occasion);
      if (acts) counter.acted += 1;
      if (acts && scenario !== undefined) moveOn(memory, scenario);
      return toOutcome(acts, strength, allowance);
    },
  } satisfies Turn);
}

/** @param matched the number of the request among those that the rule matches, from 1 */
function isCountedIn({ after, every, times }: TurnDefinition, matched: number): boolean {
  const left = matched - after;
  return left > 0 && left % every === 0 && left / every <= times;
}

/** Draws one number wherever chance has a say, so that what follows in the stream stays the same. */
function isDrawn(chance: number, { random }: Occasion): boolean {
  return chance >= 1 || random.next() < chance;
}

const ACTS: TurnOutcome = Object.freeze({ acts: true, strength: 1, fields: NO_FIELDS });
const RESTS: TurnOutcome = Object.freeze({ acts: false, strength: 1, fields: NO_FIELDS });

function toOutcome(acts: boolean, strength: number, allowance: Allowance | undefined): TurnOutcome {
  if (allowance === undefined) {
    if (!acts) return RESTS;
    return strength === 1 ? ACTS : { acts, strength, fields: NO_FIELDS };
  }
  const { fields, retryAfterSeconds } = allowance;
  if (!acts) return { acts, strength: 1, fields };
  return { acts, strength, fields: { ...fields, 'retry-after': String(retryAfterSeconds) } };
}
