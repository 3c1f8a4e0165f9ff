import type { Exchange } from '../exchange.ts';

/** The exchange's own object, the heads of its texts, and its place in the journal. */
const CONSTANT_BYTES = 500;
/** A field's place in its record, and the heads of its strings. */
const FIELD_BYTES = 40;

/** What of a kept exchange differs in size. */
export interface ExchangeParts {
  /** Characters of the request's method, target and fields. */
  readonly texts: number;
  readonly body: string | Uint8Array | undefined;
  readonly responseFields: Exchange['responseFields'];
  readonly responseBody: Exchange['responseBody'];
  /** Of the refusal; empty where there is none. */
  readonly message: string;
}

/**
 * Estimates the memory that an exchange keeps, so that it errs on the side of too much.
 *
 * @returns bytes
 */
export function estimateBytes({
  texts,
  body,
  responseFields,
  responseBody,
  message,
}: ExchangeParts): number {
  let bytes = CONSTANT_BYTES + texts + (body?.length ?? 0) + 2 * message.length;
  for (const name in responseFields) {
    bytes += FIELD_BYTES + name.length + (responseFields[name]?.length ?? 0);
  }
  return bytes + measureBody(responseBody);
}

/** A text beyond Latin-1 takes two bytes a unit; which it is, only a look at all of it tells. */
function measureBody(body: Exchange['responseBody']): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}
