import { IncomingMessage } from 'node:http';
import { Problem } from '../base/problem.ts';
import { isHost } from '../http/host.ts';
import { NO_BODY, type WireBody } from '../http/message.ts';

/**
 * Collects a body, so that no stage has to wait for it.
 *
 * @param done called once, as soon as the body is complete or known to be too large; never if
 *   the client disconnects before that
 */
export function collectBody(
  incoming: IncomingMessage,
  maximumBytes: number,
  done: (body: WireBody) => void,
): void {
  const { headers } = incoming;
  const declared = Number(headers['content-length'] ?? 0);
  const isEmpty = declared === 0 && headers['transfer-encoding'] === undefined;
  const isOurs = incoming instanceof CollectedMessage;
  // A stream ends in a later turn: without a body, too, so that requests stay in their order.
  const isAtEnd = isOurs || incoming.readableEnded;
  if (declared > maximumBytes || (isEmpty && isAtEnd)) {
    done(isEmpty ? NO_BODY : 'too-large');
    return;
  }
  const parts = new BodyParts(maximumBytes, done);
  if (isOurs) {
    incoming.collect(parts);
    return;
  }
  incoming.on('data', (chunk: Buffer) => parts.add(chunk));
  incoming.on('end', () => parts.end());
  // A client that disconnects before its body is complete gets no response.
  incoming.on('error', () => {});
}

/** The parts of a body that have arrived. */
class BodyParts {
  readonly #maximumBytes: number;
  #done: ((body: WireBody) => void) | undefined;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maximumBytes: number, done: (body: WireBody) => void) {
    this.#maximumBytes = maximumBytes;
    this.#done = done;
  }

  add(chunk: Buffer): void {
    if (this.#done === undefined) return;
    this.#length += chunk.length;
    if (this.#length > this.#maximumBytes) this.#finish('too-large');
    else this.#chunks.push(chunk);
  }

  end(): void {
    const [first] = this.#chunks;
    const isOne = this.#chunks.length === 1 && first !== undefined;
    this.#finish(isOne ? first : Buffer.concat(this.#chunks));
  }

  #finish(body: WireBody): void {
    const done = this.#done;
    this.#done = undefined;
    this.#chunks = [];
    done?.(body);
  }
}

/** The event of a connection's socket when all of a request has arrived. */
export const REQUEST_COMPLETE = 'requestComplete';

/**
 * A request whose body needs no stream. Node's parser gives the parts of a body to `push`, and null
 * at its end, from where a stream would pass them on by events in later turns.
 */
export class CollectedMessage extends IncomingMessage {
  #parts: BodyParts | undefined;

  /** @param parts get the body, of which nothing has arrived */
  collect(parts: BodyParts): void {
    this.#parts = parts;
  }

  override push(chunk: Buffer | null): boolean {
    const parts = this.#parts;
    if (chunk !== null) parts?.add(chunk);
    else {
      this.#parts = undefined;
      parts?.end();
      this.socket.emit(REQUEST_COMPLETE);
    }
    return true;
  }

  /** Node calls it to drop what nobody has read. */
  _dump(): void {}
}

/** Fields that may occur only once (RFC 9110 §5.3); Node keeps the first and drops the others. */
const SINGLETONS = ['host', 'authorization', 'content-type', 'content-length'];

/** Finds what Node lets pass and RFC 9110 does not. */
export function findFramingProblem(incoming: IncomingMessage): Problem | undefined {
  const { rawHeaders, headers, httpVersion } = incoming;
  const { host } = headers;
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const singleton = findSingleton(name);
    if (singleton < 0) continue;
    if ((seen & (1 << singleton)) !== 0) {
      return singleton === 0
        ? new Problem('MALFORMED_HOST', 'the Host field occurs twice')
        : new Problem('REPEATED_FIELD', `the field ${SINGLETONS[singleton]} occurs twice`);
    }
    seen |= 1 << singleton;
  }
  // RFC 9112 §3.2.
  if (host === undefined && httpVersion === '1.1') {
    return new Problem('MALFORMED_HOST', 'the Host field is missing');
  }
  if (host === undefined || isHost(host)) return undefined;
  return new Problem('MALFORMED_HOST', 'the Host field is not a host and a port (RFC 9110 §7.2)');
}

/** Returns the index of a field that may occur once; -1 for any other. */
function findSingleton(name: string): number {
  for (let index = 0; index < SINGLETONS.length; index++) {
    const lowerName = SINGLETONS[index];
    // Most names differ in length already: then nothing is lowered.
    if (lowerName?.length === name.length && lowerName === name.toLowerCase()) return index;
  }
  return -1;
}
