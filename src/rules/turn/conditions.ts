import type { ConditionKind, TurnMemory } from './turn.ts';

/** A rule's part in a state machine, as in WireMock. */
export interface ScenarioMembers {
  readonly scenarioName?: string;
  /** The state in which the rule acts; any if it is missing. */
  readonly requiredScenarioState?: string;
  readonly newScenarioState?: string;
}

/** The state in which every scenario starts, as in WireMock. */
export const STARTED = 'Started';

export function stateOf({ scenarios }: TurnMemory, name: string): string {
  return scenarios.get(name) ?? STARTED;
}

/** A rule of a scenario acts, and counts, only in its state, and changes the state. */
export const scenario: ConditionKind<ScenarioMembers> = (rule) => {
  const { scenarioName: name, requiredScenarioState: required, newScenarioState: next } = rule;
  if (name === undefined) return undefined;
  return {
    counts: (memory) => required === undefined || stateOf(memory, name) === required,
    act(_, { scenarios }) {
      if (next !== undefined) scenarios.set(name, next);
    },
  };
};

/** Returns the states that rules name of each scenario, `Started` first. */
export function listScenarios(
  rules: Iterable<ScenarioMembers>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const scenarios = new Map<string, Set<string>>();
  for (const { scenarioName: name, requiredScenarioState, newScenarioState } of rules) {
    if (name === undefined) continue;
    const states = scenarios.get(name) ?? new Set([STARTED]);
    for (const state of [requiredScenarioState, newScenarioState]) {
      if (state !== undefined) states.add(state);
    }
    scenarios.set(name, states);
  }
  return scenarios;
}

interface CountMembers {
  /** The number of matching requests that pass first. */
  readonly after?: number;
  readonly succeedFirst?: number;
  /** 3 is the third of the remaining requests, the sixth and so on. */
  readonly every?: number;
  /** How many times the rule acts. */
  readonly times?: number;
  readonly failRequestCount?: number;
}

/** `after`, `every` and `times`, also by MockServer's names. */
export const count: ConditionKind<CountMembers> = (rule) => {
  const { after = rule.succeedFirst ?? 0, every = 1 } = rule;
  const { times = rule.failRequestCount ?? Number.POSITIVE_INFINITY } = rule;
  return {
    allows({ counter }) {
      const left = counter.matched - after;
      return left > 0 && left % every === 0 && left / every <= times;
    },
  };
};

interface OutageMembers {
  readonly outageAfterMillis?: number;
  readonly outageDurationMillis?: number;
  readonly degradationRampMillis?: number;
}

/** A span of time, measured from the first request that the rule matched. */
export const outage: ConditionKind<OutageMembers> = (rule) => {
  const { outageAfterMillis = 0, degradationRampMillis: ramp } = rule;
  const { outageDurationMillis: duration = Number.POSITIVE_INFINITY } = rule;
  return {
    allows(request) {
      const elapsed = request.elapsed - outageAfterMillis;
      if (ramp !== undefined) request.strength = Math.min(1, Math.max(0, elapsed / ramp));
      return elapsed >= 0 && elapsed < duration;
    },
  };
};

/** `probability`, the share of the requests on which the rule acts; a ramp raises it. */
export const probability: ConditionKind<{ readonly probability?: number }> = (rule, owner) => ({
  allows({ acts, strength, random }) {
    const { probability: share = 1 } = rule;
    const chance = owner.onlyDelays ? share : share * strength;
    return acts && (chance >= 1 || random.next() < chance);
  },
});

/** A token bucket: it holds `burst` tokens and refills by `limit` in `windowMillis`. */
interface RateLimitJson {
  readonly limit: number;
  readonly windowMillis: number;
  readonly burst?: number;
}

export interface RateLimitMembers {
  readonly rateLimit?: RateLimitJson;
}

/** A sum of fractions may miss a whole number by a little. */
const WHOLE = 1 - 1e-9;

/**
 * A rule with a token bucket acts when the bucket is empty. Every matching response says what is
 * left (draft-ietf-httpapi-ratelimit-headers §3 and §4). The bucket refills continuously; a clock
 * that is set back refills nothing.
 */
export const rateLimit: ConditionKind<RateLimitMembers> = ({ rateLimit: bucket }, { name }) => {
  if (bucket === undefined) return undefined;
  const { limit, windowMillis, burst = limit } = bucket;
  // The window is given in whole seconds; any other is left out.
  const window = windowMillis % 1000 === 0 ? `;w=${windowMillis / 1000}` : '';
  const policy = `"${name}";q=${limit}${window}`;
  const waitSeconds = (tokens: number): number =>
    Math.max(1, Math.ceil((tokens * windowMillis) / limit / 1000 - 1e-6));
  return {
    tokens: burst,
    allows(request) {
      const { counter, now } = request;
      const elapsed = Math.max(0, now - counter.tokensAt);
      const tokens = Math.min(burst, counter.tokens + (elapsed * limit) / windowMillis);
      const isEmpty = tokens < WHOLE;
      counter.tokens = isEmpty ? tokens : Math.max(0, tokens - 1);
      counter.tokensAt = now;
      const left = Math.floor(counter.tokens + (1 - WHOLE));
      const ratelimit = `"${name}";r=${left};t=${waitSeconds(burst - counter.tokens)}`;
      request.fields = { 'ratelimit-policy': policy, ratelimit };
      return isEmpty;
    },
    act(request) {
      const retryAfter = waitSeconds(1 - request.counter.tokens);
      request.fields = { ...request.fields, 'retry-after': String(retryAfter) };
    },
  };
};
