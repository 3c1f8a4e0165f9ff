import type { ConditionKind } from './turn.ts';

interface OutageMembers {
  readonly outageAfterMillis?: number;
  readonly outageDurationMillis?: number;
  readonly degradationRampMillis?: number;
}

/** A span of time, measured from the first request that the rule matched. */
export const outage: ConditionKind<OutageMembers> = {
  compile({ outageAfterMillis = 0, outageDurationMillis, degradationRampMillis: ramp }) {
    const duration = outageDurationMillis ?? Number.POSITIVE_INFINITY;
    return {
      allows(request) {
        const elapsed = request.elapsed - outageAfterMillis;
        if (ramp !== undefined) request.strength = Math.min(1, Math.max(0, elapsed / ramp));
        return elapsed >= 0 && elapsed < duration;
      },
    };
  },
};
