import type { Random } from '../base/random.ts';

/** The source of a value: random numbers and the current time. */
export interface Chance {
  readonly random: Random;
  /** Milliseconds since 1970, by the mock's clock. */
  readonly now: number;
}

/** Returns an integer from `lowest` to `highest`, both included. */
export function drawInteger({ random }: Chance, lowest: number, highest: number): number {
  return lowest + Math.floor(random.next() * (highest - lowest + 1));
}

/** Like {@link drawInteger}, for integers of any size. */
export function drawBigInt(chance: Chance, lowest: bigint, highest: bigint): bigint {
  const span = highest - lowest;
  if (span < 2n ** 32n) {
    return lowest + BigInt(Math.floor(chance.random.next() * (Number(span) + 1)));
  }
  let drawn = 0n;
  for (let bits = span; bits > 0n; bits >>= 32n) {
    drawn = (drawn << 32n) | BigInt(Math.floor(chance.random.next() * 2 ** 32));
  }
  return lowest + (drawn % (span + 1n));
}

/** Returns a random item of a list; undefined when the list is empty. */
export function drawOne<Item>({ random }: Chance, list: readonly Item[]): Item | undefined {
  return list[Math.floor(random.next() * list.length)];
}

/** Returns true with a probability from 0 to 1. */
export function happens({ random }: Chance, probability: number): boolean {
  return random.next() < probability;
}

export function shuffle<Item>(chance: Chance, list: readonly Item[]): Item[] {
  const shuffled = [...list];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = drawInteger(chance, 0, index);
    const [a, b] = [shuffled[index] as Item, shuffled[other] as Item];
    shuffled[index] = b;
    shuffled[other] = a;
  }
  return shuffled;
}
