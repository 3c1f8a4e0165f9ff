import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue, measure } from '../base/json/value.ts';
import type { Violation, ViolationLocation } from '../base/problem.ts';
import { once, remember } from '../base/remember.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { createAjv, createFormats } from './ajv.ts';
import { Undecided } from './applicators.ts';
import { enterScope, NO_SCOPE } from './dynamic-scope.ts';
import { acceptsNumber, keepsFormat } from './formats.ts';
import type { Direction } from './message-direction.ts';
import { compilePattern, type Pattern } from './pattern/pattern.ts';
import { boundRecursion, MOST_ERRORS } from './recursion.ts';
import { findBareTarget } from './references.ts';
import type { Depth } from './schema-keywords.ts';
import { SchemaNodes } from './schema-node.ts';
import { beginAt, Steps } from './schema-place.ts';
import { SchemaReading } from './schema-reading.ts';
import { NO_CHAIN, type ReferencePath, SchemaTranslator } from './schema-translator.ts';
import { type CycleTest, findInPlaceCycles } from './subschemas.ts';
import { addExactKeywords } from './value-keywords.ts';
import { type NameSchema, toViolations } from './violations.ts';

/** A schema of the document. It is read or compiled when it is first used. */
export interface Schema {
  /** Pointer in the document. */
  readonly pointer: string;
  /**
   * Returns every violation of a value; numbers are compared to the last digit.
   *
   * @param location the part of the message that the value is in, for the violations
   * @param at pointer of the value in that part
   * @param depth `structure` passes over formats, patterns, lengths and ranges; all by default
   * @throws {DiagnosticError} if the schema cannot be compiled
   */
  check(
    value: JsonValue,
    location: ViolationLocation,
    at?: string,
    depth?: Depth,
  ): readonly Violation[];
  /**
   * Returns true for a value without violations.
   *
   * @throws {DiagnosticError} if the schema cannot be compiled
   */
  accepts(value: JsonValue): boolean;
}

/** Compiles the document's schemas with Ajv (JSON Schema 2020-12, which OAS 3.1 §4.8.24 extends). */
export class SchemaCompiler {
  /** The same schemas, for readers that compile nothing. */
  readonly nodes: SchemaNodes;
  readonly #isCycle: CycleTest;
  readonly #schemas = { request: new Map<string, Schema>(), response: new Map<string, Schema>() };
  readonly #engines = new Map<string, Engine>();
  readonly #mostSteps: number;

  /** @param mostSteps how often a schema is compared with a value before it is compiled */
  constructor(document: SourceDocument, mostSteps = 10_000) {
    this.#mostSteps = mostSteps;
    this.#isCycle = findInPlaceCycles(document);
    this.nodes = new SchemaNodes(document);
  }

  find(pointer: string, direction: Direction = 'request'): Schema | undefined {
    const isHere = this.nodes.document.schemaAt(pointer) !== undefined;
    return isHere ? this.schemaAt(pointer, direction) : undefined;
  }

  /** Returns the Schema Object at a pointer, for messages of one direction. */
  schemaAt(pointer: string, direction: Direction = 'request'): Schema {
    return remember(this.#schemas[direction], pointer, () => {
      // Nearly all values are small and without exact numbers: they need no look-up.
      let usual: Validator | undefined;
      const validatorFor = (value: JsonValue, depth: Depth): Validator => {
        const size = measure(value);
        const isUsual = depth === 'full' && size > 0 && size <= LARGEST_THOROUGH;
        if (isUsual && usual !== undefined) return usual;
        const validator = this.#engine(size, direction, depth).validatorFor(pointer);
        if (isUsual) usual = validator;
        return validator;
      };
      const check: Schema['check'] = (value, location, at = '', depth = 'full') => {
        const validator = validatorFor(value, depth);
        const errors = validator.findErrors(value);
        if (errors.length === 0) return NO_VIOLATIONS;
        return toViolations(errors, location, at, validator.nameOf);
      };
      const accepts: Schema['accepts'] = (value) => validatorFor(value, 'full').accepts(value);
      return Object.freeze({ pointer, check, accepts });
    });
  }

  /** @param size of the instance, from {@link measure} */
  #engine(size: number, direction: Direction, depth: Depth): Engine {
    const isThorough = Math.abs(size) <= LARGEST_THOROUGH;
    const kind = { isExact: size < 0, isThorough, direction, depth };
    const key = `${kind.isExact} ${isThorough} ${direction} ${depth}`;
    return remember(
      this.#engines,
      key,
      () => new Engine(this.nodes, this.#isCycle, kind, this.#mostSteps),
    );
  }
}

