import { domainToASCII, domainToUnicode } from 'node:url';
import type { AddedFormat } from 'ajv/dist/types/index.js';
import { compareNumbers, isInteger } from '../base/json/number.ts';
import type { JsonNumber, JsonValue } from '../base/json/value.ts';

/** A format of the OpenAPI format registry that narrows numbers. */
export interface NumberFormat {
  /** With its article, for a sentence with "must be …". */
  readonly described: string;
  readonly lowest: JsonNumber;
  readonly highest: JsonNumber;
  readonly isIntegral: boolean;
  accepts(value: JsonNumber): boolean;
}

const LARGEST_FLOAT = 3.4028234663852886e38;

/** https://spec.openapis.org/registry/format: the formats whose JSON type is number. */
export const numberFormats: ReadonlyMap<string, NumberFormat> = new Map([
  ['int8', integers('an int8', -(2n ** 7n), 2n ** 7n - 1n)],
  ['uint8', integers('a uint8', 0n, 2n ** 8n - 1n)],
  ['int16', integers('an int16', -(2n ** 15n), 2n ** 15n - 1n)],
  ['uint16', integers('a uint16', 0n, 2n ** 16n - 1n)],
  ['int32', integers('an int32', -(2n ** 31n), 2n ** 31n - 1n)],
  ['uint32', integers('a uint32', 0n, 2n ** 32n - 1n)],
  ['int64', integers('an int64', -(2n ** 63n), 2n ** 63n - 1n)],
  ['uint64', integers('a uint64', 0n, 2n ** 64n - 1n)],
  ['float', numbers('a float', LARGEST_FLOAT)],
  ['double', numbers('a double', Number.MAX_VALUE)],
]);

/** Returns true for a number of a format, and for one of any other format. */
export function acceptsNumber(format: JsonValue | undefined, value: JsonNumber): boolean {
  return numberFormats.get(String(format))?.accepts(value) ?? true;
}

function integers(described: string, lowest: bigint, highest: bigint): NumberFormat {
  const isInRange = (value: JsonNumber): boolean =>
    compareNumbers(value, lowest) >= 0 && compareNumbers(value, highest) <= 0;
  const accepts = (value: JsonNumber): boolean => isInteger(value) && isInRange(value);
  return { described, lowest, highest, isIntegral: true, accepts };
}

function numbers(described: string, highest: number): NumberFormat {
  // A value is rounded to a double first: programs round the largest double up.
  const accepts = (value: JsonNumber): boolean => Math.abs(Number(String(value))) <= highest;
  return { described, lowest: -highest, highest, isIntegral: false, accepts };
}

/**
 * The formats of JSON Schema Validation §7.3 that allow letters of every language, each with its
 * check.
 */
export const internationalFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['idn-email', isEmail],
  ['idn-hostname', isHostname],
  ['iri', isIri],
  ['iri-reference', isIriReference],
]);

/** RFC 6531: a local part in any script, and a host. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && /^[^\s@"(),:;<>[\\\]]+$/u.test(local) && isHostname(text.slice(at + 1));
}

const LONGEST_NAME = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** RFC 5890 §2.3.2.3: labels that have an ASCII form. */
function isHostname(text: string): boolean {
  if (text === '' || /[\s%/?#@:[\]\\]|(?:^|\.)-|-(?:\.|$)/u.test(text)) return false;
  const ascii = domainToASCII(text);
  // Node 24 keeps a label that is not Punycode as it is, where Node 20 refuses it.
  if (ascii === '' || /(?:^|\.)xn--/.test(domainToUnicode(ascii))) return false;
  return ascii.length <= LONGEST_NAME && ascii.split('.').every((label) => LABEL.test(label));
}

/** Characters that neither a URI (RFC 3986 §2) nor an IRI (RFC 3987 §2.2) may have unencoded. */
const FORBIDDEN = /[\s"<>\\^`{|}\u0000-\u001f\u007f-\u009f]|%(?![0-9a-f]{2})/iu;

/** RFC 3987 §2.2: a scheme, and what a reference may have after it. */
function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isIriReference(text);
}

function isIriReference(text: string): boolean {
  const { authority = '', fragment = '' } =
    /^(?:[^:/?#]+:)?(?:\/\/(?<authority>[^/?#]*))?[^?#]*(?:\?[^#]*)?(?:#(?<fragment>.*))?$/su.exec(
      text,
    )?.groups ?? {};
  const isBracketed = /^(?:[^@]*@)?\[[0-9a-f:.]+\](?::\d*)?$/iu.test(authority);
  return (
    !FORBIDDEN.test(text) &&
    !fragment.includes('#') &&
    (isBracketed || !/[[\]]/u.test(text)) &&
    (isBracketed || /^(?:[^@]*@)?[^:]*(?::\d*)?$/u.test(authority))
  );
}

/** Returns true if a text keeps a format of Ajv; one that it does not know allows every text. */
export function keepsFormat(format: AddedFormat | undefined, text: string): boolean {
  if (format === undefined || format === true) return true;
  const isPlain = typeof format === 'function' || format instanceof RegExp;
  if (!isPlain && format.type === 'number') return true;
  const validate = isPlain ? format : format.validate;
  if (validate instanceof RegExp) return validate.test(text);
  return typeof validate !== 'function' || Boolean((validate as (one: string) => unknown)(text));
}
