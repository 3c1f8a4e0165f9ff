import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isEqual } from '../base/json/equal.ts';
import { compareNumbers, isInteger, isMultipleOf, isNumber } from '../base/json/number.ts';
import {
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../base/json/value.ts';
import { numberFormats } from './formats.ts';

/**
 * Ajv knows numbers as doubles only. A value with a number that no double holds is validated by a
 * second Ajv, whose schemas have `type` and every keyword on numbers replaced by the keywords of
 * this file. They know all three forms that an exact number has, and refuse under the standard
 * keyword's name. The second Ajv is made only when such a value first comes.
 */
const replacements: ReadonlyMap<string, (schema: JsonValue, data: JsonValue) => boolean> = new Map([
  ['type', (types, data) => [types].flat().some((type) => isOfType(data, type))],
  ['minimum', onNumbers((data, limit) => compareNumbers(data, limit) >= 0)],
  ['maximum', onNumbers((data, limit) => compareNumbers(data, limit) <= 0)],
  ['exclusiveMinimum', onNumbers((data, limit) => compareNumbers(data, limit) > 0)],
  ['exclusiveMaximum', onNumbers((data, limit) => compareNumbers(data, limit) < 0)],
  ['multipleOf', onNumbers((data, divisor) => isMultipleOf(data, divisor))],
  ['const', (expected, data) => isEqual(expected, data)],
  ['enum', (list, data) => Array.isArray(list) && list.some((item) => isEqual(item, data))],
]);

const PREFIX = 'exact-';

/** Teaches an Ajv instance the keywords that {@link replaceByExactKeywords} writes. */
export function addExactKeywords(ajv: Ajv2020): void {
  for (const [keyword, accepts] of replacements) {
    ajv.addKeyword({
      keyword: PREFIX + keyword,
      // Ajv would look for the standard keywords' schema types; a bigint is none of them.
      validate: (schema: JsonValue, data: JsonValue) => accepts(schema, data),
      errors: false,
    });
  }
  ajv.addKeyword({
    keyword: `${PREFIX}format`,
    validate: (format: string, data: JsonValue) =>
      !isNumber(data) || (numberFormats.get(format)?.accepts(data) ?? true),
    errors: false,
  });
}

/** Exchanges, in one schema object, what Ajv's own keywords would get wrong; changes it in place. */
export function replaceByExactKeywords(schema: JsonObject): void {
  for (const keyword of replacements.keys()) replaceKeyword(schema, keyword);
  // A format of strings is Ajv's business still.
  if (numberFormats.has(String(schema['format']))) replaceKeyword(schema, 'format');
}

/**
 * Exchanges `multipleOf` where its number has a fraction: 19.99 is a multiple of 0.01, and to a
 * division of doubles it is not.
 */
export function replaceFractionalDivisor(schema: JsonObject): void {
  const divisor = schema['multipleOf'];
  if (typeof divisor === 'number' && !Number.isInteger(divisor)) {
    replaceKeyword(schema, 'multipleOf');
  }
}

/** @returns the standard name of a keyword that an error of the exact Ajv names */
export function standardKeyword(keyword: string): string {
  return keyword.startsWith(PREFIX) ? keyword.slice(PREFIX.length) : keyword;
}

function replaceKeyword(schema: JsonObject, keyword: string): void {
  const value = schema[keyword];
  if (value === undefined) return;
  delete schema[keyword];
  schema[PREFIX + keyword] = value;
}

function onNumbers(
  accepts: (data: JsonNumber, schema: JsonNumber) => boolean,
): (schema: JsonValue, data: JsonValue) => boolean {
  return (schema, data) => !isNumber(data) || !isNumber(schema) || accepts(data, schema);
}

function isOfType(data: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case 'null':
      return data === null;
    case 'array':
      return Array.isArray(data);
    case 'object':
      return isJsonObject(data);
    case 'number':
      return isNumber(data);
    case 'integer':
      return isNumber(data) && isInteger(data);
    default:
      return typeof data === type;
  }
}
