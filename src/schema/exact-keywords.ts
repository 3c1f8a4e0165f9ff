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
 * The keywords that compare numbers exactly. Ajv supports doubles only, so a second Ajv validates
 * values with a number that no double holds. In its schemas these keywords replace `type` and every
 * keyword on numbers. They support all three forms of an exact number, and violations have the
 * standard keyword's name. The second Ajv is created for the first such value.
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

/** Adds the keywords that {@link replaceByExactKeywords} writes to an Ajv instance. */
export function addExactKeywords(ajv: Ajv2020): void {
  for (const [keyword, accepts] of replacements) {
    ajv.addKeyword({
      keyword: PREFIX + keyword,
      // Without `schemaType`: Ajv knows no bigint.
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

/** Replaces the keywords of one schema object that Ajv would get wrong; changes it in place. */
export function replaceByExactKeywords(schema: JsonObject): void {
  for (const keyword of replacements.keys()) replaceKeyword(schema, keyword);
  // Ajv still checks the formats of strings.
  if (numberFormats.has(String(schema['format']))) replaceKeyword(schema, 'format');
}

/**
 * Replaces `multipleOf` if its number has a fraction: 19.99 is a multiple of 0.01, but a division of
 * doubles says that it is not.
 */
export function replaceFractionalDivisor(schema: JsonObject): void {
  const divisor = schema['multipleOf'];
  if (typeof divisor === 'number' && !Number.isInteger(divisor)) {
    replaceKeyword(schema, 'multipleOf');
  }
}

/** Returns the standard name of a keyword in an error of Ajv. */
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

/** True for a value of a type of JSON Schema; a number without a fraction is an integer. */
export function isOfType(data: JsonValue, type: JsonValue): boolean {
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
