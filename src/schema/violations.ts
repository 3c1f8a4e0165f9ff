import type { ErrorObject } from 'ajv/dist/2020.js';
import { findDuplicate } from '../base/json/equal.ts';
import { toPointer } from '../base/json/pointer.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation, ViolationLocation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import { shorten } from '../base/words.ts';
import { numberFormats } from './formats.ts';
import { MOST_ERRORS } from './recursion.ts';
import { standardKeyword } from './value-keywords.ts';

type Errors = readonly ErrorObject[];

/**
 * Returns the errors of a verbose Ajv as violations, each once.
 *
 * @param at where the value is
 * @param nameOf returns the name that a compiled schema has in the document
 */
export function toViolations(
  errors: Errors,
  location: ViolationLocation,
  at: string,
  nameOf: NameSchema,
) {
  const place = { location, at, nameOf };
  const [only] = errors;
  if (only !== undefined && errors.length === 1) return [toViolation(only, place)];
  const violations = new Map<string, Violation>();
  const mistyped = new Map<unknown, Set<string>>();
  for (const error of explainUnions(errors.slice(0, MOST_ERRORS))) {
    // A failed condition adds nothing to the violation in its branch.
    if (error.keyword === 'if' && errors.length > 1) continue;
    // A value of the wrong type breaks other keywords of the same schema, too.
    if (mistyped.get(error.parentSchema)?.has(error.instancePath)) continue;
    if (standardKeyword(error.keyword) === 'type') {
      remember(mistyped, error.parentSchema, () => new Set()).add(error.instancePath);
    }
    const violation = toViolation(error, place);
    violations.set(violation.message, violation);
  }
  return [...violations.values()];
}

/** Returns the name that a compiled schema has in the document; undefined for an inline schema. */
export type NameSchema = (schema: JsonValue) => string | undefined;

interface Place {
  readonly location: ViolationLocation;
  readonly at: string;
  readonly nameOf: NameSchema;
}

function toViolation(error: ErrorObject, { location, at, nameOf }: Place): Violation {
  const keyword = standardKeyword(error.keyword);
  const data = error.data as JsonValue;
  const named = memberNamedBy(error, keyword);
  const place = at + error.instancePath;
  const pointer = place + (named ?? '');
  const isRefusal = named !== undefined || keyword === 'false schema';
  const found = `${describeValue(data)}${describeMatches(error, nameOf)}`;
  const got = named === undefined ? found : keyword === 'required' ? 'nothing' : 'it';
  const expected = describeExpectation(error, keyword);
  const sentence = isRefusal ? `is ${expected}` : `must ${expected}, got ${got}`;
  return {
    in: location,
    pointer,
    keyword,
    expected: expected.startsWith('be ') ? expected.slice(3) : expected,
    got,
    message: `${location}${pointer} ${sentence}`,
  };
}

/** Returns the pointer of the member that the keyword is about, if it is not the whole object. */
function memberNamedBy(error: ErrorObject, keyword: string): string | undefined {
  const name: unknown = error.params[NAMING_PARAMETERS.get(keyword) ?? ''];
  return typeof name === 'string' ? toPointer([name]) : undefined;
}

/** The parameters of Ajv's errors that name a member. */
const NAMING_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['required', 'missingProperty'],
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
]);

/** Says which branches of `oneOf` a value matches, where they are too many. */
function describeMatches({ params, schema }: ErrorObject, nameOf: NameSchema): string {
  const { passingSchemas: passing } = params;
  if (!Array.isArray(passing) || !Array.isArray(schema)) return '';
  const names = passing.map((index: number) => nameOf(schema[index]) ?? `oneOf/${index}`);
  return ` that matches ${names.join(' and ')}`;
}

function describeExpectation(error: ErrorObject, keyword: string): string {
  const schema = error.schema as JsonValue;
  const limit = LIMITS.get(keyword);
  if (limit !== undefined) return `be ${limit} ${String(schema)}`;
  switch (keyword) {
    case 'required':
      return 'required but missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'false schema':
      return 'not allowed';
    case 'type':
      return `be ${describeType(schema, error.parentSchema)}`;
    case 'format':
      return `be ${describeFormat(String(schema))}`;
    case 'enum':
      return `be one of ${listValues(Array.isArray(schema) ? schema : [schema])}`;
    case 'const':
      return `be ${stringifyJson(schema)}`;
    case 'uniqueItems':
      return describeDuplicate(error.data as JsonValue);
    case 'pattern':
      return `match the pattern ${JSON.stringify(schema)}${suggestText(error.parentSchema)}`;
    default:
      return (error.message ?? `satisfy ${keyword}`).replace(/^must /, '');
  }
}

