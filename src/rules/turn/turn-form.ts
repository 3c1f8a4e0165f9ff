import { isJsonObject } from '../../base/json/value.ts';
import type { FormReader } from '../form-reader.ts';

/** When a rule acts, as its file says it, of the right form. */
export interface TurnDefinition {
  /** Of the rule in its file. */
  readonly pointer: string;
  /** How many matching requests pass first. */
  readonly after: number;
  /** Of what is left, each so many-th: 1 is all. */
  readonly every: number;
  /** How many times it is the rule's turn; Infinity where the file sets no end. */
  readonly times: number;
  readonly probability: number;
  readonly outage: OutageDefinition;
  readonly per: CounterScope | undefined;
  readonly rateLimit: RateLimitDefinition | undefined;
  readonly scenario: ScenarioDefinition | undefined;
}

/** A span of time, measured from the first request that the rule matched. */
export interface OutageDefinition {
  readonly afterMillis: number;
  /** Infinity where the file sets no end. */
  readonly durationMillis: number;
  /** How long it takes to come on in full; 0 is at once. */
  readonly rampMillis: number;
}

/** What is counted apart; undefined counts all that the rule matches together. */
export type CounterScope =
  | 'operation'
  | 'resource'
  | 'client'
  | { readonly in: ParameterPlace; readonly name: string };

type ParameterPlace = (typeof PARAMETER_PLACES)[number];

/** A token bucket: it holds `burst` tokens and gets `limit` of them back in `windowMillis`. */
export interface RateLimitDefinition {
  readonly limit: number;
  readonly windowMillis: number;
  readonly burst: number;
}

/** The rule's part in a state machine, in WireMock's meaning. */
export interface ScenarioDefinition {
  readonly name: string;
  /** Undefined for any. */
  readonly requiredState: string | undefined;
  /** Undefined leaves it as it is. */
  readonly newState: string | undefined;
}

const NAMED_SCOPES = ['operation', 'resource', 'client'] as const;
const PARAMETER_PLACES = ['header', 'query', 'path', 'cookie'] as const;
const NOT_BLANK = /\S/;

/** Reads of a rule when it acts; faults of form are noted by the reader. */
export function readTurn(rule: FormReader): TurnDefinition {
  return {
    pointer: rule.pointer,
    after: readEither(rule, 'after', 'succeedFirst', 0) ?? 0,
    every: rule.whole('every', { from: 1 }) ?? 1,
    times: readEither(rule, 'times', 'failRequestCount', 1) ?? Number.POSITIVE_INFINITY,
    probability: rule.number('probability', { from: 0, to: 1 }) ?? 1,
    outage: {
      afterMillis: rule.whole('outageAfterMillis', { from: 0 }) ?? 0,
      durationMillis: rule.whole('outageDurationMillis', { from: 1 }) ?? Number.POSITIVE_INFINITY,
      rampMillis: rule.whole('degradationRampMillis', { from: 1 }) ?? 0,
    },
    per: readScope(rule),
    rateLimit: readRateLimit(rule),
    scenario: readScenario(rule),
  };
}

/** A count has two names: WireMock's kind and MockServer's. */
function readEither(
  rule: FormReader,
  name: string,
  synonym: string,
  from: number,
): number | undefined {
  const count = rule.whole(name, { from });
  const same = rule.whole(synonym, { from });
  if (rule.has(name) && rule.has(synonym)) {
    rule.note(synonym, `cannot stand beside ${name}: both say the same`, `Leave out one of them.`);
  }
  return count ?? same;
}

function readScope(rule: FormReader): CounterScope | undefined {
  if (!isJsonObject(rule.any('per'))) return rule.choice('per', NAMED_SCOPES);
  const per = rule.object('per');
  const named = PARAMETER_PLACES.map((place) => ({
    in: place,
    name: per.text(place, NOT_BLANK),
    isThere: per.has(place),
  })).filter(({ isThere }) => isThere);
  per.refuseOthers();
  const [first] = named;
  if (named.length !== 1) {
    per.note(undefined, `must name one of ${PARAMETER_PLACES.join(', ')}`);
  }
  return first?.name === undefined ? undefined : { in: first.in, name: first.name };
}

function readRateLimit(rule: FormReader): RateLimitDefinition | undefined {
  if (!rule.has('rateLimit')) return undefined;
  const bucket = rule.object('rateLimit');
  for (const name of ['limit', 'windowMillis']) bucket.require(name);
  const limit = bucket.whole('limit', { from: 1 }) ?? 1;
  const windowMillis = bucket.whole('windowMillis', { from: 1 }) ?? 1;
  const burst = bucket.whole('burst', { from: 1 }) ?? limit;
  bucket.refuseOthers();
  return { limit, windowMillis, burst };
}

function readScenario(rule: FormReader): ScenarioDefinition | undefined {
  const name = rule.text('scenarioName', NOT_BLANK);
  const requiredState = rule.text('requiredScenarioState', NOT_BLANK);
  const newState = rule.text('newScenarioState', NOT_BLANK);
  for (const member of ['requiredScenarioState', 'newScenarioState']) {
    if (rule.has(member) && !rule.has('scenarioName')) {
      rule.note(member, 'needs a scenarioName beside it');
    }
  }
  return name === undefined ? undefined : { name, requiredState, newState };
}