/**
 * The validation of a larger value stops at its first violation: an array of a million wrong items
 * would have a million errors, which need a hundred times the memory of the body.
 */
const LARGEST_THOROUGH = 20_000;

const NO_ERRORS: readonly ErrorObject[] = Object.freeze([]);
const NO_VIOLATIONS: readonly Violation[] = Object.freeze([]);

/** The values that an engine validates. */
interface Kind {
  readonly isExact: boolean;
  /** True for every error of a value, false for the first. */
  readonly isThorough: boolean;
  readonly direction: Direction;
  readonly depth: Depth;
}

type Validate = ValidateFunction & { errors?: null | ErrorObject[] };

/** A schema of one engine. */
interface Validator {
  accepts(value: JsonValue): boolean;
  findErrors(value: JsonValue): readonly ErrorObject[];
  readonly nameOf: NameSchema;
}

/** Returns the validation of values by a function that reads the schema until it is compiled. */
function createValidator(
  read: (value: JsonValue, errors?: ErrorObject[]) => boolean,
  steps: Steps,
  compile: () => Validate,
): Omit<Validator, 'nameOf'> {
  const attempt = (value: JsonValue, errors?: ErrorObject[]): boolean | undefined => {
    if (steps.taken >= steps.most) return undefined;
    try {
      return read(value, errors);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      steps.taken = steps.most;
      return undefined;
    }
  };
  return {
    accepts: (value) => attempt(value) ?? compile()(value),
    findErrors: (value) => {
      const isValid = attempt(value);
      if (isValid === true) return NO_ERRORS;
      const errors: ErrorObject[] = [];
      if (isValid === false && attempt(value, errors) === false && errors.length <= MOST_ERRORS) {
        return errors;
      }
      const validate = compile();
      return validate(value) ? NO_ERRORS : (validate.errors ?? NO_ERRORS);
    },
  };
}

/**
 * One Ajv instance. Each target of a `$ref` is registered under its own key, so that references
 * stay references (circular ones work, shared ones are compiled once) and only the schemas that an
 * operation needs are translated.
 */
class Engine {
  readonly #mostSteps: number;
  readonly #document: SourceDocument;
  readonly #ajv: () => Ajv2020;
  readonly #reading: SchemaReading;
  readonly #translator: SchemaTranslator;
  readonly #keys = new Map<string, string>();
  /** The translated schemas by their keys. */
  readonly #translated = new Map<string, JsonObject | boolean>();
  /** Those of them that Ajv does not know yet. */
  readonly #waiting = new Set<string>();
  readonly #patterns = new Map<string, Pattern>();
  readonly #validators = new Map<string, Validator>();
  readonly #isCycle: CycleTest;
  #registered = 0;