/** The compiled schema keeps an example only beside a pattern. */
function suggestText(schema: unknown): string {
  const example = isJsonObject(schema) ? schema['example'] : undefined;
  return example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
}

function describeDuplicate(items: JsonValue): string {
  const [first, second] = (Array.isArray(items) && findDuplicate(items)) || [];
  return `NOT have duplicate items (items ## ${first} and ${second} are identical)`;
}

const LIMITS: ReadonlyMap<string, string> = new Map([
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
]);

function describeType(types: JsonValue, parent: unknown): string {
  const format = isJsonObject(parent) ? (parent['format'] ?? parent['exact-format']) : undefined;
  const describe = (type: JsonValue): string => {
    const isNumeric = type === 'integer' || type === 'number';
    return isNumeric && format !== undefined && numberFormats.has(String(format))
      ? describeFormat(String(format))
      : withArticle(String(type));
  };
  return Array.isArray(types) ? types.map(describe).join(' or ') : describe(types);
}

function describeFormat(format: string): string {
  return numberFormats.get(format)?.described ?? withArticle(format);
}

function withArticle(noun: string): string {
  if (noun === 'null') return noun;
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Returns a value for a sentence: `the string "12"`, `an array`, `1.5`. */
export function describeValue(value: JsonValue): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value))}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (isJsonObject(value)) return 'an object';
  return shorten(String(value));
}

const LONGEST_LIST = 20;

function listValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, LONGEST_LIST).map(stringifyJson).join(', ');
  return values.length > LONGEST_LIST ? `${shown}, …` : shown;
}

/**
 * Returns the errors of a verbose Ajv with fewer about unions. Where several branches of `oneOf`
 * match, the errors of the others explain nothing. Where no branch allows the value of a member that
 * tells them apart, one list of the allowed values explains it.
 */
function explainUnions(errors: Errors): Errors {
  if (!errors.some(isOfUnion)) return errors;
  const explained: ErrorObject[] = [];
  for (const error of errors) {
    if (!isOfUnion(error)) {
      explained.push(error);
      continue;
    }
    const ofBranches = takeErrorsOfBranches(explained, error);
    if (Array.isArray(error.params['passingSchemas'])) explained.push(error);
    else explained.push(...(listAllowed(ofBranches, error) ?? [...ofBranches, error]));
  }
  return explained;
}

function isOfUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}

/** Removes the errors of the branches of a union: Ajv reports them directly before its own. */
function takeErrorsOfBranches(before: ErrorObject[], { instancePath, schemaPath }: ErrorObject) {
  const parent = schemaPath.slice(0, schemaPath.lastIndexOf('/') + 1);
  const isOfBranch = (one: ErrorObject): boolean =>
    one.instancePath.startsWith(instancePath) &&
    (one.schemaPath.startsWith(`${schemaPath}/`) || !one.schemaPath.startsWith(parent));
  const last = before.findLastIndex((one) => !isOfBranch(one));
  return before.splice(last + 1);
}

/** Returns one error for a value, or a member of it, that is listed in every branch. */
function listAllowed(errors: Errors, { schema, instancePath }: ErrorObject): Errors | undefined {
  const branches = Array.isArray(schema) ? schema.length : 0;
  const wrong = errors.filter(({ keyword }) => LISTING.has(standardKeyword(keyword)));
  const places = new Set(wrong.map((one) => one.instancePath));
  for (const place of places) {
    const listed = wrong.filter((one) => one.instancePath === place);
    const [first] = listed;
    const depth = place.slice(instancePath.length).split('/').length - 1;
    if (first === undefined || depth > 1 || listed.length < branches) continue;
    const values = listed.flatMap((one) =>
      standardKeyword(one.keyword) === 'enum' ? one.schema : [one.schema],
    );
    return [{ ...first, keyword: 'enum', schema: [...new Set(values)] }];
  }
  return undefined;
}

const LISTING: ReadonlySet<string> = new Set(['const', 'enum']);
