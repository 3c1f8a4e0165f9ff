import type { Random } from '../base/random.ts';

const NOISE_BYTES = 64;

/** Bytes that are neither the beginning of an answer nor of a chunk (RFC 9112 §2.1, §7.1). */
export function drawNoise(random: Random): Uint8Array {
  const bytes = Uint8Array.from({ length: NOISE_BYTES }, () => Math.floor(random.next() * 256));
  // Whatever the others are, HTTP begins with ASCII.
  return bytes.fill(0x80 | (bytes[0] ?? 0), 0, 1);
}
