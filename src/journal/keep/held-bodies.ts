import type { WireBody } from '../../http/message.ts';
import type { Exchange } from '../exchange.ts';

type ResponseBody = Exchange['responseBody'];

/** Bodies that are too long for a page to copy. */
export interface HeldBodies {
  readonly request: WireBody | undefined;
  readonly response: ResponseBody;
}

/** A slice keeps the whole buffer of a socket in memory: more waste than this is worth a copy. */
const WASTE_BYTES = 1024;

/** Returns bytes that keep nothing larger in memory. */
function holdBytes(body: Uint8Array): Uint8Array {
  const isWasteful = body.buffer.byteLength > 2 * body.length + WASTE_BYTES;
  return isWasteful ? new Uint8Array(body) : body;
}

/** Returns a body that keeps nothing larger in memory. */
export function holdRequest(body: WireBody): WireBody {
  return body === 'too-large' ? body : holdBytes(body);
}

/** Returns a body that keeps nothing larger in memory. */
export function holdResponse(body: ResponseBody): ResponseBody {
  if (body === null) return null;
  return typeof body === 'string' ? flatten(body) : holdBytes(body);
}

/** Returns the same text as one object: V8 keeps a concatenated one as a tree of its parts. */
function flatten(text: string): string {
  // The result depends on the character, or the compiler would remove the read.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
