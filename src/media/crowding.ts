import { heapRoom } from '../base/heap.ts';
import { Problem } from '../base/problem.ts';

/**
 * The bytes of the heap that the characters of a syntax stand for: about as much as the values that
 * they begin or separate take while they are read, with what the reader needs for them.
 */
const HEAP_BYTES = {
  json: { '{': 140, '[': 80, ',': 60, ':': 60 },
  lines: { '{': 140, '[': 80, ',': 60, ':': 60, '\n': 60, '\u001E': 60 },
  events: { '\n': 150, '\r': 150 },
  form: { '&': 500, '[': 250, '{': 140, ',': 60, ':': 60, '%': 40 },
  xml: { '<': 700, '=': 250, '&': 20 },
  yaml: { '{': 500, '[': 500, ',': 300, ':': 300, '\n': 300, '-': 100, '?': 100 },
} as const;

type CrowdedSyntax = keyof typeof HEAP_BYTES;

/** Shorter texts have room in every heap. */
const SHORT_BYTES = 16 * 1024;

/** The values of one text may take this part of the heap. */
const SHARE = 2;

/**
 * Refuses a text whose values would not fit into the heap: three bytes of JSON can be an object of
 * a hundred, and a process whose heap is full ends. Long texts without many values are not refused.
 *
 * @throws {Problem} BODY_TOO_LARGE
 */
export function refuseCrowded(text: string | Uint8Array, syntax: CrowdedSyntax): void {
  if (text.length <= SHORT_BYTES) return;
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const weights = new Uint16Array(256);
  for (const [character, weight] of Object.entries(HEAP_BYTES[syntax])) {
    weights[character.charCodeAt(0)] = weight;
  }
  let needed = 0;
  // By index: the iterator of a buffer takes ten times as long.
  for (let index = 0; index < bytes.length; index++) needed += weights[bytes[index] ?? 0] ?? 0;
  const room = heapRoom() / SHARE;
  if (needed <= room) return;
  throw new Problem(
    'BODY_TOO_LARGE',
    `body has ${bytes.length} bytes with so many values that they would take ` +
      `${inMegabytes(needed)} MB of memory; the heap of this process has room for ` +
      `${inMegabytes(room)} MB: send fewer values, or give Node.js more with --max-old-space-size`,
  );
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
