import * as formats from '@hyperjump/json-schema-formats';

type Test = (text: string) => boolean;

const TEXTS: Readonly<Record<string, Test>> = {
  date: formats.isDate,
  time: formats.isTime,
  'date-time': formats.isDateTime,
  duration: formats.isDuration,
  email: formats.isEmail,
  'idn-email': formats.isIdnEmail,
  hostname: formats.isAsciiIdn,
  'idn-hostname': formats.isIdn,
  ipv4: formats.isIPv4,
  ipv6: formats.isIPv6,
  uri: formats.isUri,
  'uri-reference': formats.isUriReference,
  iri: formats.isIri,
  'iri-reference': formats.isIriReference,
  uuid: formats.isUuid,
  'uri-template': formats.isUriTemplate,
  'json-pointer': formats.isJsonPointer,
  'relative-json-pointer': formats.isRelativeJsonPointer,
  regex: formats.isRegex,
  byte: (text) => /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text),
};

const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int8: [-(2n ** 7n), 2n ** 7n - 1n],
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Throws nothing: what a library cannot read is not of the format. */
function isText(name: string, text: string): boolean {
  try {
    return TEXTS[name]?.(text) ?? true;
  } catch {
    return false;
  }
}

/** Formats that the judge asserts; any other name is an annotation. */
export function isOfFormat(name: string, value: unknown): boolean {
  if (typeof value === 'string') return isText(name, value);
  const bounds = INTEGERS[name];
  if (typeof value !== 'number' || bounds === undefined) return true;
  if (!Number.isInteger(value)) return false;
  // The double nearest to the largest int64 is one more than it: digits are judged apart.
  const isNearest = name === 'int64' && value === 2 ** 63;
  return isNearest || (BigInt(value) >= bounds[0] && BigInt(value) <= bounds[1]);
}
