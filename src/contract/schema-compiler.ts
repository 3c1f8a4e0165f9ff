import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { DynamicAnchors, SourceDocument } from '../document/source-document.ts';
import { toPointer } from '../json/pointer.ts';
import {
  containsExactNumber,
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  measure,
  setMember,
} from '../json/value.ts';
import type { Violation, ViolationLocation } from '../problem.ts';
import { decideByDiscriminator, readDiscriminator } from './discriminator.ts';
import {
  addExactKeywords,
  replaceByExactKeywords,
  replaceFractionalDivisor,
} from './exact-keywords.ts';
import { InPlaceCycles, isInPlace } from './in-place-cycles.ts';
import { internationalFormats } from './international-formats.ts';
import { findAbsentProperties } from './message-direction.ts';
import { numberFormats } from './number-formats.ts';
import { compilePattern } from './pattern.ts';
import { isWellTyped, passedOverKeywords, subschemaKeywords } from './schema-keywords.ts';
import { toViolations } from './violations.ts';

/** A schema of the document, compiled when it is first used. */
export interface Schema {
  /** Where it stands in the document. */
  readonly pointer: string;
  /**
   * Validates exactly, numbers to the last digit.
   *
   * @param value the instance
   * @param location what part of the message it is, for the violations' words
   * @param at pointer of the instance in that part, where it is not the whole of it
   * @returns every violation; none when the value conforms
   * @throws {DiagnosticError} when the schema cannot be compiled
   */
  check(value: JsonValue, location: ViolationLocation, at?: string): readonly Violation[];
}

/**
 * Which way a message goes. A request need not have what is `readOnly`; an answer never has what is
 * `writeOnly` (OAS 3.0.4 §4.7.24.1, JSON Schema Validation §9.4).
 */
export type Direction = 'request' | 'response';

/** Compiles the document's schemas by Ajv (JSON Schema 2020-12, which OAS 3.1 §4.8.24 extends). */
export class SchemaCompiler {
  readonly #document: SourceDocument;
  readonly #schemas = new Map<string, Schema>();
  readonly #engines = new Map<string, Engine>();

  constructor(document: SourceDocument) {
    this.#document = document;
  }

