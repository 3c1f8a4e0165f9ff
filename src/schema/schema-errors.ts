import type { ErrorObject } from 'ajv/dist/2020.js';
import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { isOfType } from './exact-keywords.ts';
import { MOST_ERRORS } from './recursion.ts';
import { keywordOrder } from './schema-keywords.ts';

type Schema = JsonValue | undefined;

/** The decisions of a reading about one schema or keyword. */
export interface Reader {
  schemaAt(key: string): Schema;
  reads(schema: Schema, value: JsonValue): boolean;
  keeps(keyword: string, schema: JsonObject, value: JsonValue): boolean;
  matches(pattern: string, text: string): boolean;
  isDescribed(schema: JsonObject, name: string): boolean;
}

/** Thrown where only the compiled schema decides. */
export class Undecided extends Error {}

/** A value and the schema that it is compared with, both with their pointers. */
interface Place {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly path: string;
  readonly schemaPath: string;
}

interface Step extends Place {
  readonly schema: JsonObject;
  readonly keyword: string;
  readonly wanted: JsonValue;
}

type Find = (step: Step, found: ErrorObject[]) => void;

/** Finds the errors that a verbose Ajv with `allErrors` reports of a schema, in the same order. */
export class ErrorReading {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** @throws {Undecided} if the compiled schema has to find them */
  find(schema: Schema, value: JsonValue): readonly ErrorObject[] {
    const found: ErrorObject[] = [];
    this.#enter({ schema, value, path: '', schemaPath: '#' }, found);
    if (found.length === 0 || found.length > MOST_ERRORS) throw new Undecided();
    return found;
  }

  #enter(place: Place, found: ErrorObject[]): void {
    const { schema, value } = place;
    if (schema === false) found.push(errorOf({ ...place, keyword: 'false schema' }));
    if (!isJsonObject(schema) || this.#reader.reads(schema, value)) return;
    const types = [schema['type'] ?? []].flat();
    const isOfTypes = types.length === 0 || types.some((type) => isOfType(value, type));
    const mistyped = { ...place, schema, keyword: 'type', wanted: schema['type'] ?? null };
    const wrong = isOfTypes ? [] : [errorOf(mistyped)];
    // Ajv checks a type with the keywords of that type, or before all others if there are none.
    const home = keywordOrder.find(
      ({ type, keywords }) =>
        types.length === 1 &&
        type === types[0] &&
        keywords.some((one) => schema[one] !== undefined),
    );
    if (home === undefined) found.push(...wrong);
    for (const group of keywordOrder) {
      const isMeant = group.type === undefined || isOfType(value, group.type);
      if (isMeant) this.#findIn(group.keywords, { ...place, schema }, found);
      else if (group === home) found.push(...wrong);
    }
  }

