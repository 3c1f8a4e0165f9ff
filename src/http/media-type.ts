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
