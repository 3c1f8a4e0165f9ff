import type { ErrorObject } from 'ajv/dist/2020.js';
import type { AddedFormat } from 'ajv/dist/types/index.js';
import { isEqual } from '../base/json/equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { countCharacters } from '../base/words.ts';
import { findExactCheck, isOfType } from './exact-keywords.ts';
import type { Pattern } from './pattern/pattern.ts';
import { ErrorReading, type Reader, Undecided } from './schema-errors.ts';

/** The parts of a validator that a reading looks up. */
export interface ReadingMaterial {
  /** Returns the schema that a translated `$ref` names. */
  schemaAt(key: string): JsonValue | undefined;
  patternOf(text: string): Pattern;
  formatOf(name: string): AddedFormat | undefined;
}

/**
 * Decides whether values conform to a translated schema by reading it. Compiling a schema takes as
 * long as reading it a thousand times, and most schemas of a large document check a few values: so a
 * schema is read first, and compiled when it has been read often. Both have the same result.
 */
export class SchemaReading {
  readonly #material: ReadingMaterial;
  readonly #schema: JsonValue | undefined;
  #left: number;

  /** @param mostSteps comparisons of a schema with a value, in all */
  constructor(material: ReadingMaterial, key: string, mostSteps: number) {
    this.#left = mostSteps;
    this.#material = material;
    this.#schema = material.schemaAt(key);
  }

