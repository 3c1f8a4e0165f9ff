import { randomUUID } from 'node:crypto';

/** A stream of random numbers. */
export interface Random {
  /** Returns the next number, from 0 up to but not including 1. */
  next(): number;
}

/**
 * Returns a stream of pseudo-random numbers: the same seed gives the same stream on every machine.
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand), seeded by FNV-1a of the seed's text.
 */
export function createRandom(seed: string): Random {
  let a = hash(seed, 0x811c9dc5);
  let b = hash(seed, 0x9e3779b9);
  let c = hash(seed, 0x85ebca6b);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  // The first numbers still depend visibly on the seed.
  for (let round = 0; round < 12; round++) next();
  return { next };
}

/** Returns a name that no other process creates, for identifiers. */
export function createUniqueName(): string {
  return randomUUID();
}

/**
 * Returns a 32-bit integer to begin hashes with, of what clients send. They cannot foresee it, as no
 * response shows numbers of its generator.
 */
export function createHashSeed(): number {
  return Math.floor(Math.random() * 2 ** 32) | 0;
}

function hash(text: string, basis: number): number {
  let value = basis;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}
