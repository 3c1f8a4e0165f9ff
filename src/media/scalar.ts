import { readExactNumber } from '../base/json/number.ts';
import type { JsonValue } from '../base/json/value.ts';
import { chooseReading, type Shape } from './shape.ts';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A text as its schema has it: the number, the boolean or the null that it says where the schema
 * allows one. A text that can be read in two ways is read in the one that the schema takes; one
 * that is of none of its types stays a text, for the validator to complain of.
 */
export function readScalar(text: string, shape: Shape): JsonValue {
  const { types } = shape;
  if (types.size === 0 || (types.size === 1 && types.has('string'))) return text;
  const [first = text, ...others] = listReadings(text, types);
  return chooseReading([first, ...others], shape);
}

function listReadings(text: string, types: Shape['types']): readonly JsonValue[] {
  const readings: JsonValue[] = [];
  const number = readNumber(text, types);
  if (number !== undefined) readings.push(number);
  if (types.has('boolean') && (text === 'true' || text === 'false')) readings.push(text === 'true');
  if (types.has('string')) readings.push(text);
  if (types.has('null') && (text === '' || text === 'null')) readings.push(null);
  return readings;
}

function readNumber(text: string, types: Shape['types']): JsonValue | undefined {
  if (!types.has('integer')) return undefined;
  const grammar = types.has('number') ? JSON_NUMBER : INTEGER;
  return grammar.test(text) ? readExactNumber(text) : undefined;
}