  constructor(
    nodes: SchemaNodes,
    isCycle: CycleTest,
    { isExact, isThorough, direction, depth }: Kind,
    mostSteps: number,
  ) {
    // The exact engine checks its keywords value by value, the quick one large values.
    this.#mostSteps = isExact || !isThorough ? 0 : mostSteps;
    this.#document = nodes.document;
    this.#isCycle = isCycle;
    const register = this.#register.bind(this);
    const patternOf = (text: string) => remember(this.#patterns, text, () => compilePattern(text));
    const settings = { isExact, direction, depth, register, patternOf };
    this.#translator = new SchemaTranslator(nodes, settings);
    // Loaded with the first text of a format: a document may have none.
    const formats = once(createFormats);
    this.#ajv = once(() => {
      const ajv = createAjv(isThorough, patternOf, formats());
      addExactKeywords(ajv);
      return ajv;
    });
    this.#reading = new SchemaReading({
      follow: (key) => ({ pointer: key, schema: this.#translated.get(key) }),
      matches: (pattern, text) => patternOf(pattern).test(text),
      keepsFormat: (format, value) => {
        if (typeof value === 'number') return acceptsNumber(format, value);
        return typeof value !== 'string' || keepsFormat(formats().get(String(format)), value);
      },
    });
  }

  /** @throws {DiagnosticError} if the schema cannot be compiled */
  validatorFor(pointer: string): Validator {
    return remember(this.#validators, pointer, () => {
      // All bare references to one schema share its function.
      const value = this.#document.schemaAt(pointer) ?? true;
      const target = findBareTarget(this.#document, { value, pointer }).pointer;
      return target === pointer ? this.#createValidator(pointer) : this.validatorFor(target);
    });
  }

  #createValidator(pointer: string): Validator {
    const key = this.#attempt(pointer, () => this.#translate(pointer));
    // Ajv compiles a schema with all that it refers to, which may be hundreds.
    const steps = new Steps(this.#mostSteps * Math.max(1, this.#waiting.size / 10));
    const schema = this.#translated.get(key);
    const read = (value: JsonValue, errors?: ErrorObject[]): boolean =>
      this.#reading.accepts(beginAt('#', { schema, value, steps, errors }));
    const compile = once(() => this.#attempt(pointer, () => this.#compile(key)));
    return { ...createValidator(read, steps, compile), nameOf: (one) => this.#nameOf(one) };
  }

  /** Returns the last word of the pointer that a translated reference leads to. */
  #nameOf(schema: JsonValue): string | undefined {
    const key = isJsonObject(schema) ? schema['$ref'] : undefined;
    const [name = ''] = [...this.#keys].find(([, one]) => one === key) ?? [];
    const [pointer = ''] = name.split(' ');
    return pointer.split('/').at(-1) || undefined;
  }

  #attempt<Result>(pointer: string, act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      throw this.#document.fail(
        pointer,
        `this schema cannot be compiled: ${(error as Error).message}`,
        'Correct the schema; JSON Schema 2020-12 is what OpenAPI 3.1 uses.',
      );
    }
  }

  #translate(pointer: string): string {
    const known = this.#keys.size;
    try {
      return this.#register(pointer, { scope: NO_SCOPE, chain: NO_CHAIN });
    } catch (error) {
      // Schemas that were registered on the way may need the one that failed.
      for (const [name, key] of [...this.#keys].slice(known)) {
        this.#keys.delete(name);
        this.#waiting.delete(key);
      }
      throw error;
    }
  }

  #compile(key: string): Validate {
    const ajv = this.#ajv();
    for (const one of this.#waiting) {
      ajv.addSchema(this.#translated.get(one) as JsonObject, one);
      boundRecursion(ajv.schemas[one] ?? {});
    }
    this.#waiting.clear();
    const validate = ajv.getSchema(key);
    if (validate === undefined) throw new Error('it was not found');
    return validate as Validate;
  }

  /**
   * Returns the key under which Ajv knows the schema at a pointer, which is translated for each path
   * of references that changes its meaning.
   */
  #register(pointer: string, path: ReferencePath): string {
    const scope = enterScope(this.#document, path.scope, pointer);
    const chain = this.#isCycle(pointer) ? [...path.chain, pointer] : NO_CHAIN;
    const name = [pointer, ...scope.map(({ resource }) => resource), ...chain].join(' ');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = `document://schemas/${this.#registered++}`;
    this.#keys.set(name, key);
    const schema = this.#document.schemaAt(pointer);
    if (schema === undefined) throw this.#document.fail(pointer, 'there is no schema here');
    const place = { pointer, whole: pointer, scope, chain };
    this.#translated.set(key, this.#translator.translate(schema, place));
    this.#waiting.add(key);
    return key;
  }
}
