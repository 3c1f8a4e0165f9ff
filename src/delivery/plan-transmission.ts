import { STATUS_CODES } from 'node:http';
import type { Random } from '../base/random.ts';
import { breakJson } from './broken-json.ts';
import { errorPage } from './error-page.ts';
import type { SpoilingFault } from './fault.ts';
import { drawNoise } from './noise.ts';
import type { SpecialAnswer } from './special-answer.ts';
import type { Ending, Framing, Transmission } from './transmission.ts';

/**
 * Works out what is sent for an answer: what a fault makes of it, or the answer itself where it
 * only takes its time.
 *
 * @param random for bytes that mean nothing
 */
export function planTransmission(answer: SpecialAnswer, random: Random): Transmission {
  switch (answer.fault) {
    case undefined:
      return complete(answer, toBytes(answer), answer.pace?.kind === 'dribble');
    case 'CONNECTION_RESET_BY_PEER':
      return { head: undefined, bytes: NOTHING, ending: { kind: 'reset' } };
    case 'EMPTY_RESPONSE':
      return { head: undefined, bytes: NOTHING, ending: { kind: 'closed' } };
    case 'RANDOM_DATA_THEN_CLOSE':
      return { head: undefined, bytes: NOTHING, ending: noise(random) };
    case 'HANG':
      return { head: undefined, bytes: NOTHING, ending: { kind: 'open' } };
    default:
      return spoil(answer, answer.fault, random);
  }
}

const NOTHING = new Uint8Array();

/** What is spoiled is the body; an answer without one ends in the middle of its first line. */
function spoil(answer: SpecialAnswer, fault: SpoilingFault, random: Random): Transmission {
  const bytes = toBytes(answer);
  if (fault === 'SLOW_CLOSE') {
    const framing: Framing = { kind: hasContent(answer) ? 'close' : 'none' };
    return send(answer, framing, bodyOf(answer, bytes), { kind: 'open' });
  }
  if (fault === 'WRONG_MEDIA_TYPE') {
    return canHaveContent(answer) ? sendPage(answer) : cutHead(answer, { kind: 'closed' });
  }
  const isHalved = fault !== 'MALFORMED_RESPONSE_CHUNK' && fault !== 'WRONG_CONTENT_LENGTH';
  if (!hasContent(answer) || (isHalved && bytes.length === 0)) {
    return cutHead(answer, endingOf(fault, random));
  }
  return spoilBody(answer, fault, bytes, random);
}

type BodyFault = Exclude<SpoilingFault, 'SLOW_CLOSE' | 'WRONG_MEDIA_TYPE'>;

function spoilBody(
  answer: SpecialAnswer,
  fault: BodyFault,
  bytes: Uint8Array,
  random: Random,
): Transmission {
  const half = bytes.subarray(0, bytes.length / 2);
  const ending = endingOf(fault, random);
  switch (fault) {
    case 'MALFORMED_RESPONSE_CHUNK':
      return send(answer, { kind: 'chunks' }, NOTHING, ending);
    case 'WRONG_CONTENT_LENGTH':
      return send(answer, { kind: 'length', bytes: bytes.length + MISSING_BYTES }, bytes, ending);
    case 'TRUNCATED_BODY':
      return send(answer, { kind: 'close' }, half, ending);
    case 'CLOSE_MID_BODY':
      return send(answer, { kind: 'length', bytes: bytes.length }, half, ending);
    case 'INVALID_JSON':
      return complete(answer, breakJson(bytes), false);
  }
}

function endingOf(fault: BodyFault, random: Random): Ending {
  switch (fault) {
    case 'MALFORMED_RESPONSE_CHUNK':
      return noise(random);
    case 'CLOSE_MID_BODY':
      return { kind: 'reset' };
    default:
      return { kind: 'closed' };
  }
}

/** How many bytes a wrong length announces and nobody sends. */
const MISSING_BYTES = 16;

function send(
  { status, fields }: SpecialAnswer,
  framing: Framing,
  bytes: Uint8Array,
  ending: Ending,
): Transmission {
  return { head: { status, fields, framing }, bytes, ending };
}

function complete(answer: SpecialAnswer, bytes: Uint8Array, isChunked: boolean): Transmission {
  const framing: Framing = isChunked ? { kind: 'chunks' } : { kind: 'length', bytes: bytes.length };
  return send(answer, framing, bodyOf(answer, bytes), { kind: 'complete' });
}

function sendPage(answer: SpecialAnswer): Transmission {
  const { text, mediaType } = errorPage(answer.status);
  const fields = { ...answer.fields, 'content-type': mediaType };
  return complete({ ...answer, fields }, Buffer.from(text), false);
}

/** Half of the status line: of what comes after it, some clients miss nothing. */
function cutHead({ status }: SpecialAnswer, ending: Ending): Transmission {
  const line = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`);
  return { head: undefined, bytes: line.subarray(0, line.length / 2), ending };
}

function noise(random: Random): Ending {
  return { kind: 'noise', bytes: drawNoise(random) };
}

function toBytes({ body }: SpecialAnswer): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : (body ?? NOTHING);
}

/** The answer to a HEAD says how long its body would be, and has none. */
function bodyOf(answer: SpecialAnswer, bytes: Uint8Array): Uint8Array {
  return hasContent(answer) ? bytes : NOTHING;
}

function hasContent(answer: SpecialAnswer): boolean {
  return !answer.isHead && canHaveContent(answer);
}

/** RFC 9110 §6.4.1. */
function canHaveContent({ status }: SpecialAnswer): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}
