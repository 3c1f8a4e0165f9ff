import { toText } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Violation, ViolationLocation } from '../base/problem.ts';
import { shorten } from '../base/words.ts';
import type { DecodeText } from '../http/query.ts';
import { admitsScalar, chooseReading, readScalar, type Shape } from './shape.ts';

/**
 * A style of serialization (OAS 3.1 §4.8.12.2, OAS 3.2 §4.12.3). `tabDelimited` is the `tsv` of
 * OpenAPI 2.0, which later versions do not have.
 */
export type Style =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'cookie';

/** The serialization of a parameter, a header field or a property of a form. */
export interface Serialization {
  readonly name: string;
  readonly style: Style;
  readonly explode: boolean;
  readonly shape: Shape;
  readonly decode: DecodeText;
}

/** A text that does not follow its style. */
export class StyleFault {
  readonly expected: string;
  readonly got: string;

  /**
   * @param expected continues "must"
   * @param got what was sent
   */
  constructor(expected: string, got: string) {
    this.expected = expected;
    this.got = got;
  }

  /** Returns the violation of the value at a pointer. */
  at(location: ViolationLocation, pointer: string, keyword = 'style'): Violation {
    const message = `${location}${pointer} must ${this.expected}, got ${this.got}`;
    const expected = this.expected.replace(/^be /, '');
    return { in: location, pointer, keyword, expected, got: this.got, message };
  }
}

export type Reading = JsonValue | StyleFault;

/**
 * Reads a value from one text: in a path, a header field, or a pair that is not exploded. The text is
 * split before it is decoded, as an encoded delimiter is data (RFC 6570 §1.4).
 */
export function readText(text: string, form: Serialization): Reading {
  if (form.style === 'matrix') return readMatrix(text, form);
  if (form.style !== 'label') return readDelimited(text, separatorsOf(form), form);
  if (!text.startsWith('.')) return new StyleFault('begin with "." (style label)', quote(text));
  return readDelimited(text.slice(1), separatorsOf(form), form);
}

/** Reads a value from a text for each item, as in exploded styles. */
export function readItems(texts: readonly string[], form: Serialization): Reading {
  const [first = ''] = texts;
  const { types } = form.shape;
  const isList = types.has('array');
  if (texts.length > 1) {
    if (isList || types.size === 0) return readArray(texts, form);
    return new StyleFault('come once', `${texts.length} values`);
  }
  if (!isList) return readOne(first, form);
  const list = readArray(texts, form);
  return admitsScalar(form.shape) ? chooseSound([readOne(first, form), list], form.shape) : list;
}

/** Returns the reading that most schemas accept, or the first fault if there is no reading. */
export function chooseSound(readings: readonly [Reading, ...Reading[]], shape: Shape): Reading {
  const sound = readings.filter((one): one is JsonValue => !(one instanceof StyleFault));
  const [first, ...others] = sound;
  return first === undefined ? readings[0] : chooseReading([first, ...others], shape);
}

/** Reads a value that is neither an array nor an object. */
export function readOne(text: string, { decode, shape }: Serialization): Reading {
  const decoded = decode(text);
  if (decoded === undefined) return new StyleFault('be percent-encoded UTF-8', quote(text));
  return readScalar(decoded, shape);
}

type Separator = string | RegExp;

const COMMA: readonly Separator[] = [','];

/** The separators of values that are not exploded, in the order in which they are tried. */
const SEPARATORS: Partial<Record<Style, readonly Separator[]>> = {
  spaceDelimited: [/%20|\+| /],
  pipeDelimited: [/%7C|\|/i],
  tabDelimited: [/%09|\t/],
  // Versions before 3.0.4 have dots where RFC 6570 has commas.
  label: [',', '.'],
  // Many clients encode the delimiters, too; this is the last reading to try.
  form: [',', /,|%2C/i],
};

function separatorsOf({ style, explode }: Serialization): readonly Separator[] {
  return style === 'label' && explode ? ['.'] : (SEPARATORS[style] ?? COMMA);
}

function readDelimited(
  text: string,
  separators: readonly Separator[],
  form: Serialization,
): Reading {
  const { types } = form.shape;
  if (!types.has('array') && !types.has('object')) return readOne(text, form);
  const readings = separators.flatMap((separator) => readParted(text, text.split(separator), form));
  if (text === '' && types.has('array')) readings.push(readArray([''], form));
  const [first = text, ...others] = readings;
  return chooseSound([first, ...others], form.shape);
}

/** Returns the possible readings of a text, those with several parts first. */
function readParted(text: string, items: readonly string[], form: Serialization): Reading[] {
  const { types } = form.shape;
  const readings: Reading[] = [];
  if (types.has('array')) readings.push(text === '' ? [] : readArray(items, form));
  if (types.has('object')) readings.push(readObject(items, form));
  if (!admitsScalar(form.shape)) return readings;
  const scalar = readOne(text, form);
  return items.length === 1 ? [scalar, ...readings] : [...readings, scalar];
}

