import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type JsonObject, type JsonValue, measure } from '../base/json/value.ts';
import type { Violation, ViolationLocation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { createAjv } from './ajv.ts';
import { enterScope, NO_SCOPE } from './dynamic-scope.ts';
import { addExactKeywords } from './exact-keywords.ts';
import type { Direction } from './message-direction.ts';
import { boundRecursion } from './recursion.ts';
import { findBareTarget } from './references.ts';
import { SchemaNodes } from './schema-node.ts';
import { NO_CHAIN, type ReferencePath, SchemaTranslator } from './schema-translator.ts';
import { InPlaceCycles } from './subschemas.ts';
import { toViolations } from './violations.ts';

/** A schema of the document. It is compiled when it is first used. */
export interface Schema {
  /** Pointer in the document. */
  readonly pointer: string;
  /**
   * Returns every violation of a value; numbers are compared to the last digit.
   *
   * @param location the part of the message that the value is in, for the violations
   * @param at pointer of the value in that part
   * @throws {DiagnosticError} if the schema cannot be compiled
   */
  check(value: JsonValue, location: ViolationLocation, at?: string): readonly Violation[];
}

/** Compiles the document's schemas with Ajv (JSON Schema 2020-12, which OAS 3.1 §4.8.24 extends). */
export class SchemaCompiler {
  /** The same schemas, for readers that compile nothing. */
  readonly nodes: SchemaNodes;
  readonly #cycles: InPlaceCycles;
  readonly #schemas = new Map<string, Schema>();
  readonly #engines = new Map<string, Engine>();

  constructor(document: SourceDocument) {
    this.#cycles = new InPlaceCycles(document);
    this.nodes = new SchemaNodes(document);
  }

  /** Returns the schema at a pointer; undefined for none. */
  find(pointer: string, direction: Direction = 'request'): Schema | undefined {
    const isHere = this.nodes.document.schemaAt(pointer) !== undefined;
    return isHere ? this.schemaAt(pointer, direction) : undefined;
  }

  /** Returns the Schema Object at a pointer, for messages of one direction. */
  schemaAt(pointer: string, direction: Direction = 'request'): Schema {
    return remember(this.#schemas, `${direction} ${pointer}`, () => {
      // Nearly all values are small and without exact numbers: they need no look-up.
      let usual: Validate | undefined;
      const check: Schema['check'] = (value, location, at = '') => {
        const size = measure(value);
        const isUsual = size > 0 && size <= LARGEST_THOROUGH;
        if (isUsual) usual ??= this.#engine(size, direction).validatorFor(pointer);
        const validate =
          isUsual && usual ? usual : this.#engine(size, direction).validatorFor(pointer);
        return validate(value) ? NO_VIOLATIONS : toViolations(validate.errors ?? [], location, at);
      };
      return Object.freeze({ pointer, check });
    });
  }

  /** @param size of the instance, from {@link measure} */
  #engine(size: number, direction: Direction): Engine {
    const isThorough = Math.abs(size) <= LARGEST_THOROUGH;
    const kind = { isExact: size < 0, isThorough, direction };
    const key = `${kind.isExact} ${isThorough} ${direction}`;
    return remember(this.#engines, key, () => new Engine(this.nodes, this.#cycles, kind));
  }
}

/**
 * The validation of a larger value stops at its first violation: an array of a million wrong items
 * would have a million errors, which need a hundred times the memory of the body.
 */
const LARGEST_THOROUGH = 20_000;

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([]);

/** The values that an engine validates. */
interface Kind {
  readonly isExact: boolean;
  /** True for every error of a value, false for the first. */
  readonly isThorough: boolean;
  readonly direction: Direction;
}

type Validate = ValidateFunction & { errors?: null | ErrorObject[] };

/**
 * One Ajv instance. Each target of a `$ref` is registered under its own key, so that references
 * stay references (circular ones work, shared ones are compiled once) and only the schemas that an
 * operation needs are compiled.
 */
class Engine {
  readonly #document: SourceDocument;
  readonly #ajv: Ajv2020;
  readonly #translator: SchemaTranslator;
  readonly #keys = new Map<string, string>();
  readonly #validators = new Map<string, Validate>();
  readonly #cycles: InPlaceCycles;
  #registered = 0;

  constructor(nodes: SchemaNodes, cycles: InPlaceCycles, { isExact, isThorough, direction }: Kind) {
    this.#document = nodes.document;
    this.#cycles = cycles;
    const register = this.#register.bind(this);
    this.#translator = new SchemaTranslator(nodes, { isExact, direction, register });
    this.#ajv = createAjv(isThorough);
    addExactKeywords(this.#ajv);
  }

  validatorFor(pointer: string): Validate {
    return remember(this.#validators, pointer, () => {
      // All bare references to one schema share its function.
      const value = this.#document.schemaAt(pointer) ?? true;
      const target = findBareTarget(this.#document, { value, pointer }).pointer;
      return target === pointer ? this.#compile(pointer) : this.validatorFor(target);
    });
  }

  #compile(pointer: string): Validate {
    const known = this.#keys.size;
    try {
      const key = this.#register(pointer, { scope: NO_SCOPE, chain: NO_CHAIN });
      const validate = this.#ajv.getSchema(key);
      if (validate === undefined) throw new Error('it was not found');
      return validate as Validate;
    } catch (error) {
      // Schemas that were registered on the way may need the one that failed.
      for (const name of [...this.#keys.keys()].slice(known)) this.#keys.delete(name);
      if (error instanceof DiagnosticError) throw error;
      throw this.#document.fail(
        pointer,
        `this schema cannot be compiled: ${(error as Error).message}`,
        'Correct the schema; JSON Schema 2020-12 is what OpenAPI 3.1 uses.',
      );
    }
  }

  /**
   * Returns the key under which Ajv knows the schema at a pointer, which is compiled for each path
   * of references that changes its meaning.
   */
  #register(pointer: string, path: ReferencePath): string {
    const scope = enterScope(this.#document, path.scope, pointer);
    const chain = this.#cycles.has(pointer) ? [...path.chain, pointer] : NO_CHAIN;
    const name = [pointer, ...scope.map(({ resource }) => resource), ...chain].join(' ');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = `document://schemas/${this.#registered++}`;
    this.#keys.set(name, key);
    const schema = this.#document.schemaAt(pointer);
    if (schema === undefined) throw this.#document.fail(pointer, 'there is no schema here');
    const place = { pointer, whole: pointer, scope, chain };
    this.#ajv.addSchema(this.#translator.translate(schema, place) as JsonObject, key);
    boundRecursion(this.#ajv.schemas[key] ?? {});
    return key;
  }
}