  /**
   * @param pointer where a Schema Object stands in the document
   * @param direction of the message that the schema describes
   */
  schemaAt(pointer: string, direction: Direction = 'request'): Schema {
    const key = `${direction} ${pointer}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    // Nearly all values are small and ordinary: their validator is kept at hand.
    let usual: Validate | undefined;
    const schema: Schema = {
      pointer,
      check: (value, location, at = '') => {
        const size = measure(value);
        const isUsual = size > 0 && size <= LARGEST_THOROUGH;
        if (isUsual) usual ??= this.#engine('ordinary', 'all', direction).validatorFor(pointer);
        const validate =
          isUsual && usual ? usual : this.#unusualEngine(size, direction).validatorFor(pointer);
        return validate(value) ? NO_VIOLATIONS : toViolations(validate.errors ?? [], location, at);
      },
    };
    this.#schemas.set(key, Object.freeze(schema));
    return schema;
  }

  /** @param size of the instance as {@link measure} has it */
  #unusualEngine(size: number, direction: Direction): Engine {
    const numbers = size < 0 ? 'exact' : 'ordinary';
    const errors = Math.abs(size) > LARGEST_THOROUGH ? 'first' : 'all';
    return this.#engine(numbers, errors, direction);
  }

  #engine(numbers: 'ordinary' | 'exact', errors: 'all' | 'first', direction: Direction): Engine {
    const kind = `${numbers} ${errors} ${direction}`;
    const known = this.#engines.get(kind);
    if (known !== undefined) return known;
    const engine = new Engine(this.#document, numbers, errors, direction);
    this.#engines.set(kind, engine);
    return engine;
  }
}

/**
 * In a larger value only the first violation is looked for: an array of a million wrong items
 * would make a million errors, and take the memory of a hundred such bodies.
 */
const LARGEST_THOROUGH = 20_000;

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([]);

type Validate = ValidateFunction & { errors?: null | ErrorObject[] };

/**
 * One Ajv instance. Each schema that a `$ref` names is registered under a key of its own, so that
 * references stay references (circular ones work, shared ones are compiled once), and only what
 * an operation needs is compiled at all.
 */
class Engine {
  readonly #document: SourceDocument;
  readonly #ajv: Ajv2020;
  readonly #isExact: boolean;
  readonly #direction: Direction;
  readonly #keys = new Map<string, string>();
  readonly #validators = new Map<string, Validate>();
  readonly #cycles: InPlaceCycles;
  #registered = 0;

  constructor(
    document: SourceDocument,
    numbers: 'ordinary' | 'exact',
    errors: 'all' | 'first',
    direction: Direction,
  ) {
    this.#document = document;
    this.#isExact = numbers === 'exact';
    this.#direction = direction;
    this.#cycles = new InPlaceCycles(document);
    this.#ajv = createAjv(errors === 'all');
    addExactKeywords(this.#ajv);
  }

  validatorFor(pointer: string): Validate {
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    const validate = this.#compile(pointer);
    this.#validators.set(pointer, validate);
    return validate;
  }

  #compile(pointer: string): Validate {
    try {
      const validate = this.#ajv.getSchema(
        this.#register(pointer, { scope: NO_SCOPE, chain: NO_CHAIN }),
      );
      if (validate === undefined) throw new Error('it was not found');
      return validate as Validate;
    } catch (error) {
      // Whoever asks again is told the same.
      this.#keys.clear();
      if (error instanceof DiagnosticError) throw error;
      throw this.#document.fail(
        pointer,
        `this schema cannot be compiled: ${(error as Error).message}`,
        'Correct the schema; JSON Schema 2020-12 is what OpenAPI 3.1 uses.',
      );
    }
  }

  /**
   * @param way that the reference came which leads here: a schema that means different things by
   *   different ways is compiled for each
   * @returns the key under which Ajv knows the schema at this pointer
   */
  #register(pointer: string, way: Way): string {
    const scope = this.#enter(way.scope, pointer);
    const chain = this.#cycles.has(pointer) ? [...way.chain, pointer] : NO_CHAIN;
    const name = [pointer, ...scope.map(({ resource }) => resource), ...chain].join(' ');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = `document://schemas/${this.#registered++}`;
    this.#keys.set(name, key);
    const schema = this.#document.schemaAt(pointer);
    if (schema === undefined) throw this.#document.fail(pointer, 'no schema stands here');
    const place = { pointer, whole: pointer, scope, chain };
    this.#ajv.addSchema(this.#translate(schema, place) as JsonObject, key);
    return key;
  }

