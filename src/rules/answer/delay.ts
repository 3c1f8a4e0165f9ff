import type { Random } from '../../base/random.ts';
import { drawFrom } from './delay-distribution.ts';
import { type DelayDefinition, LONGEST_DELAY_MILLISECONDS } from './delay-form.ts';

/** How long a rule holds an answer back. */
export interface Delay {
  /**
   * @param strength from 0 to 1, as a ramp has it; the delay is multiplied by it
   * @returns milliseconds, a whole number of at most an hour
   */
  draw(random: Random, strength: number): number;
}

/** @returns undefined where the file says nothing of a delay */
export function compileDelay({
  fixedMilliseconds,
  distribution,
}: DelayDefinition): Delay | undefined {
  if (fixedMilliseconds === 0 && distribution === undefined) return undefined;
  return {
    draw(random, strength) {
      const drawn = distribution === undefined ? 0 : drawFrom(distribution, random);
      const milliseconds = Math.round((fixedMilliseconds + drawn) * strength);
      return Math.min(milliseconds, LONGEST_DELAY_MILLISECONDS);
    },
  };
}
