import type { Schema } from '../contract/schema-compiler.ts';
import type { JsonValue } from '../json/value.ts';
import type { GenerateValue } from '../prism.ts';

/** What a value is drawn for: the content of a message, or a parameter. */
export interface Described {
  /** Undefined allows every value. */
  readonly schema: Schema | undefined;
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
 */
export type DrawValue = (
  described: Described,
  seed: string,
  manner: Manner,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/** A generator that fails on one draw may succeed on the next. */
const MOST_DRAWS = 10;

/** @param generate makes one value from one seed, which need not keep the schema */
export function createDraw(generate: GenerateValue): DrawValue {
  return async ({ schema, project }, seed) => {
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const drawn = await generate(schema?.pointer, draw === 0 ? seed : `${seed}.${draw}`);
      if (drawn === undefined) return undefined;
      // Generators make up members that a schema merely does not forbid.
      const value = project(drawn);
      if ((schema?.check(value, 'body').length ?? 0) === 0) return value;
    }
    return undefined;
  };
}
