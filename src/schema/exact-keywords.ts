import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createLookup, findDuplicate, isEqual, LONGEST_COMPARED } from '../base/json/equal.ts';
import { compareNumbers, isInteger, isMultipleOf, isNumber } from '../base/json/number.ts';
import {
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../base/json/value.ts';
import { acceptsNumber, numberFormats } from './formats.ts';

type Check = (data: JsonValue) => boolean;
type CompileCheck = (schema: JsonValue) => Check;

const comparisons = new Map([
  ['minimum', onNumbers((data, limit) => compareNumbers(data, limit) >= 0)],
  ['maximum', onNumbers((data, limit) => compareNumbers(data, limit) <= 0)],
  ['exclusiveMinimum', onNumbers((data, limit) => compareNumbers(data, limit) > 0)],
  ['exclusiveMaximum', onNumbers((data, limit) => compareNumbers(data, limit) < 0)],
  ['multipleOf', onNumbers((data, divisor) => isMultipleOf(data, divisor))],
]);

/**
 * The keywords that compare numbers exactly. Ajv supports doubles only, so a second Ajv validates
 * values with a number that no double holds. In its schemas these keywords replace `type` and every
 * keyword on numbers. They support all three forms of an exact number, and violations have the
 * standard keyword's name. The second Ajv is created for the first such value.
 */
const replacements: ReadonlyMap<string, CompileCheck> = new Map([
  ['type', (types) => (data) => [types].flat().some((type) => isOfType(data, type))],
  ...comparisons,
  ['format', (format) => (data) => !isNumber(data) || acceptsNumber(format, data)],
  ['const', (expected) => (data) => isEqual(expected, data)],
  ['enum', (list) => createLookup([list].flat())],
  ['uniqueItems', (isUnique) => (data) => isUnique !== true || !hasDuplicate(data)],
]);

const PREFIX = 'exact-';

export const exactKeywords: readonly string[] = [...replacements.keys()].map((one) => PREFIX + one);

/** Returns the check of a keyword that replaces one of Ajv; undefined for another keyword. */
export function findExactCheck(keyword: string): CompileCheck | undefined {
  return keyword.startsWith(PREFIX) ? replacements.get(keyword.slice(PREFIX.length)) : undefined;
}

/** Adds the keywords that replace those of Ajv to an Ajv instance. */
export function addExactKeywords(ajv: Ajv2020): void {
  for (const [keyword, compile] of replacements) {
    // Without `schemaType`: Ajv knows no bigint.
    ajv.addKeyword({ keyword: PREFIX + keyword, compile, errors: false });
  }
}

/** Replaces the keywords of one schema object that Ajv would get wrong; changes it in place. */
export function replaceByExactKeywords(schema: JsonObject): void {
  for (const keyword of replacements.keys()) {
    // Ajv still checks the formats of strings.
    const isKept = keyword === 'format' && !numberFormats.has(String(schema['format']));
    if (!isKept) replaceKeyword(schema, keyword);
  }
}

/**
 * Replaces the keywords that Ajv gets wrong for every value: `multipleOf` if its number has a
 * fraction (19.99 is a multiple of 0.01, but a division of doubles says that it is not); and those
 * for which it compares each item with each other, which takes hours for a long list.
 */
export function replaceMisjudgedKeywords(schema: JsonObject): void {
  const { multipleOf: divisor, enum: list } = schema;
  if (typeof divisor === 'number' && !Number.isInteger(divisor)) {
    replaceKeyword(schema, 'multipleOf');
  }
  if (Array.isArray(list) && list.length > LONGEST_COMPARED) replaceKeyword(schema, 'enum');
  replaceKeyword(schema, 'uniqueItems');
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

function onNumbers(accepts: (data: JsonNumber, schema: JsonNumber) => boolean): CompileCheck {
  return (schema) => (data) => !isNumber(data) || !isNumber(schema) || accepts(data, schema);
}

function hasDuplicate(data: JsonValue): boolean {
  return Array.isArray(data) && findDuplicate(data) !== undefined;
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
