import { readNumber } from '../base/json/number.ts';
import type { JsonValue } from '../base/json/value.ts';

/**
 * The part of a schema that a codec needs to read a value from text: a text in a field, a form or XML
 * does not say whether `12` is a number.
 */
export interface Shape {
  /** The types of the value, empty if the schema names none. With `number` goes `integer`. */
  readonly types: ReadonlySet<string>;
  /** The names of members that must be there. */
  readonly required: ReadonlySet<string>;
  /** The members that are described, by name. */
  readonly properties: ReadonlyMap<string, Shape>;
  /** True if the schema mentions and allows members that it does not describe. */
  readonly isOpen: boolean;
  /** True for bytes: `format: binary`, or a media type that is no text. */
  readonly isBinary: boolean;
  /** `contentMediaType` of a text (JSON Schema Validation §8.4). */
  readonly contentMediaType: string | undefined;
  /** Its XML Object (OAS 3.2 §4.26). */
  readonly xml: XmlShape;
  /** @returns the shape of a member, described or not */
  member(name: string): Shape;
  item(index: number): Shape;
  /** @returns how many of the schemas accept the value */
  countAccepting(value: JsonValue): number;
}

/** How a value is written in XML (OAS 3.1 §4.8.26, OAS 3.2 §4.26). */
export interface XmlShape {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly wrapped?: boolean;
  readonly nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
}

const NO_TYPES: ReadonlySet<string> = new Set();
const NO_PROPERTIES: ReadonlyMap<string, Shape> = new Map();
const NO_XML: XmlShape = Object.freeze({});

/** The shape of a value that no schema describes. */
export const ANY_SHAPE: Shape = Object.freeze({
  types: NO_TYPES,
  required: NO_TYPES,
  properties: NO_PROPERTIES,
  isOpen: true,
  isBinary: false,
  contentMediaType: undefined,
  xml: NO_XML,
  member: () => ANY_SHAPE,
  item: () => ANY_SHAPE,
  countAccepting: () => 0,
});

/** True for a value that may be something else than an array or an object. */
export function admitsScalar({ types }: Shape): boolean {
  if (types.size === 0) return true;
  for (const type of types) if (type !== 'array' && type !== 'object') return true;
  return false;
}

/** Returns the reading that most of the schemas accept; of several, the first. */
export function chooseReading<Value extends JsonValue>(
  readings: readonly [Value, ...(readonly Value[])],
  shape: Shape,
): Value {
  let [best] = readings;
  if (readings.length === 1) return best;
  let most = -1;
  for (const reading of readings) {
    const count = shape.countAccepting(reading);
    if (count > most) {
      best = reading;
      most = count;
    }
  }
  return best;
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/**
 * Returns the number, the boolean or the null that a text says, if the schema allows one. Of two
 * readings it returns the one that the schema accepts. A text of none of the types stays a text,
 * which the validator refuses.
 */
export function readScalar(text: string, shape: Shape): JsonValue {
  const { types } = shape;
  if (types.size === 0 || (types.size === 1 && types.has('string'))) return text;
  // What most keys, limits and offsets are: a text that is nothing else.
  if (types.has('integer') && !types.has('string') && NATURAL.test(text)) return Number(text);
  const readings = listReadings(text, types);
  return hasAny(readings) ? chooseReading(readings, shape) : text;
}

/** Returns true for a text that says null, and cannot be the only item of a list instead. */
export function saysNull(text: string, shape: Shape): boolean {
  if (text !== 'null' || !shape.types.has('null')) return false;
  const { types } = shape.item(0);
  return types.size > 0 && !types.has('string') && !types.has('null');
}

/** An integer that a double holds, written in the only way. */
const NATURAL = /^(?:0|[1-9]\d{0,14})$/;

function listReadings(text: string, types: Shape['types']): readonly JsonValue[] {
  const number = readAsNumber(text, types);
  const readings: JsonValue[] = number === undefined ? [] : [number];
  if (types.has('boolean') && (text === 'true' || text === 'false')) readings.push(text === 'true');
  if (types.has('string')) readings.push(text);
  if (types.has('null') && (text === '' || text === 'null')) readings.push(null);
  return readings;
}

function hasAny<Value>(list: readonly Value[]): list is readonly [Value, ...Value[]] {
  return list.length > 0;
}

function readAsNumber(text: string, types: Shape['types']): JsonValue | undefined {
  if (!types.has('integer')) return undefined;
  return types.has('number') || INTEGER.test(text) ? readNumber(text) : undefined;
}
