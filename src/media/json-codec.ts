import { JsonError, type JsonFault, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { Problem, type ProblemName } from '../base/problem.ts';
import { readUtf8 } from './charset.ts';
import type { Codec } from './codec.ts';
import { refuseCrowded } from './crowding.ts';

/**
 * `application/json` and every `+json` (RFC 8259, RFC 6839 §3.1). It is always UTF-8: the parameter
 * `charset` has no meaning (RFC 8259 §11).
 */
export const jsonCodec: Codec = {
  isValidated: true,
  decode: readJsonBytes,
  encode: stringifyJson,
};

const problemOfFault: Readonly<Record<JsonFault, ProblemName>> = {
  syntax: 'MALFORMED_JSON',
  'duplicate-key': 'DUPLICATE_KEY',
  'too-deep': 'BODY_TOO_DEEP',
  'number-too-long': 'NUMBER_TOO_LONG',
};

/**
 * Parses a body that is JSON.
 *
 * @throws {Problem} the one of the cause
 */
export function readJsonBytes(bytes: Uint8Array): JsonValue {
  refuseCrowded(bytes, 'json');
  return readJson(readUtf8(bytes));
}

/** Returns undefined for a text that is not JSON, or has too many values for the heap. */
export function tryReadJson(text: string): JsonValue | undefined {
  try {
    refuseCrowded(text, 'json');
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError || error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Parses JSON.
 *
 * @param at pointer in the body
 * @throws {Problem} the one of the cause
 */
export function readJson(text: string, at = ''): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Problem(problemOfFault[error.fault], `body${at} cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}
