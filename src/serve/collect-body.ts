import type { IncomingMessage } from 'node:http';
import { NO_BODY, type WireBody } from '../http/message.ts';

/**
 * Collects a body before anyone is called, so that whoever is called need not wait for it.
 *
 * @param done called once, as soon as the body is whole or known to be too large; never, when the
 *   client goes away before that
 */
export function collectBody(
  incoming: IncomingMessage,
  maximumBytes: number,
  done: (body: WireBody) => void,
): void {
  const { headers } = incoming;
  const declared = Number(headers['content-length'] ?? 0);
  const isEmpty = declared === 0 && headers['transfer-encoding'] === undefined;
  if (isEmpty || declared > maximumBytes) {
    done(isEmpty ? NO_BODY : 'too-large');
    return;
  }
  let chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  incoming.on('data', (chunk: Buffer) => {
    if (isDone) return;
    length += chunk.length;
    chunks.push(chunk);
    if (length <= maximumBytes) return;
    isDone = true;
    chunks = [];
    done('too-large');
  });
  incoming.on('end', () => {
    if (isDone) return;
    isDone = true;
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  });
  // A client that goes away before its body is whole gets no answer: there is no one to read it.
  incoming.on('error', () => {
    isDone = true;
  });
}
