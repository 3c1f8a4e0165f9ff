/** Decodes a text; undefined for a malformed one. */
export type DecodeText = (text: string) => string | undefined;

/**
 * Decodes percent-encoding (RFC 3986 §2.1) of UTF-8; undefined where an escape is malformed. A `+`
 * is a plus, as where `allowReserved` does not encode it (RFC 6570 §3.2.3).
 */
export const decodePercent: DecodeText = (text) => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

/**
 * Percent-encodes a text as one part of a URI. Half a surrogate pair, which UTF-8 cannot encode, is
 * replaced.
 */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Decodes a text of a form or a query, where `+` is a space. */
export const decodeForm: DecodeText = (text) =>
  decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** Removes the space around an item of a header field, where nothing is encoded (RFC 9110 §5.6.1). */
export const decodeField: DecodeText = (text) => text.trim();

/** Returns the text of style `cookie`, where nothing is encoded (OAS 3.2 §4.12.3). */
export const decodeNothing: DecodeText = (text) => text;

/** A pair of a query or a form. Its value is still encoded, as encoded delimiters are data. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * Splits a query or a form into its pairs (WHATWG URL §5.1). A name that cannot be decoded stays as
 * it is.
 */
export function splitPairs(text: string): readonly Pair[] {
  if (text === '') return NO_PAIRS;
  const pairs: Pair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const end = part.indexOf('=');
    const name = end < 0 ? part : part.slice(0, end);
    pairs.push({ name: decodeForm(name) ?? name, value: end < 0 ? '' : part.slice(end + 1) });
  }
  return pairs;
}

const NO_PAIRS: readonly Pair[] = [];

/** A query's pairs in order; what cannot be decoded stays as it was sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * Reads a query as form-encoded pairs.
 *
 * @param query without the `?`
 */
export function readQuery(query: string): QueryPairs {
  return splitPairs(query).map(({ name, value }) => [name, decodeForm(value) ?? value]);
}

/** Splits a Cookie field into its cookies (RFC 6265 §5.4), still encoded. A part needs a `=`. */
export function splitCookies(field: string | undefined): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const part of field?.split(';') ?? []) {
    const end = part.indexOf('=');
    if (end < 0) continue;
    pairs.push({ name: part.slice(0, end).trim(), value: part.slice(end + 1).trim() });
  }
  return pairs;
}

/** Returns the cookies of a Cookie field, decoded; of several with one name, the first. */
export function readCookies(field: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const { name, value } of splitCookies(field)) {
    if (name !== '' && !cookies.has(name)) cookies.set(name, decodePercent(value) ?? value);
  }
  return cookies;
}
