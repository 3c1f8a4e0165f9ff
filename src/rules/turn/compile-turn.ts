import { remember } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { parameterNames } from '../../contract/path-template.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { NO_FIELDS } from '../../http/message.ts';
import type { RequestView } from '../../request/view.ts';
import { requirePathParameter } from '../match/parameters.ts';
import {
  count,
  outage,
  probability,
  rateLimit,
  type ScenarioMembers,
  scenario,
} from './conditions.ts';
import type {
  ConditionKind,
  CountedRequest,
  Counter,
  Turn,
  TurnOutcome,
  TurnOwner,
} from './turn.ts';

/** Every condition for a rule to act. The last one draws a random number only if it is needed. */
const conditionKinds: readonly ConditionKind[] = [scenario, count, outage, rateLimit, probability];

/** Compiles when a rule acts: on a request for which every condition of the rule holds. */
export function compileTurn(place: FilePlace, rule: TurnMembers, owner: TurnOwner): Turn {
  const keyOf = compileCounterKey(place.at('per'), rule.per, owner.operations);
  const compiled = conditionKinds.flatMap((kind) => kind(rule, owner) ?? []);
  const tokens = compiled.find((condition) => condition.tokens !== undefined)?.tokens ?? 0;
  return Object.freeze({
    placeOf: (view) => ({ rule: owner.name, key: keyOf(view), scenario: rule.scenarioName }),
    take({ view, now, random }, memory) {
      if (compiled.some((condition) => condition.counts?.(memory) === false)) return IDLE;
      const key = keyOf(view);
      const counters = remember(memory.counters, owner.name, () => new Map<string, Counter>());
      const counter = counters.get(key) ?? addCounter(counters, key, now, tokens);
      counter.matched += 1;
      // A clock that is set back starts the time anew.
      if (now < counter.firstAt) counter.firstAt = now;
      const elapsed = now - counter.firstAt;
      const request: CountedRequest = { counter, random, now, elapsed, ...ACTS };
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

/** Adds a counter with a full bucket. When a rule has too many keys, the oldest is dropped. */
function addCounter(counters: Map<string, Counter>, key: string, now: number, tokens: number) {
  const [oldest] = counters.size < MOST_KEYS ? [] : counters.keys();
  if (oldest !== undefined) counters.delete(oldest);
  const counter = { matched: 0, acted: 0, firstAt: now, tokens, tokensAt: now };
  counters.set(key, counter);
  return counter;
}

export interface TurnMembers extends ScenarioMembers {
  readonly per?: Scope;
}

/** The scope of a counter: one of three, or the parameter of one location by its name. */
type Scope =
  | 'operation'
  | 'resource'
  | 'client'
  | { readonly [Location in ParameterLocation]?: string };

/** Returns a function for what a rule counts separately: the key of a request's counter. */
function compileCounterKey(
  place: FilePlace,
  per: Scope | undefined,
  operations: readonly Operation[],
): (view: RequestView) => string {
  const unnamed = operations.find(({ path }) => parameterNames(path).length === 0);
  if (per === 'resource' && unnamed !== undefined) {
    throw place.fail(
      `${unnamed.id} has no path parameters that tell resources apart`,
      'Leave it out, or count by client, or by the name of a header, query or cookie.',
    );
  }
  switch (per) {
    case undefined:
      return () => '';
    case 'operation':
      return ({ operation }) => operation?.id ?? '';
    case 'resource':
      return (view) => shorten(resourceOf(view));
    case 'client':
      return ({ credential }) => shorten(credential ?? '');
    default: {
      const [[location, name] = ['header', '']] = Object.entries(per);
      if (location === 'path') requirePathParameter(place.at('path'), name, operations);
      return (view) => shorten(join(view.texts(location as ParameterLocation, name)));
    }
  }
}

/** Returns the resource that a path names, whatever the method. */
function resourceOf(view: RequestView): string {
  const { operation, path } = view;
  if (operation === undefined) return path;
  const values = parameterNames(operation.path).flatMap((name) => view.texts('path', name));
  return join([operation.path, ...values]);
}

/** A NUL can only come from `%00` in a request, which is useless as a key. */
function join(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\0');
}

const LONGEST_KEY = 256;
const KEPT = 100;

/** A client may send long values, and ten thousand keys are remembered. */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  return `${key.slice(0, KEPT)}…${key.length}…${key.slice(-KEPT)}`;
}
