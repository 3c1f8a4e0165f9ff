import { createRequire } from 'node:module';
import { splitOutsideQuotes } from './message.ts';

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const MEDIA_TYPE = new RegExp(`^(?!\\*/)${TOKEN}/(?!\\*$)${TOKEN}$`);

/**
 * The media type of a Content-Type field without its parameters, in lower case.
 *
 * @returns undefined when the field does not begin with a media type (RFC 9110 §8.3.1)
 */
export function readMediaType(field: string): string | undefined {
  const end = field.indexOf(';');
  const type = (end < 0 ? field : field.slice(0, end)).trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : undefined;
}

/** The second is not a registered type, but is in use. */
const JSON_TYPES = new Set(['application/json', 'text/json']);

/** True for `application/json` and every `+json` (RFC 6839 §3.1); parameters are passed over. */
export function isJsonMediaType(mediaType: string): boolean {
  const type = readMediaType(mediaType);
  return type !== undefined && (JSON_TYPES.has(type) || type.endsWith('+json'));
}

/**
 * How closely a declared media type or range (OAS 3.1 §4.8.14) covers one that came: the more
 * specific of two that cover it is the one that applies.
 *
 * @param declared a key of a `content` object
 * @param actual a media type without parameters, in lower case
 * @returns 3 for the type itself, 2 for a range of its subtypes, 1 for any type, 0 for none
 */
export function coverage(declared: string, actual: string): number {
  const end = declared.indexOf(';');
  const range = (end < 0 ? declared : declared.slice(0, end)).trim().toLowerCase();
  if (range === actual) return 3;
  if (range === '*/*') return 1;
  if (range.endsWith('/*')) return actual.startsWith(range.slice(0, -1)) ? 2 : 0;
  // No range of HTTP's, but one that many documents have: `application/*+json`.
  const [before, suffix] = range.split('*');
  const isSuffixed = suffix?.startsWith('+') === true && before !== undefined;
  return isSuffixed && actual.startsWith(before) && actual.endsWith(suffix) ? 2 : 0;
}

/**
 * True for two media types without parameters of one syntax. A JSON Patch says how to change a
 * value, and is no form of it.
 */
export function areRelated(left: string, right: string): boolean {
  if (left === right) return true;
  const isPatch = left.endsWith('/json-patch+json') || right.endsWith('/json-patch+json');
  return !isPatch && syntaxOf(left) === syntaxOf(right);
}

/**
 * Returns `application/json` for `application/vnd.x.v3+json` (RFC 6838 §4.2.8) and for an unregistered
 * `application/x-acme-json-1.1`; `application/xml` for `text/xml`, its alias (RFC 7303 §9.2).
 */
function syntaxOf(mediaType: string): string {
  const syntax = mediaType.replace(/\/(?:.*\+|x-(?:[a-z\d]+-)*(?=(?:json|xml)\b))/, '/');
  return syntax.replace(/(?<=\/json)-[\d.]+$/, '').replace(/^text\/xml$/, 'application/xml');
}

/**
 * The declared media types that an Accept field admits, best first (RFC 9110 §12.5.1): by weight,
 * then by how closely they are named, then in the field's order.
 *
 * A parameter that no declaration of its media type has, such as a `charset` or a `version`, tells
 * nothing apart and is passed over; one that some have counts.
 *
 * @param accept the field; absent, empty or unreadable admits all
 * @param declared media types with their parameters, in the document's order
 */
export function rankMediaTypes(
  accept: string | undefined,
  declared: readonly string[],
): readonly string[] {
  if (accept === undefined || accept === '*/*') return declared;
  if (!/[^\s/;,]\/[^\s/;,]/.test(accept)) return declared;
  const telling = accept.includes(';') ? dropParameters(accept, declared) : accept;
  // Loaded here, as most clients admit all.
  const Negotiator = require('negotiator') as typeof import('negotiator');
  return new Negotiator({ headers: { accept: telling } }).mediaTypes([...declared]);
}

const require = createRequire(import.meta.url);

function dropParameters(accept: string, declared: readonly string[]): string {
  const ranges = splitOutsideQuotes(accept, ',').map((element) => {
    const [range = '', ...parameters] = splitOutsideQuotes(element, ';');
    const kept = parameterNames(declared, range.trim().toLowerCase());
    return [range, ...parameters.filter((one) => kept.has(nameOf(one)))].join(';');
  });
  return ranges.join(',');
}

/** The names of the parameters that declarations of a media type have, and that of the weight. */
function parameterNames(declared: readonly string[], type: string): ReadonlySet<string> {
  const names = new Set(['q']);
  for (const mediaType of declared) {
    if (!mediaType.includes(';') || readMediaType(mediaType) !== type) continue;
    for (const parameter of splitOutsideQuotes(mediaType, ';').slice(1)) {
      names.add(nameOf(parameter));
    }
  }
  return names;
}

function nameOf(parameter: string): string {
  return (parameter.split('=', 1)[0] ?? '').trim().toLowerCase();
}
