import { STATUS_CODES } from 'node:http';
import type { Random } from '../base/random.ts';
import { allowsContent } from '../http/message.ts';
import type { Ending, Framing, Transmission, WireResponse } from './transmission.ts';

const CLOSED: Ending = { kind: 'closed' };
const RESET: Ending = { kind: 'reset' };
const OPEN: Ending = { kind: 'open' };

/**
 * Plans what is sent for a response: the bytes of a fault, or the response itself if it is only
 * slow. A fault breaks the body; a response without one ends in the middle of its first line.
 *
 * @param random for meaningless bytes
 */
export function planTransmission(answer: WireResponse, random: Random): Transmission {
  const bytes = toBytes(answer);
  const half = bytes.subarray(0, bytes.length / 2);
  const canHalve = hasContent(answer) && bytes.length > 0;
  const sendHalf = (framing: Framing, ending: Ending): Transmission =>
    canHalve ? send(answer, framing, half, ending) : cutHead(answer, ending);
  const spoil = (framing: Framing, part: Uint8Array, ending: Ending): Transmission =>
    hasContent(answer) ? send(answer, framing, part, ending) : cutHead(answer, ending);
  switch (answer.fault) {
    case undefined:
      return complete(answer, bytes, isInPieces(answer));
    case 'CONNECTION_RESET_BY_PEER':
      return sendBytes(NOTHING, RESET);
    case 'EMPTY_RESPONSE':
      return sendBytes(NOTHING, CLOSED);
    case 'RANDOM_DATA_THEN_CLOSE':
      return sendBytes(NOTHING, noise(random));
    case 'HANG':
      return sendBytes(NOTHING, OPEN);
    case 'SLOW_CLOSE':
      return send(
        answer,
        { kind: hasContent(answer) ? 'close' : 'none' },
        bodyOf(answer, bytes),
        OPEN,
      );
    case 'WRONG_MEDIA_TYPE':
      return allowsContent(answer.status) ? sendPage(answer) : cutHead(answer, CLOSED);
    case 'MALFORMED_RESPONSE_CHUNK':
      return spoil({ kind: 'chunks' }, NOTHING, noise(random));
    case 'WRONG_CONTENT_LENGTH':
      return spoil({ kind: 'length', bytes: bytes.length + MISSING_BYTES }, bytes, CLOSED);
    case 'TRUNCATED_BODY':
      return sendHalf({ kind: 'close' }, CLOSED);
    case 'CLOSE_MID_BODY':
      return sendHalf({ kind: 'length', bytes: bytes.length }, RESET);
    case 'INVALID_JSON':
      return canHalve ? complete(answer, breakJson(bytes), false) : cutHead(answer, CLOSED);
  }
}

/** Returns how a body ends that is not spoiled as a whole. */
function streamEnding({ pace }: WireResponse): Ending {
  const kind = (pace?.kind === 'items' ? pace.ending : undefined) ?? 'complete';
  return kind === 'noise' ? CLOSED : { kind };
}

/** Returns true for a body whose length the client does not learn before its end. */
function isInPieces({ pace }: WireResponse): boolean {
  return pace?.kind === 'dribble' || pace?.kind === 'items';
}

const NOTHING = new Uint8Array();

function sendBytes(bytes: Uint8Array, ending: Ending): Transmission {
  return { head: undefined, bytes, ending };
}

/** The bytes that a wrong length announces and that are not sent. */
const MISSING_BYTES = 16;

function send(
  { status, fields }: WireResponse,
  framing: Framing,
  bytes: Uint8Array,
  ending: Ending,
): Transmission {
  return { head: { status, fields, framing }, bytes, ending };
}

function complete(answer: WireResponse, bytes: Uint8Array, isChunked: boolean): Transmission {
  const framing: Framing = isChunked ? { kind: 'chunks' } : { kind: 'length', bytes: bytes.length };
  return send(answer, framing, bodyOf(answer, bytes), streamEnding(answer));
}

/** Sends a page as proxies do where a client waits for something else. */
function sendPage(answer: WireResponse): Transmission {
  const title = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trimEnd();
  const page = `<!DOCTYPE html>
<html><head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>proxy</center></body></html>
`;
  const fields = { ...answer.fields, 'content-type': 'text/html' };
  return complete({ ...answer, fields }, Buffer.from(page), false);
}

/** Half of the status line: some clients do not notice when a later part is missing. */
function cutHead({ status }: WireResponse, ending: Ending): Transmission {
  const line = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`);
  return sendBytes(line.subarray(0, line.length / 2), ending);
}

function noise(random: Random): Ending {
  return { kind: 'noise', bytes: drawNoise(random) };
}

function toBytes({ body }: WireResponse): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : (body ?? NOTHING);
}

/** The response to a HEAD has the length of a body, but no body. */
function bodyOf(answer: WireResponse, bytes: Uint8Array): Uint8Array {
  return hasContent(answer) ? bytes : NOTHING;
}

function hasContent(answer: WireResponse): boolean {
  return !answer.isHead && allowsContent(answer.status);
}

/** Returns the first half of a JSON text, made invalid if that half is valid JSON. */
function breakJson(bytes: Uint8Array): Uint8Array {
  const half = bytes.subarray(0, bytes.length / 2);
  // A half of a number is a number.
  return isJson(half) ? Buffer.concat([Buffer.from('{'), half]) : half;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const NOISE_BYTES = 64;

/** Bytes that are neither the beginning of an answer nor of a chunk (RFC 9112 §2.1, §7.1). */
function drawNoise(random: Random): Uint8Array {
  const bytes = Uint8Array.from({ length: NOISE_BYTES }, () => Math.floor(random.next() * 256));
  // Whatever the others are, HTTP begins with ASCII.
  return bytes.fill(0x80 | (bytes[0] ?? 0), 0, 1);
}