/** Style `matrix` (RFC 6570 §3.2.7): `;name=value`, and just `;name` for an empty one. */
function readMatrix(text: string, form: Serialization): Reading {
  const { name, explode, shape } = form;
  if (!text.startsWith(';')) return new StyleFault('begin with ";" (style matrix)', quote(text));
  const parts = text.slice(1).split(';');
  const readings: Reading[] = [];
  if (explode && shape.types.has('object')) readings.push(readObject(parts, form));
  const own = parts.map((part) => valueNamed(part, name));
  const [first] = own;
  if (first !== undefined && !own.includes(undefined)) {
    if (explode) readings.unshift(readItems(own as string[], form));
    else if (own.length === 1) readings.unshift(readDelimited(first, COMMA, form));
  }
  const [one, ...others] = readings;
  return one === undefined
    ? new StyleFault(`be written as ";${name}=…" (style matrix)`, quote(text))
    : chooseSound([one, ...others], shape);
}

function valueNamed(part: string, name: string): string | undefined {
  if (part === name) return '';
  return part.startsWith(`${name}=`) ? part.slice(name.length + 1) : undefined;
}

function readArray(items: readonly string[], form: Serialization): Reading {
  return readList(items, form, readOne);
}

/** Returns the list of what is read from each item, or the first fault. */
export function readList<Item>(
  items: readonly Item[],
  form: Serialization,
  read: (item: Item, form: Serialization) => Reading,
): Reading {
  const list: JsonValue[] = [];
  for (const item of items) {
    const value = read(item, { ...form, shape: form.shape.item(list.length) });
    if (value instanceof StyleFault) return value;
    list.push(value);
  }
  return list;
}

/** Reads `R=100,G=200` if it is exploded, otherwise `R,100,G,200`. */
function readObject(items: readonly string[], form: Serialization): Reading {
  const members = splitMembers(items, form);
  if (members instanceof StyleFault) return members;
  const object: JsonObject = {};
  for (let index = 0; index < members.length; index += 2) {
    const [encoded = '', text = ''] = members.slice(index, index + 2);
    const name = form.decode(encoded);
    if (name === undefined) return new StyleFault('be percent-encoded UTF-8', quote(encoded));
    if (Object.hasOwn(object, name)) return new StyleFault('name each member once', quote(name));
    const member = readOne(text, { ...form, shape: form.shape.member(name) });
    if (member instanceof StyleFault) return member;
    setMember(object, name, member);
  }
  return object;
}

/** Returns the names and texts of members, one after the other. */
function splitMembers(items: readonly string[], { explode }: Serialization) {
  if (!explode && items.length % 2 !== 0) {
    return new StyleFault('have a value for each name', `${items.length} parts`);
  }
  const bare = explode ? items.find((item) => !item.includes('=')) : undefined;
  if (bare !== undefined) return new StyleFault('have members as name=value', quote(bare));
  return explode ? items.flatMap(splitMember) : items;
}

function splitMember(item: string): readonly string[] {
  const end = item.indexOf('=');
  return [item.slice(0, end), item.slice(end + 1)];
}

export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A name and a value of a form, not yet encoded. */
export type WrittenPair = [name: string, text: string];

/** Returns a value in style `simple` (OAS 3.1 §4.8.12.2), for a header field. */
export function writeSimple(value: JsonValue, explode: boolean): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  if (!isJsonObject(value)) return toText(value);
  return writeMembers(value)
    .map((member) => member.join(explode ? '=' : ','))
    .join(',');
}

function writeMembers(value: JsonObject): WrittenPair[] {
  return Object.entries(value).map(([name, member]) => [name, toText(member)]);
}

type Written = Pick<Serialization, 'name' | 'style' | 'explode'>;

/** Returns the pairs of a value in a query or a form; none for an empty array. */
export function writePairs(value: JsonValue, { name, style, explode }: Written): WrittenPair[] {
  if (style === 'deepObject' && typeof value === 'object') return writeDeep(name, value);
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => [name, toText(item)]);
    return value.length === 0 ? [] : [[name, value.map(toText).join(delimiterOf(style))]];
  }
  if (!isJsonObject(value)) return [[name, toText(value)]];
  const members = writeMembers(value);
  return explode ? members : [[name, members.flat().join(delimiterOf(style))]];
}

function delimiterOf(style: Style): string {
  if (style === 'spaceDelimited') return ' ';
  return style === 'pipeDelimited' ? '|' : ',';
}

function writeDeep(name: string, value: JsonValue): WrittenPair[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => writeDeep(`${name}[${index}]`, item));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => writeDeep(`${name}[${key}]`, item));
  }
  return [[name, toText(value)]];
}

/** Joins pairs to a form or a query (WHATWG URL §5.2). */
export function joinPairs(pairs: readonly WrittenPair[]): string {
  return new URLSearchParams(pairs).toString();
}
