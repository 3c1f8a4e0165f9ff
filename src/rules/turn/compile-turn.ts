import type { Operation } from '../../contract/contract.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { NO_FIELDS } from '../../http/message.ts';
import { count, probability } from './count.ts';
import { type CounterMembers, compileCounterKey } from './counter-key.ts';
import { outage } from './outage.ts';
import { rateLimit } from './rate-limit.ts';
import { type ScenarioMembers, scenario } from './scenario.ts';
import type {
  ConditionKind,
  CountedRequest,
  Counter,
  Turn,
  TurnMemory,
  TurnOutcome,
  TurnOwner,
} from './turn.ts';

/** Every condition for a rule to act. The last one draws a random number only if it is needed. */
const conditionKinds: readonly ConditionKind[] = [scenario, count, outage, rateLimit, probability];

/**
 * Compiles when a rule acts: on a request for which every condition of the rule holds.
 *
 * @param pointer of the rule in its file
 * @param operations that the rule names; none for all
 * @throws {DiagnosticError} for path parameters that an operation of the rule does not have
 */
export function compileTurn(
  file: SourceDocument,
  pointer: string,
  rule: CounterMembers & ScenarioMembers,
  operations: readonly Operation[],
  owner: TurnOwner,
): Turn {
  const keyOf = compileCounterKey(file, pointer, rule, operations);
  const compiled = conditionKinds.flatMap((kind) => kind.compile(rule, owner) ?? []);
  const tokens = compiled.find((condition) => condition.tokens !== undefined)?.tokens ?? 0;
  return Object.freeze({
    placeOf: (view) => ({ rule: owner.name, key: keyOf(view), scenario: rule.scenarioName }),
    take({ view, now, random }, memory) {
      if (compiled.some((condition) => condition.counts?.(memory) === false)) return IDLE;
      const counter = countMatch(memory, owner.name, keyOf(view), now, tokens);
      const elapsed = now - counter.firstAt;
      const start = { acts: true, strength: 1, fields: NO_FIELDS };
      const request: CountedRequest = { counter, random, now, elapsed, ...start };
      for (const condition of compiled) {
        if (condition.allows?.(request) === false) request.acts = false;
      }
      if (request.acts) {
        counter.acted += 1;
        for (const condition of compiled) condition.act?.(request, memory);
      }
      return toOutcome(request);
    },
  } satisfies Turn);
}

const ACTS: TurnOutcome = Object.freeze({ acts: true, strength: 1, fields: NO_FIELDS });
const IDLE: TurnOutcome = Object.freeze({ acts: false, strength: 1, fields: NO_FIELDS });

function toOutcome({ acts, strength, fields }: CountedRequest): TurnOutcome {
  if (acts && strength < 1) return { acts, strength, fields };
  if (fields === NO_FIELDS) return acts ? ACTS : IDLE;
  return { acts, strength: 1, fields };
}

/** Keys of one rule: there may be any number of clients and resources, but memory is limited. */
const MOST_KEYS = 10_000;

/**
 * Counts a request. When a rule has too many keys, the oldest is dropped.
 *
 * @param rule its name
 * @param now by the session's clock; one that is set back starts the time anew
 * @param tokens in a new bucket
 */
function countMatch(
  { counters }: TurnMemory,
  rule: string,
  key: string,
  now: number,
  tokens: number,
): Counter {
  const ofRule = counters.get(rule) ?? new Map<string, Counter>();
  counters.set(rule, ofRule);
  let counter = ofRule.get(key);
  if (counter === undefined) {
    const [oldest] = ofRule.size < MOST_KEYS ? [] : ofRule.keys();
    if (oldest !== undefined) ofRule.delete(oldest);
    counter = { matched: 0, acted: 0, firstAt: now, tokens, tokensAt: now };
    ofRule.set(key, counter);
  }
  counter.matched += 1;
  if (now < counter.firstAt) counter.firstAt = now;
  return counter;
}
