import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type JsonObject, type JsonValue, measure } from '../base/json/value.ts';
import type { Violation, ViolationLocation } from '../base/problem.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { createAjv } from './ajv.ts';
import { enterScope, NO_SCOPE } from './dynamic-scope.ts';
import { addExactKeywords } from './exact-keywords.ts';
import type { Direction } from './message-direction.ts';
import { SchemaNodes } from './schema-node.ts';
import { NO_CHAIN, SchemaTranslator, type Way } from './schema-translator.ts';
import { InPlaceCycles } from './subschemas.ts';
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

/** Compiles the document's schemas by Ajv (JSON Schema 2020-12, which OAS 3.1 §4.8.24 extends). */
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
    const engine = new Engine(this.nodes, this.#cycles, { numbers, errors, direction });
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

/** What the validators of an engine are for. */
interface Kind {
  readonly numbers: 'ordinary' | 'exact';
  readonly errors: 'all' | 'first';
  readonly direction: Direction;
}

type Validate = ValidateFunction & { errors?: null | ErrorObject[] };

/**
 * One Ajv instance. Each schema that a `$ref` names is registered under a key of its own, so that
 * references stay references (circular ones work, shared ones are compiled once), and only what
 * an operation needs is compiled at all.
 */
class Engine {
  readonly #document: SourceDocument;
  readonly #ajv: Ajv2020;
  readonly #translator: SchemaTranslator;
  readonly #keys = new Map<string, string>();
  readonly #validators = new Map<string, Validate>();
  readonly #cycles: InPlaceCycles;
  #registered = 0;

  constructor(nodes: SchemaNodes, cycles: InPlaceCycles, { numbers, errors, direction }: Kind) {
    this.#document = nodes.document;
    this.#cycles = cycles;
    const register = this.#register.bind(this);
    const isExact = numbers === 'exact';
    this.#translator = new SchemaTranslator(nodes, { isExact, direction, register });
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
    const known = new Set(this.#keys.keys());
    try {
      const validate = this.#ajv.getSchema(
        this.#register(pointer, { scope: NO_SCOPE, chain: NO_CHAIN }),
      );
      if (validate === undefined) throw new Error('it was not found');
      return validate as Validate;
    } catch (error) {
      // What was registered on the way may want what failed: whoever asks again is told the same.
      for (const name of this.#keys.keys()) if (!known.has(name)) this.#keys.delete(name);
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
    const scope = enterScope(this.#document, way.scope, pointer);
    const chain = this.#cycles.has(pointer) ? [...way.chain, pointer] : NO_CHAIN;
    const name = [pointer, ...scope.map(({ resource }) => resource), ...chain].join(' ');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = `document://schemas/${this.#registered++}`;
    this.#keys.set(name, key);
    const schema = this.#document.schemaAt(pointer);
    if (schema === undefined) throw this.#document.fail(pointer, 'no schema stands here');
    const place = { pointer, whole: pointer, scope, chain };
    this.#ajv.addSchema(this.#translator.translate(schema, place) as JsonObject, key);
    return key;
  }
}