  #enter(scope: DynamicScope, pointer: string): DynamicScope {
    const around = this.#document.dynamicAnchorsAround(pointer);
    if (around === undefined) return scope;
    return scope.some(({ resource }) => resource === around.resource) ? scope : [...scope, around];
  }

  /** A schema as Ajv is to see it: known keywords only, references by key, data left alone. */
  #translate(schema: JsonObject | boolean, place: SchemaPlace): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema;
    const translated = this.#translateKeywords(schema, place);
    if (this.#direction === 'request') this.#discriminate(schema, translated, place.pointer);
    this.#applyDirection(translated, place.whole);
    moveUnusualProperty(translated);
    completeCondition(translated);
    if (this.#isExact || hasUnusualConstant(translated)) {
      replaceByExactKeywords(translated);
    } else {
      replaceFractionalDivisor(translated);
      roundLimits(translated);
    }
    return translated;
  }

  #translateKeywords(schema: JsonObject, place: SchemaPlace): JsonObject {
    const translated: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (passedOverKeywords.has(keyword) || keyword.startsWith('x-')) continue;
      const translation = this.#translateKeyword(keyword, value, place);
      if (translation === undefined) continue;
      // A reference may stand beside a dynamic one: both are references to Ajv.
      // Ajv takes no list without values, which nothing is one of.
      if (keyword === 'enum' && [translation].flat().length === 0) addToAllOf(translated, false);
      else if (keyword === '$dynamicRef') addToAllOf(translated, { $ref: translation });
      else if (keyword === 'allOf') addToAllOf(translated, ...[translation].flat());
      else setMember(translated, keyword, translation);
    }
    return translated;
  }

  /** @returns undefined for a keyword whose value is of the wrong type: it cannot be applied */
  #translateKeyword(keyword: string, value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (keyword === '$ref') return this.#translateReference(value, place);
    if (keyword === '$dynamicRef') return this.#translateDynamicReference(value, place);
    const { whole } = place;
    const at = place.pointer + toPointer([keyword]);
    const inside = isInPlace(keyword) ? place : { ...place, chain: NO_CHAIN };
    switch (subschemaKeywords.get(keyword)) {
      case 'list': {
        if (!Array.isArray(value) || value.length === 0) return undefined;
        const isPart = keyword === 'allOf';
        return value.map((_, index) => {
          const pointer = `${at}/${index}`;
          return this.#translateAt({ ...inside, pointer, whole: isPart ? whole : pointer });
        });
      }
      case 'map': {
        if (!isJsonObject(value)) return undefined;
        const map: JsonObject = {};
        for (const name of Object.keys(value)) {
          const pointer = at + toPointer([name]);
          setMember(map, name, this.#translateAt({ ...inside, pointer, whole: pointer }));
        }
        return map;
      }
      case 'schema': {
        const isPart = CONDITIONS.has(keyword);
        return this.#translateAt({ ...inside, pointer: at, whole: isPart ? whole : at });
      }
      default:
        return isWellTyped(keyword, value) ? value : undefined;
    }
  }

  /** @returns undefined for a reference to what is being held against the same value already */
  #translateReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const target = this.#findTarget(value, place.pointer);
    return place.chain.includes(target) ? undefined : this.#register(target, place);
  }

  /**
   * A dynamic reference to a dynamic anchor leads to the outermost schema resource of the dynamic
   * scope that has one of this name (JSON Schema Core §8.2.3.2); any other is a plain one.
   */
  #translateDynamicReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const { pointer, scope } = place;
    const target = this.#findTarget(value, pointer);
    const name = value.slice(value.indexOf('#') + 1);
    const isDynamic = this.#document.dynamicAnchorsAround(target)?.anchors.get(name) === target;
    const outermost = scope.find(({ anchors }) => anchors.has(name))?.anchors.get(name);
    return this.#register(isDynamic ? (outermost ?? target) : target, place);
  }

  #findTarget(reference: string, pointer: string): string {
    const target = this.#document.pointerOf(reference, pointer);
    if (this.#document.schemaAt(target) !== undefined) return target;
    throw this.#document.missing(reference, pointer);
  }

  #translateAt(place: SchemaPlace): JsonObject | boolean {
    const schema = this.#document.schemaAt(place.pointer) ?? true;
    const hasOwnScope = isJsonObject(schema) && typeof schema['$id'] === 'string';
    const scope = hasOwnScope ? this.#enter(place.scope, place.pointer) : place.scope;
    return this.#translate(schema, { ...place, scope });
  }

  #discriminate(schema: JsonObject, translated: JsonObject, pointer: string): void {
    const { oneOf } = schema;
    const branches = translated['oneOf'];
    if (!Array.isArray(oneOf) || !Array.isArray(branches)) return;
    const discriminator = readDiscriminator(this.#document, schema, oneOf, pointer);
    if (discriminator === undefined) return;
    delete translated['oneOf'];
    addToAllOf(translated, decideByDiscriminator(discriminator, branches));
  }

  /** Requires and allows what the direction of the message leaves. */
  #applyDirection(translated: JsonObject, whole: string): void {
    const { required, properties } = translated;
    if (!Array.isArray(required) && (this.#direction === 'request' || !isJsonObject(properties))) {
      return;
    }
    const absent = findAbsentProperties(this.#document, whole, this.#direction);
    if (absent.size === 0) return;
    if (Array.isArray(required)) {
      translated['required'] = required.filter((name) => !absent.has(String(name)));
    }
    if (this.#direction === 'response' && isJsonObject(properties)) {
      for (const name of Object.keys(properties)) {
        if (absent.has(name)) setMember(properties, name, false);
      }
    }
  }
}

