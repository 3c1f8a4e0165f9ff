import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createLookup, findDuplicate, isEqual, LONGEST_COMPARED } from '../base/json/equal.ts';
import { compareNumbers, isInteger, isMultipleOf, isNumber } from '../base/json/number.ts';
import {
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../base/json/value.ts';
import { countCharacters } from '../base/words.ts';
import { acceptsNumber, numberFormats } from './formats.ts';

/** Returns true for a value that keeps a keyword, and for one that the keyword is not about. */
type Check = (wanted: JsonValue, value: JsonValue) => boolean;

type CompileCheck = (wanted: JsonValue) => (value: JsonValue) => boolean;

/** The keywords of which a value decides without its parts; numbers are compared exactly. */
export const valueChecks: ReadonlyMap<string, Check> = new Map([
  ['type', isOfTypes],
  ['const', isEqual],
  ['minimum', onNumbers((value, limit) => compareNumbers(value, limit) >= 0)],
  ['maximum', onNumbers((value, limit) => compareNumbers(value, limit) <= 0)],
  ['exclusiveMinimum', onNumbers((value, limit) => compareNumbers(value, limit) > 0)],
  ['exclusiveMaximum', onNumbers((value, limit) => compareNumbers(value, limit) < 0)],
  ['multipleOf', onNumbers(isMultipleOf)],
  ['minLength', onSizes(sizeOfText, (size, least) => size >= least)],
  ['maxLength', onSizes(sizeOfText, (size, most) => size <= most)],
  ['minItems', onSizes(countItems, (size, least) => size >= least)],
  ['maxItems', onSizes(countItems, (size, most) => size <= most)],
  ['minProperties', onSizes(countMembers, (size, least) => size >= least)],
  ['maxProperties', onSizes(countMembers, (size, most) => size <= most)],
  ['uniqueItems', (isUnique, value) => isUnique !== true || !hasDuplicate(value)],
]);

/**
 * The keywords that compare numbers exactly. Ajv supports doubles only, so a second Ajv validates
 * values with a number that no double holds. In its schemas these keywords replace `type` and every
 * keyword on numbers. They support all three forms of an exact number, and violations have the
 * standard keyword's name. The second Ajv is created for the first such value.
 */
const replaced = [
  ...['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['format', 'const', 'enum', 'uniqueItems'],
];

const PREFIX = 'exact-';

export const exactKeywords: readonly string[] = replaced.map((keyword) => PREFIX + keyword);

/** Adds the keywords that replace those of Ajv to an Ajv instance. */
export function addExactKeywords(ajv: Ajv2020): void {
  for (const keyword of replaced) {
    // Without `schemaType`: Ajv knows no bigint.
    ajv.addKeyword({ keyword: PREFIX + keyword, compile: compileCheck(keyword), errors: false });
  }
}

function compileCheck(keyword: string): CompileCheck {
  if (keyword === 'enum') return (list) => createLookup([list].flat());
  const keeps = keyword === 'format' ? keepsNumberFormat : valueChecks.get(keyword);
  return (wanted) => (value) => keeps?.(wanted, value) ?? true;
}

/** Returns true for a number of a format, for one of any other format, and for what is no number. */
export function keepsNumberFormat(format: JsonValue, value: JsonValue): boolean {
  return !isNumber(value) || acceptsNumber(format, value);
}

/** Replaces the keywords of one schema object that Ajv would get wrong; changes it in place. */
export function replaceByExactKeywords(schema: JsonObject): void {
  for (const keyword of replaced) {
    // Ajv still checks the formats of strings.
    const isKept = keyword === 'format' && !numberFormats.has(String(schema['format']));
    if (!isKept) replaceKeyword(schema, keyword);
  }
}

/**
 * Replaces the keywords that Ajv gets wrong for every value: `multipleOf` (19.99 is a multiple of
 * 0.01 and 4e300 of 2, but a division of doubles says that they are not); and those for which it
 * compares each item with each other, which takes hours for a long list.
 */
export function replaceMisjudgedKeywords(schema: JsonObject): void {
  const { enum: list } = schema;
  replaceKeyword(schema, 'multipleOf');
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

function onNumbers(keeps: (value: JsonNumber, limit: JsonNumber) => boolean): Check {
  return (limit, value) => !isNumber(value) || !isNumber(limit) || keeps(value, limit);
}

function onSizes(
  sizeOf: (value: JsonValue) => number | undefined,
  keeps: (size: number, limit: number) => boolean,
): Check {
  return (limit, value) => {
    const size = isNumber(limit) ? sizeOf(value) : undefined;
    return size === undefined || keeps(size, Number(String(limit)));
  };
}

function sizeOfText(value: JsonValue): number | undefined {
  return typeof value === 'string' ? countCharacters(value) : undefined;
}

function countItems(value: JsonValue): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function countMembers(value: JsonValue): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function hasDuplicate(data: JsonValue): boolean {
  return Array.isArray(data) && findDuplicate(data) !== undefined;
}

function isOfTypes(types: JsonValue, value: JsonValue): boolean {
  return Array.isArray(types)
    ? types.some((type) => isOfType(value, type))
    : isOfType(value, types);
}

/** Returns true for a value of a type of JSON Schema; a number without a fraction is an integer. */
export function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'integer') return isNumber(value) && isInteger(value);
  return kindOf(value) === type;
}

/** Returns the type of a value, of those of JSON Schema that exclude each other. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
