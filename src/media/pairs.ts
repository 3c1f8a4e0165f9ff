import { decodePercent } from '../http/percent.ts';

/** A pair of a query or a form. Its value is still encoded: delimiters in it are told apart. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * Splits a query or a form into its pairs (WHATWG URL §5.1).
 *
 * A name that cannot be decoded is left as it was sent.
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

/** @returns the cookies of a Cookie field (RFC 6265 §5.4), still encoded; no `=`, no cookie */
export function splitCookies(field: string | undefined): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const part of field?.split(';') ?? []) {
    const end = part.indexOf('=');
    if (end < 0) continue;
    pairs.push({ name: part.slice(0, end).trim(), value: part.slice(end + 1).trim() });
  }
  return pairs;
}

/** Undoes the encoding of a text; undefined where it is malformed. */
export type DecodeText = (text: string) => string | undefined;

/** `+` is a space, as forms have it. */
export const decodeForm: DecodeText = (text) =>
  decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** `+` is a plus: what `allowReserved` leaves as it is (RFC 6570 §3.2.3). */
export const decodeReserved: DecodeText = decodePercent;

/** Nothing is encoded in a header field; space about an item is no part of it (RFC 9110 §5.6.1). */
export const decodeField: DecodeText = (text) => text.trim();

/** Nothing is encoded: style `cookie` (OAS 3.2 §4.12.3). */
export const decodeNothing: DecodeText = (text) => text;