/** What a schema may mean different things by. */
interface Way {
  readonly scope: DynamicScope;
  /** Pointers of schemas that come back to themselves, and are being held against this value. */
  readonly chain: readonly string[];
}

const NO_CHAIN: readonly string[] = [];

/** A schema on its way to Ajv. */
interface SchemaPlace extends Way {
  readonly pointer: string;
  /**
   * Pointer of the schema that this one is a part of by `allOf`: what the one requires may be a
   * property of the other.
   */
  readonly whole: string;
}

/** The schema resources with dynamic anchors that references led through, outermost first. */
type DynamicScope = readonly DynamicAnchors[];
const NO_SCOPE: DynamicScope = [];

function addToAllOf(schema: JsonObject, ...parts: readonly JsonValue[]): void {
  const { allOf } = schema;
  schema['allOf'] = [...(Array.isArray(allOf) ? allOf : []), ...parts];
}

/** Ajv passes over a property of this name, but not over a pattern that is the name. */
function moveUnusualProperty(schema: JsonObject): void {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return;
  const { ['__proto__']: unusual = true, ...rest } = properties;
  schema['properties'] = rest;
  schema['patternProperties'] = {
    ...(isJsonObject(patternProperties) && patternProperties),
    '^__proto__$': unusual,
  };
}

/**
 * Ajv counts as evaluated what an `if` without `then` looked at even where it failed: the same is
 * said by a choice between the two cases.
 */
function completeCondition(schema: JsonObject): void {
  const { if: condition, then: consequence, else: alternative = true } = schema;
  if (condition === undefined || consequence !== undefined) return;
  delete schema['if'];
  delete schema['else'];
  const otherwise = { allOf: [{ not: condition }, alternative] };
  addToAllOf(schema, { anyOf: [condition, alternative === true ? true : otherwise] });
}

/** Their schemas apply to the same object as the schema in which they stand. */
const CONDITIONS = new Set(['then', 'else']);

/** A constant that Ajv could not write into its code, as it is no double. */
function hasUnusualConstant(schema: JsonObject): boolean {
  return [schema['const'], schema['enum']].some(
    (value) => value !== undefined && containsExactNumber(value),
  );
}

/**
 * Limits as doubles. What comes to this engine are doubles that say exactly what was sent, all of
 * them within ±2^53 or with a fraction; a limit that no double holds lies outside of that, and so
 * does the double next to it: the comparison is still right.
 */
function roundLimits(schema: JsonObject): void {
  for (const keyword of [
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ]) {
    const limit = schema[keyword];
    if (typeof limit === 'bigint' || limit instanceof Decimal) schema[keyword] = Number(limit);
  }
}

const require = createRequire(import.meta.url);

function createAjv(allErrors: boolean): Ajv2020 {
  // Loaded when the first schema is used: a health check needs none of it.
  const library = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new library.Ajv2020({
    allErrors,
    strict: false,
    verbose: true,
    // `toString` and `constructor` are members only when they were sent.
    ownProperties: true,
    validateSchema: false,
    // The meta-schemas are for validating schemas, and take longer to add than a schema to compile.
    meta: false,
    validateFormats: true,
    addUsedSchema: false,
    logger: false,
    // Each is compiled at its first use, while a request waits; a third of that would be this.
    code: { regExp: createPattern, optimize: false },
  });
  addFormats(ajv);
  for (const [name, accepts] of internationalFormats) ajv.addFormat(name, accepts);
  for (const [name, format] of numberFormats) {
    ajv.addFormat(name, { type: 'number', validate: format.accepts });
  }
  ajv.addFormat('byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  ajv.addFormat('binary', true);
  ajv.addFormat('password', true);
  return ajv;
}

/** Ajv wants to know by which name it would write the function into code of its own. */
const createPattern = Object.assign(compilePattern, { code: 'compilePattern' });

function addFormats(ajv: Ajv2020): void {
  const { fullFormats } = require('ajv-formats/dist/formats.js') as {
    fullFormats: Record<string, Parameters<Ajv2020['addFormat']>[1]>;
  };
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
}
