import { tryParseJson } from '../base/json/parse.ts';
import { toPointer } from '../base/json/pointer.ts';
import { toText } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { groupBy } from '../base/remember.ts';
import {
  type DecodeText,
  decodeForm,
  decodePercent,
  type Pair,
  splitPairs,
} from '../http/query.ts';
import { readText } from './charset.ts';
import type { Codec, Description, PropertyEncoding } from './codec.ts';
import { refuseCrowded } from './crowding.ts';
import { readFromPairs, readInAnyStyle, readListOr } from './query-reading.ts';
import { ANY_SHAPE, type Shape, saysNull } from './shape.ts';
import {
  joinPairs,
  quote,
  type Reading,
  readList,
  readOne,
  type Serialization,
  StyleFault,
  writePairs,
} from './style.ts';

/** `application/x-www-form-urlencoded` with Encoding Objects (OAS 3.1 §4.8.15.1). */
export function createFormCodec(description: Description): Codec {
  return {
    isValidated: true,
    takesNothing: true,
    decode: (bytes, contentType, deviations) => {
      refuseCrowded(bytes, 'form');
      return readForm(readText(bytes, contentType), description, deviations);
    },
    encode: (value) => writeForm(value, description.encodings),
  };
}

function readForm(
  text: string,
  { shape, encodings }: Description,
  deviations: string[] | undefined,
): JsonObject {
  const pairs = splitPairs(text);
  const described = shape.properties;
  // Each pair is read once: a body may have half a million.
  const groups = groupBy(pairs, ({ name }) => baseOf(name, described));
  /** Names of members of exploded objects. */
  const spread = new Set<string>();
  const object: JsonObject = {};
  const add = (name: string, own: readonly Pair[], property: Shape): void => {
    const deviate = (came: string) => deviations?.push(describeName(name, came));
    const form = formOf(name, property, encodings.get(name));
    const reading = readProperty(own, form, described, deviate);
    if (reading !== undefined) setMember(object, name, soundOrThrow(name, reading));
  };
  for (const [name, property] of described) {
    const takesAll = isSpread(encodings.get(name), property);
    if (takesAll) for (const member of property.properties.keys()) spread.add(member);
    add(name, takesAll ? pairs : (groups.get(name) ?? []), property);
  }
  for (const [base, group] of groups) {
    if (described.has(base) || spread.has(base)) continue;
    for (const [name, own] of groupBy(group, (pair) => pair.name)) {
      add(name, own, shape.member(name));
    }
  }
  return object;
}

/** True for an exploded object, whose members are pairs of the form themselves. */
function isSpread(encoding: PropertyEncoding | undefined, { types }: Shape): boolean {
  if (encoding === undefined || !types.has('object')) return false;
  const { style, explode } = encoding;
  const isDeclared = style !== undefined || explode !== undefined;
  return isDeclared && style !== 'deepObject' && (explode ?? true);
}

/** Returns `filter` for `filter[size]`, for `filter.size` if it is described, and for `filter`. */
export function baseOf(name: string, described: Shape['properties']): string {
  if (described.has(name)) return name;
  const [base = name] = /^[^[]+/.exec(name) ?? [];
  const [first = base] = base.split('.');
  const { types } = described.get(first) ?? ANY_SHAPE;
  return types.has('object') || types.has('array') ? first : base;
}

/** Returns a sentence about a member that came under another name than the document says. */
export function describeName(name: string, came: string): string {
  return `body${toPointer([name])} came as ${quote(came)}, which the document does not say`;
}

interface PropertyForm extends Serialization {
  /** True if the document says its style. */
  readonly isDeclared: boolean;
}

function formOf(name: string, shape: Shape, encoding: PropertyEncoding | undefined): PropertyForm {
  const style = encoding?.style ?? 'form';
  const explode = encoding?.explode ?? style === 'form';
  const isDeclared = encoding?.style !== undefined || encoding?.explode !== undefined;
  return { name, style, explode, shape, decode: decodingOf(encoding), isDeclared };
}

function readProperty(
  pairs: readonly Pair[],
  form: PropertyForm,
  described: Shape['properties'],
  deviate: (name: string) => void,
): Reading | undefined {
  if (form.isDeclared) return readInAnyStyle(pairs, form, new Set(described.keys()), deviate);
  const { types } = form.shape;
  if (!types.has('object') && !types.has('array')) return readFromPairs(pairs, form);
  return readUndeclared(pairs, form, deviate);
}

function decodingOf(encoding: PropertyEncoding | undefined): DecodeText {
  if (encoding?.allowReserved === undefined) return decodeForm;
  if (encoding.allowReserved) return decodePercent;
  return (text) => (RESERVED.test(text) ? undefined : decodeForm(text));
}

/** Reserved characters (RFC 3986 §2.2) that every client encodes in a form. */
const RESERVED = /[:/?#[\]@$;=]/;

/**
 * Reads an object or an array without a declared style: JSON, repeated pairs, or names with
 * brackets. Each of these is what some version of OpenAPI says and some clients send.
 */
function readUndeclared(
  pairs: readonly Pair[],
  form: Serialization,
  deviate: (name: string) => void,
): Reading | undefined {
  const own = pairs.filter(({ name }) => name === form.name);
  const [only] = own;
  if (only === undefined) {
    return readInAnyStyle(pairs, { ...form, style: 'deepObject' }, undefined, deviate);
  }
  const { types } = form.shape;
  if (own.length === 1) {
    if (types.has('array') && saysNull(only.value, form.shape)) return null;
    const whole = readWritten(only.value, form);
    if (!types.has('array') || Array.isArray(whole)) return whole;
  } else if (!types.has('array')) return readFromPairs(own, form);
  const list = readList(own, form, ({ value }, item) => readWritten(value, item));
  return readListOr(list, own, form, deviate);
}

/** Reads a text as JSON if the shape allows an array or an object, otherwise as it is. */
function readWritten(text: string, form: Serialization): Reading {
  const { types } = form.shape;
  const decoded = types.has('array') || types.has('object') ? form.decode(text) : undefined;
  const isMarked = decoded !== undefined && /^\s*[[{]/.test(decoded);
  const value = isMarked ? tryParseJson(decoded) : undefined;
  if (value === undefined || !types.has(Array.isArray(value) ? 'array' : 'object')) {
    return readOne(text, form);
  }
  return value;
}

function soundOrThrow(name: string, reading: Reading): JsonValue {
  if (!(reading instanceof StyleFault)) return reading;
  throw new Problem('MALFORMED_BODY', `body/${name} must ${reading.expected}, got ${reading.got}`);
}

function writeForm(value: JsonValue, encodings: Description['encodings']): string {
  if (!isJsonObject(value)) return toText(value);
  return joinPairs(
    Object.entries(value).flatMap(([name, member]) => {
      const encoding = encodings.get(name);
      const style = encoding?.style ?? (isJsonObject(member) ? 'deepObject' : 'form');
      return writePairs(member, { name, style, explode: encoding?.explode ?? style === 'form' });
    }),
  );
}
