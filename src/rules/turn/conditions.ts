import type { ConditionKind } from './turn.ts';

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