  #findIn(keywords: readonly string[], place: Place & Pick<Step, 'schema'>, found: ErrorObject[]) {
    for (const keyword of keywords) {
      const wanted = place.schema[keyword];
      if (wanted !== undefined) this.#findOf({ ...place, keyword, wanted }, found);
    }
  }

  #findOf(step: Step, found: ErrorObject[]): void {
    const { keyword, schema, value } = step;
    const find = this.#applicators.get(keyword);
    if (find !== undefined) find(step, found);
    else if (!this.#reader.keeps(keyword, schema, value)) {
      if (!(keyword in MESSAGES || keyword.startsWith('exact-'))) throw new Undecided();
      found.push(errorOf(step, {}, MESSAGES[keyword]?.(step.wanted)));
    }
  }

  readonly #applicators: ReadonlyMap<string, Find> = new Map<string, Find>([
    [
      '$ref',
      (step, found) => {
        const key = String(step.wanted);
        const schema = this.#reader.schemaAt(key);
        // Ajv writes a schema without references in place, and calls a function for others.
        this.#enter({ ...step, schema, schemaPath: hasReference(schema) ? '#' : key }, found);
      },
    ],
    ['allOf', (step, found) => this.#enterEach(step, found)],
    [
      'anyOf',
      (step, found) => {
        if (this.#reader.keeps('anyOf', step.schema, step.value)) return;
        this.#enterEach(step, found);
        found.push(errorOf(step, {}, 'must match a schema in anyOf'));
      },
    ],
    ['oneOf', (step, found) => this.#findOfOneOf(step, found)],
    [
      'if',
      (step, found) => {
        const failingKeyword = this.#reader.reads(step.wanted, step.value) ? 'then' : 'else';
        const before = found.length;
        const schema = step.schema[failingKeyword];
        this.#enter(below(step, schema, failingKeyword), found);
        if (found.length === before) return;
        found.push(errorOf(step, { failingKeyword }, `must match "${failingKeyword}" schema`));
      },
    ],
    [
      'required',
      (step, found) => {
        for (const missingProperty of [step.wanted].flat()) {
          if (isJsonObject(step.value) && !Object.hasOwn(step.value, String(missingProperty))) {
            found.push(errorOf(step, { missingProperty }));
          }
        }
      },
    ],
    [
      'properties',
      (step, found) => {
        for (const name of membersOf(step.wanted)) this.#enterMember(step, name, name, found);
      },
    ],
    [
      'patternProperties',
      (step, found) => {
        for (const pattern of membersOf(step.wanted)) {
          for (const name of membersOf(step.value)) {
            if (this.#reader.matches(pattern, name)) this.#enterMember(step, pattern, name, found);
          }
        }
      },
    ],
    [
      'additionalProperties',
      (step, found) => {
        for (const name of membersOf(step.value)) {
          if (this.#reader.isDescribed(step.schema, name)) continue;
          if (step.wanted === false) found.push(errorOf(step, { additionalProperty: name }));
          else this.#enterMember(step, undefined, name, found);
        }
      },
    ],
    [
      'prefixItems',
      (step, found) => {
        for (const index of [step.wanted].flat().keys()) this.#enterItem(step, index, found);
      },
    ],
    [
      'items',
      (step, found) => {
        const { prefixItems } = step.schema;
        if (step.wanted === false && prefixItems !== undefined) throw new Undecided();
        const items = Array.isArray(step.value) ? step.value : [];
        const start = Array.isArray(prefixItems) ? prefixItems.length : 0;
        for (let index = start; index < items.length; index++) this.#enterItem(step, index, found);
      },
    ],
  ]);

  #enterEach(step: Step, found: ErrorObject[]): void {
    for (const [index, schema] of [step.wanted].flat().entries()) {
      this.#enter(below(step, schema, `${step.keyword}/${index}`), found);
    }
  }

  #findOfOneOf(step: Step, found: ErrorObject[]): void {
    const branches = [step.wanted].flat();
    const passing: number[] = [];
    const before = found.length;
    for (const [index, schema] of branches.entries()) {
      const length = found.length;
      this.#enter(below(step, schema, `oneOf/${index}`), found);
      if (found.length === length && passing.push(index) === 2) break;
    }
    const message = 'must match exactly one schema in oneOf';
    if (passing.length === 1) found.length = before;
    else
      found.push(errorOf(step, { passingSchemas: passing.length > 0 ? passing : null }, message));
  }

  /** @param key of the schema in the keyword's value; undefined for that value itself */
  #enterMember(step: Step, key: string | undefined, name: string, found: ErrorObject[]): void {
    const { value, wanted, keyword, path } = step;
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return;
    // Ajv passes over a schema of this name.
    if (key === '__proto__') throw new Undecided();
    const schema = key === undefined || !isJsonObject(wanted) ? wanted : wanted[key];
    const inner = below(step, schema, key === undefined ? keyword : keyword + toPointer([key]));
    this.#enter({ ...inner, value: value[name] ?? null, path: path + toPointer([name]) }, found);
  }

  #enterItem(step: Step, index: number, found: ErrorObject[]): void {
    const { value, wanted, keyword, path } = step;
    if (!Array.isArray(value) || index >= value.length) return;
    const isTuple = Array.isArray(wanted);
    const schema = isTuple ? wanted[index] : wanted;
    const inner = below(step, schema, isTuple ? `${keyword}/${index}` : keyword);
    this.#enter({ ...inner, value: value[index] ?? null, path: `${path}/${index}` }, found);
  }
}

function below(place: Place, schema: Schema, name: string): Place {
  const { value, path, schemaPath } = place;
  return { schema, value, path, schemaPath: `${schemaPath}/${name}` };
}

function errorOf(
  place: Place & { readonly keyword: string; readonly wanted?: JsonValue },
  params: Record<string, unknown> = {},
  message?: string,
): ErrorObject {
  const { schema: parentSchema, keyword, wanted = false, value: data, path, schemaPath } = place;
  return {
    keyword,
    instancePath: path,
    schemaPath: `${schemaPath}/${keyword}`,
    params,
    ...(message !== undefined && { message }),
    schema: wanted,
    // Of a schema that is `false`, Ajv reports just that.
    parentSchema: parentSchema as NonNullable<ErrorObject['parentSchema']>,
    data,
  };
}

function membersOf(value: JsonValue): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function hasReference(value: Schema): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  if (!isJsonObject(value)) return false;
  return value['$ref'] !== undefined || Object.values(value).some(hasReference);
}

type Message = (limit: JsonValue) => string;

const noMessage = (): undefined => undefined;
const limited =
  (comparison: string, unit: string): Message =>
  (limit) =>
    `must NOT have ${comparison} than ${String(limit)} ${unit}`;

/** Of the keywords of which a violation says what Ajv says, or what their value is. */
const MESSAGES: Readonly<Record<string, Message | (() => undefined)>> = {
  const: noMessage,
  enum: noMessage,
  minimum: noMessage,
  maximum: noMessage,
  exclusiveMinimum: noMessage,
  exclusiveMaximum: noMessage,
  multipleOf: noMessage,
  format: noMessage,
  pattern: noMessage,
  minLength: limited('fewer', 'characters'),
  maxLength: limited('more', 'characters'),
  minItems: limited('fewer', 'items'),
  maxItems: limited('more', 'items'),
  minProperties: limited('fewer', 'properties'),
  maxProperties: limited('more', 'properties'),
  not: () => 'must NOT be valid',
};