  get #reader(): Reader {
    const { schemaAt } = this.#material;
    return {
      schemaAt,
      reads: this.#read,
      keeps: (keyword, schema, value) =>
        this.#keeps({ keyword, wanted: schema[keyword] ?? null, schema, value }),
      matches: (pattern, text) => this.#matches(pattern, text),
      isDescribed: (schema, name) => this.#isDescribed(schema, name),
    };
  }

  /** Returns whether a value conforms; undefined if the compiled schema has to decide. */
  decide(value: JsonValue): boolean | undefined {
    return this.#attempt(() => this.#read(this.#schema, value));
  }

  /** Returns the errors of a value that does not conform; undefined as above. */
  findErrors(value: JsonValue): readonly ErrorObject[] | undefined {
    return this.#attempt(() => new ErrorReading(this.#reader).find(this.#schema, value));
  }

  #attempt<Result>(act: () => Result): Result | undefined {
    if (this.#left <= 0) return undefined;
    try {
      return act();
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      this.#left = 0;
      return undefined;
    }
  }

  /** @param schema one that is absent allows every value */
  readonly #read: Read = (schema, value) => {
    if (!isJsonObject(schema)) return schema !== false;
    if (--this.#left < 0) throw new Undecided();
    for (const keyword in schema) {
      const wanted = schema[keyword];
      if (wanted === undefined || this.#keeps({ keyword, wanted, schema, value })) continue;
      return false;
    }
    return true;
  };

  #keeps({ keyword, wanted, schema, value }: Step): boolean {
    const check = checks.get(keyword);
    if (check !== undefined) return check({ wanted, value, schema, read: this.#read });
    switch (keyword) {
      case '$ref':
        return this.#read(this.#material.schemaAt(String(wanted)), value);
      case 'pattern':
        return typeof value !== 'string' || this.#matches(String(wanted), value);
      case 'format':
        return keepsFormat(this.#material.formatOf(String(wanted)), value);
      case 'patternProperties':
        return entriesOf(wanted).every(([pattern, member]) =>
          entriesOf(value).every(
            ([name, inner]) => !this.#matches(pattern, name) || this.#read(member, inner),
          ),
        );
      case 'additionalProperties':
        return entriesOf(value).every(
          ([name, inner]) => this.#isDescribed(schema, name) || this.#read(wanted, inner),
        );
      default:
        if (keyword.startsWith('$') || UNREAD.has(keyword)) throw new Undecided();
        return findExactCheck(keyword)?.(wanted)(value) ?? true;
    }
  }

  #isDescribed({ properties, patternProperties }: JsonObject, name: string): boolean {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return true;
    return entriesOf(patternProperties).some(([pattern]) => this.#matches(pattern, name));
  }

  #matches(pattern: string, text: string): boolean {
    return this.#material.patternOf(pattern).test(text);
  }
}

/** Keywords that depend on what others have looked at, and rare ones. */
const UNREAD: ReadonlySet<string> = new Set([
  'contains',
  'dependencies',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

type Read = (schema: JsonValue | undefined, value: JsonValue) => boolean;

/** A keyword that is compared with a value. */
interface Step {
  readonly keyword: string;
  readonly wanted: JsonValue;
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

/** Returns true if a value keeps a keyword, or the keyword is not about such values. */
type Check = (step: Omit<Step, 'keyword'> & { readonly read: Read }) => boolean;

const isListed: Check = ({ wanted, value }) => listOf(wanted).some((one) => isEqual(one, value));

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', ({ wanted, value }) => listOf(wanted).some((type) => isOfType(value, type))],
  ['const', ({ wanted, value }) => isEqual(wanted, value)],
  ['enum', isListed],
  ['exact-enum', isListed],
  ['minimum', onNumbers((value, limit) => value >= limit)],
  ['maximum', onNumbers((value, limit) => value <= limit)],
  ['exclusiveMinimum', onNumbers((value, limit) => value > limit)],
  ['exclusiveMaximum', onNumbers((value, limit) => value < limit)],
  // As Ajv computes it, also for a quotient that is written with an exponent.
  ['multipleOf', onNumbers((value, by) => by !== 0 && isWhole(value / by))],
  ['minLength', onSizes(sizeOfText, (size, limit) => size >= limit)],
  ['maxLength', onSizes(sizeOfText, (size, limit) => size <= limit)],
  ['minItems', onSizes(countItems, (size, limit) => size >= limit)],
  ['maxItems', onSizes(countItems, (size, limit) => size <= limit)],
  ['minProperties', onSizes(countMembers, (size, limit) => size >= limit)],
  ['maxProperties', onSizes(countMembers, (size, limit) => size <= limit)],
  [
    'required',
    ({ wanted, value }) =>
      !isJsonObject(value) || listOf(wanted).every((name) => Object.hasOwn(value, String(name))),
  ],
  [
    'dependentRequired',
    ({ wanted, value, read }) =>
      !isJsonObject(value) ||
      entriesOf(wanted).every(
        ([name, required]) => !Object.hasOwn(value, name) || read({ required }, value),
      ),
  ],
  [
    'properties',
    ({ wanted, value, read }) => {
      if (!isJsonObject(value) || !isJsonObject(wanted)) return true;
      for (const name in value) {
        if (Object.hasOwn(wanted, name) && !read(wanted[name], value[name] ?? null)) return false;
      }
      return true;
    },
  ],
  [
    'propertyNames',
    ({ wanted, value, read }) => entriesOf(value).every(([name]) => read(wanted, name)),
  ],
  [
    'prefixItems',
    ({ wanted, value, read }) =>
      !Array.isArray(value) ||
      listOf(wanted).every(
        (one, index) => index >= value.length || read(one, value[index] ?? null),
      ),
  ],
  [
    'items',
    ({ wanted, value, schema, read }) => {
      const { prefixItems } = schema;
      const start = Array.isArray(prefixItems) ? prefixItems.length : 0;
      return !Array.isArray(value) || value.slice(start).every((item) => read(wanted, item));
    },
  ],
  ['allOf', ({ wanted, value, read }) => listOf(wanted).every((one) => read(one, value))],
  ['anyOf', ({ wanted, value, read }) => listOf(wanted).some((one) => read(one, value))],
  [
    'oneOf',
    ({ wanted, value, read }) => listOf(wanted).filter((one) => read(one, value)).length === 1,
  ],
  ['not', ({ wanted, value, read }) => !read(wanted, value)],
  [
    'if',
    ({ wanted, value, schema, read }) =>
      read(read(wanted, value) ? schema['then'] : schema['else'], value),
  ],
]);

/** Returns the items of a list, or what is there in its place. */
function listOf(wanted: JsonValue): readonly JsonValue[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

function onNumbers(keeps: (value: number, limit: number) => boolean): Check {
  return ({ wanted, value }) => typeof value !== 'number' || keeps(value, Number(wanted));
}

function onSizes(
  sizeOf: (value: JsonValue) => number | undefined,
  keeps: (size: number, limit: number) => boolean,
): Check {
  return ({ wanted, value }) => {
    const size = sizeOf(value);
    return size === undefined || keeps(size, Number(wanted));
  };
}

function isWhole(quotient: number): boolean {
  return quotient === Number.parseInt(String(quotient), 10);
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

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Returns true if a value keeps a format of Ajv; one that it does not know allows every value. */
export function keepsFormat(format: AddedFormat | undefined, value: JsonValue): boolean {
  if (format === undefined || format === true) return true;
  const isPlain = typeof format === 'function' || format instanceof RegExp;
  const type = isPlain ? 'string' : (format.type ?? 'string');
  if (typeof value !== type) return true;
  const validate = isPlain ? format : format.validate;
  if (validate instanceof RegExp) return validate.test(String(value));
  return (
    typeof validate !== 'function' || Boolean((validate as (one: JsonValue) => unknown)(value))
  );
}
