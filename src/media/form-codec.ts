import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { readText } from './charset.ts';
import type { Codec, Description, PropertyEncoding } from './codec.ts';
import { tryJson } from './json-codec.ts';
import { decodeForm, decodeReserved, type Pair, splitPairs } from './pairs.ts';
import { readFromPairs } from './query-reading.ts';
import type { Shape } from './shape.ts';
import { type Reading, readOne, type Serialization, StyleFault } from './style.ts';
import { joinPairs, writePairs } from './style-writing.ts';
import { toText } from './text-codec.ts';

/** `application/x-www-form-urlencoded` with Encoding Objects (OAS 3.1 §4.8.15.1). */
export function createFormCodec({ shape, encodings }: Description): Codec {
  const form = new FormReader(shape, encodings);
  return {
    isJudged: true,
    takesNothing: true,
    decode: (bytes, contentType) => form.read(readText(bytes, contentType)),
    encode: (value) => writeForm(value, encodings),
  };
}

class FormReader {
  readonly #shape: Shape;
  readonly #encodings: Description['encodings'];

  constructor(shape: Shape, encodings: Description['encodings']) {
    this.#shape = shape;
    this.#encodings = encodings;
  }

  read(text: string): JsonValue {
    const pairs = splitPairs(text);
    // Each pair is looked at once: a body may have half a million.
    const groups = groupPairs(pairs, baseOf);
    const object: JsonObject = {};
    const described = this.#shape.properties;
    for (const [name, shape] of described) {
      const encoding = this.#encodings.get(name);
      const own = isSpread(encoding, shape) ? pairs : (groups.get(name) ?? NO_PAIRS);
      const reading = readProperty(own, name, shape, encoding, described);
      if (reading !== undefined) setMember(object, name, soundOrThrow(name, reading));
    }
    for (const [base, group] of groups) {
      if (described.has(base) || this.#isSpread(base)) continue;
      this.#readOthers(group, object);
    }
    return object;
  }

  #readOthers(pairs: readonly Pair[], object: JsonObject): void {
    for (const [name, own] of groupPairs(pairs, (whole) => whole)) {
      const shape = this.#shape.member(name);
      const encoding = this.#encodings.get(name);
      const reading = readProperty(own, name, shape, encoding, this.#shape.properties);
      if (reading !== undefined) setMember(object, name, soundOrThrow(name, reading));
    }
  }

  /** True for a name that is a member of an exploded object. */
  #isSpread(name: string): boolean {
    return [...this.#shape.properties].some(
      ([property, shape]) =>
        isSpread(this.#encodings.get(property), shape) && shape.properties.has(name),
    );
  }
}

/** An exploded object has its members beside it in the form, each a pair of its own. */
function isSpread(encoding: PropertyEncoding | undefined, { types }: Shape): boolean {
  if (encoding === undefined || !types.has('object')) return false;
  const { style, explode } = encoding;
  const isSaid = style !== undefined || explode !== undefined;
  return isSaid && style !== 'deepObject' && (explode ?? true);
}

/** `filter` of `filter[size]` and of `filter`. */
function baseOf(name: string): string {
  const end = name.indexOf('[');
  return end > 0 ? name.slice(0, end) : name;
}

function groupPairs(
  pairs: readonly Pair[],
  keyOf: (name: string) => string,
): ReadonlyMap<string, readonly Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = keyOf(pair.name);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pair]);
    else group.push(pair);
  }
  return groups;
}

const NO_PAIRS: readonly Pair[] = [];

function readProperty(
  pairs: readonly Pair[],
  name: string,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
  described: Shape['properties'],
): Reading | undefined {
  const decode = encoding?.allowReserved === true ? decodeReserved : decodeForm;
  const style = encoding?.style ?? 'form';
  const form = { name, style, explode: encoding?.explode ?? style === 'form', shape, decode };
  const isSaid = encoding?.style !== undefined || encoding?.explode !== undefined;
  if (isSaid) return readFromPairs(pairs, form, new Set(described.keys()));
  const { types } = shape;
  if (!types.has('object') && !types.has('array')) return readFromPairs(pairs, form, NO_NAMES);
  return readUnsaid(pairs, form);
}

/**
 * Where no style is said an object or an array is JSON, or repeated pairs, or named by brackets:
 * documents of the various editions mean, and clients send, all of these.
 */
function readUnsaid(pairs: readonly Pair[], form: Serialization): Reading | undefined {
  const own = pairs.filter(({ name }) => name === form.name);
  const [only] = own;
  if (only === undefined) return readFromPairs(pairs, { ...form, style: 'deepObject' }, NO_NAMES);
  const { types } = form.shape;
  if (own.length === 1) {
    const whole = readWritten(only.value, form);
    if (!types.has('array') || Array.isArray(whole)) return whole;
  } else if (!types.has('array')) return readFromPairs(own, form, NO_NAMES);
  const items: JsonValue[] = [];
  for (const [index, { value }] of own.entries()) {
    const item = readWritten(value, { ...form, shape: form.shape.item(index) });
    if (item instanceof StyleFault) return item;
    items.push(item);
  }
  return items;
}

/** A text that is JSON where an array or an object may stand, and plain otherwise. */
function readWritten(text: string, form: Serialization): Reading {
  const { types } = form.shape;
  const decoded = types.has('array') || types.has('object') ? form.decode(text) : undefined;
  const isMarked = decoded !== undefined && /^\s*[[{]/.test(decoded);
  const value = isMarked ? tryJson(decoded) : undefined;
  if (value === undefined || !types.has(Array.isArray(value) ? 'array' : 'object')) {
    return readOne(text, form);
  }
  return value;
}

const NO_NAMES: ReadonlySet<string> = new Set();

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
      return writePairs(name, member, style, encoding?.explode ?? style === 'form');
    }),
  );
}
