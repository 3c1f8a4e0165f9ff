import type { JsonValue } from '../base/json/value.ts';
import { createRandom } from '../base/random.ts';
import type { Generator } from '../generate/generator.ts';
import type { GenerateValue } from '../generate/prism.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import type { Reasons } from './nothing-found.ts';

/** What a value is drawn for: the content of a message, or a parameter. */
interface Described {
  /** Undefined allows every value. */
  readonly schema: Schema | undefined;
  readonly isJson: boolean;
  /** Keeps of a value what the schema declares. */
  project(value: JsonValue): JsonValue;
}

/**
 * How much of a value is chance: `given` takes what the document gives of its parts, by examples,
 * defaults and constants, and makes up the rest; `free` makes up what it likes.
 */
export type Manner = 'given' | 'free';

/**
 * Draws a value that keeps its schema: the same seed gives the same value.
 *
 * @returns undefined when none is found
 * @throws {DiagnosticError} for a schema that cannot be compiled
 */
export type DrawValue = (
  described: Described,
  chance: DrawChance,
  manner: Manner,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/** What values are drawn by. */
interface DrawMaterial {
  readonly generator: Generator;
  /** Asked where the generator finds nothing; what it makes need not keep the schema. */
  readonly generateByPrism: GenerateValue;
  /** A schema that contradicts itself is not worth asking. */
  readonly reasons: Reasons;
}

/** What a draw depends on besides the schema. */
export interface DrawChance {
  readonly seed: string;
  /** Milliseconds since 1970: dates are about them. */
  readonly now: number;
}

/** A generator that fails on one draw may succeed on the next. */
const MOST_DRAWS = 3;

export function createDraw({ generator, generateByPrism, reasons }: DrawMaterial): DrawValue {
  return (described, { seed, now }, manner) => {
    const { schema, isJson } = described;
    if (schema === undefined) return isJson ? {} : '';
    // Nothing can be held to a schema that cannot be compiled: that is told at once.
    schema.check(null, 'body');
    const chance = { random: createRandom(seed), now };
    const value = generator.generate(schema.pointer, chance, manner);
    if (value !== undefined || reasons.of(schema.pointer).length > 0) return value;
    return drawByPrism(generateByPrism, described, schema, seed);
  };
}

async function drawByPrism(
  generate: GenerateValue,
  { project }: Described,
  schema: Schema,
  seed: string,
): Promise<JsonValue | undefined> {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = await generate(schema.pointer, draw === 0 ? seed : `${seed}.${draw}`);
    if (drawn === undefined) return undefined;
    // Prism makes up members that a schema merely does not forbid.
    const value = project(drawn);
    if (schema.check(value, 'body').length === 0) return value;
  }
  return undefined;
}
