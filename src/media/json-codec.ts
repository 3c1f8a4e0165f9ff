import { JsonError, type JsonFault, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { Problem, type ProblemName } from '../base/problem.ts';
import { readUtf8 } from './charset.ts';
import type { Codec } from './codec.ts';

/**
 * `application/json` and every `+json` (RFC 8259, RFC 6839 §3.1). It is always UTF-8: the parameter
 * `charset` has no meaning (RFC 8259 §11).
 */
export const jsonCodec: Codec = {
  isValidated: true,
  decode: (bytes) => readJson(readUtf8(bytes)),
  encode: stringifyJson,
};

const problemOfFault: Readonly<Record<JsonFault, ProblemName>> = {
  syntax: 'MALFORMED_JSON',
  'duplicate-key': 'DUPLICATE_KEY',
  'too-deep': 'BODY_TOO_DEEP',
  'number-too-long': 'NUMBER_TOO_LONG',
};

/**
 * Parses JSON.
 *
 * @throws {Problem} the one of the cause
 */
export function readJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Problem(problemOfFault[error.fault], `body cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}
