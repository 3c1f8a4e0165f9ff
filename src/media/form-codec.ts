import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import { Problem } from '../problem.ts';
import { readText } from './charset.ts';
import type { Codec, Description, PropertyEncoding } from './codec.ts';
import { tryJson } from './json-codec.ts';
import { decodeForm, decodeReserved, type Pair, splitPairs } from './pairs.ts';
import { readFromPairs } from './query-reading.ts';
import type { Shape } from './shape.ts';
import { type Reading, readOne, StyleFault } from './style.ts';
import { joinPairs, writePairs } from './style-writing.ts';

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
    const object: JsonObject = {};
    const described = this.#shape.properties;
    for (const [name, shape] of described) {
      const reading = readProperty(pairs, name, shape, this.#encodings.get(name), described);
      if (reading !== undefined) setMember(object, name, soundOrThrow(name, reading));
    }
    for (const name of new Set(pairs.map((pair) => pair.name))) {
      if (described.has(name) || this.#isTaken(name)) continue;
      const shape = this.#shape.member(name);
      const reading = readProperty(pairs, name, shape, this.#encodings.get(name), described);
      if (reading !== undefined) setMember(object, name, soundOrThrow(name, reading));
    }
    return object;
  }

  /** True for a name that is part of a described property: `filter[size]`, `tags[]`. */
  #isTaken(name: string): boolean {
    const { properties } = this.#shape;
    const end = name.indexOf('[');
    if (end > 0 && properties.has(name.slice(0, end))) return true;
    return [...properties].some(
      ([property, shape]) =>
        this.#encodings.get(property)?.style === 'form' && shape.properties.has(name),
    );
  }
}

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
function readUnsaid(
  pairs: readonly Pair[],
  form: Parameters<typeof readFromPairs>[1],
): Reading | undefined {
  const own = pairs.filter(({ name }) => name === form.name);
  const [only] = own;
  if (only === undefined) return readFromPairs(pairs, { ...form, style: 'deepObject' }, NO_NAMES);
  const text = own.length === 1 ? form.decode(only.value) : undefined;
  const value = text !== undefined && /^\s*[[{]/.test(text) ? tryJson(text) : undefined;
  if (value !== undefined) return value;
  const { types } = form.shape;
  if (types.has('array') || own.length > 1) return readFromPairs(own, form, NO_NAMES);
  return readOne(only.value, form);
}

const NO_NAMES: ReadonlySet<string> = new Set();

function soundOrThrow(name: string, reading: Reading): JsonValue {
  if (!(reading instanceof StyleFault)) return reading;
  throw new Problem('MALFORMED_BODY', `body/${name} must ${reading.expected}, got ${reading.got}`);
}

function writeForm(value: JsonValue, encodings: Description['encodings']): string {
  if (!isJsonObject(value)) return joinPairs(writePairs('', value, 'form', true));
  return joinPairs(
    Object.entries(value).flatMap(([name, member]) => {
      const encoding = encodings.get(name);
      const style = encoding?.style ?? (isJsonObject(member) ? 'deepObject' : 'form');
      return writePairs(name, member, style, encoding?.explode ?? style === 'form');
    }),
  );
}
