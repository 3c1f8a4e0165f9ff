import type { JsonValue } from '../base/json/value.ts';
import { createRandom } from '../base/random.ts';
import type { Content } from '../contract/content.ts';
import type { Generator } from '../generate/generator.ts';
import type { GenerateValue } from '../generate/prism.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import type { Reasons } from './nothing-found.ts';

/** The content of a message, or a parameter, that a value is generated for. */
type Described = Pick<Content, 'schema' | 'isJson' | 'project'>;

/**
 * How random a value is: `given` takes parts from the document's examples, defaults and constants,
 * and generates the rest; `free` generates everything.
 */
export type Manner = 'given' | 'free';

/**
 * Generates a value that keeps its schema. The same seed gives the same value.
 *
 * @returns undefined if none is found
 * @throws {DiagnosticError} for a schema that cannot be compiled
 */
export type DrawValue = (
  described: Described,
  chance: DrawChance,
  manner: Manner,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

interface DrawMaterial {
  readonly generator: Generator;
  /** The second choice. Its values need not keep the schema. */
  readonly generateByPrism: GenerateValue;
  /** Schemas that contradict themselves are not tried again. */
  readonly reasons: Reasons;
}

export interface DrawChance {
  readonly seed: string;
  /** Milliseconds since 1970; generated dates are near it. */
  readonly now: number;
}

/** How often to try with another seed. */
const MOST_DRAWS = 3;

export function createDraw({ generator, generateByPrism, reasons }: DrawMaterial): DrawValue {
  return (described, { seed, now }, manner) => {
    const { schema, isJson } = described;
    if (schema === undefined) return isJson ? {} : '';
    // Throws at once if the schema cannot be compiled.
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
    // Prism adds members that the schema merely does not forbid.
    const value = project(drawn);
    if (schema.check(value, 'body').length === 0) return value;
  }
  return undefined;
}
