import type { ServerResponse } from 'node:http';
import { sendOn, write, writeHead } from './connection.ts';
import type { SpecialAnswer } from './special-answer.ts';

const LARGE_CHARACTERS = 256 * 1024;
const PIECE_CHARACTERS = 64 * 1024;

/** True for a body of which nobody wants a copy for each client that reads it slowly. */
export function isLargeText(body: string | Uint8Array | null): body is string {
  return typeof body === 'string' && body.length > LARGE_CHARACTERS;
}

/**
 * Sends a large text as fast as the client reads it. Only a piece at a time becomes bytes, so that
 * clients which do not read hold none of it but the text itself, which they may share.
 *
 * @returns what tells Hono's adapter that nothing is left to send; once the answer is out
 */
export function sendLargeText(
  { isHead, status, fields }: Omit<SpecialAnswer, 'body' | 'fault' | 'pace'>,
  text: string,
  outgoing: ServerResponse,
): Promise<Response> {
  return sendOn(outgoing, async (signal) => {
    const framing = { kind: 'length', bytes: Buffer.byteLength(text) } as const;
    writeHead(outgoing, { status, fields, framing });
    if (!isHead) {
      for (const piece of cutText(text)) {
        if (signal.aborted) return;
        await write(outgoing, piece);
      }
    }
    outgoing.end();
  });
}

/** Cuts a text into pieces, none of which ends within a character. */
export function* cutText(text: string, most: number = PIECE_CHARACTERS): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    let to = from + most;
    // The two halves of a character beyond the first plane stay together.
    if (to < text.length && (text.codePointAt(to - 1) ?? 0) > 0xffff) to--;
    yield text.slice(from, to);
    from = to;
  }
}
