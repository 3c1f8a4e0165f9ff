import { isNumber } from '../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { acceptsNumber } from '../schema/formats.ts';
import type { Direction } from '../schema/message-direction.ts';
import { beginAt, type Place, pointerOf, type Schema, Steps } from '../schema/schema-place.ts';
import { SchemaReading } from '../schema/schema-reading.ts';
import type { ConstraintStore } from './space/constraint-store.ts';
import type { Constraints } from './space/constraints.ts';
import { ObjectRules } from './space/part-rules.ts';
import type { TextFormats } from './text/formats.ts';

/**
 * Checks whether a value conforms to a schema while the rest of the document's value is not built
 * yet: to choose between branches and samples. The compiled validator then checks the whole.
 */
export class Evaluator {
  readonly #store: ConstraintStore;
  readonly #direction: Direction;
  readonly #reading: SchemaReading;
  readonly #steps = new Steps();
  readonly #absent = new Map<string, ReadonlySet<string>>();
  /** The schemas to compare with, by those that the document has in their places. */
  readonly #schemas = new WeakMap<JsonObject, { readonly schema: Schema }>();

  constructor(store: ConstraintStore, direction: Direction, formats: TextFormats) {
    this.#store = store;
    this.#direction = direction;
    this.#reading = new SchemaReading({
      follow: (reference, from) => ({ pointer: store.space.pointerOf(reference, pointerOf(from)) }),
      schemaIn: (place) => this.#schemaIn(place),
      matches: (pattern, text) => store.patterns.matches(pattern, text),
      keepsFormat: (format, value) =>
        isNumber(value) ? acceptsNumber(format, value) : formats.accepts(format, value),
      absentAt: (pointer) => this.#absentAt([pointer], pointer),
      forbidsAbsent: direction === 'response',
    });
  }

  /** The number of schemas that values were compared with. */
  get steps(): number {
    return this.#steps.taken;
  }

  /** Returns true when the value conforms to all schemas that the constraints were merged from. */
  conforms({ selection, key }: Constraints, value: JsonValue): boolean {
    const pointers = [...selection.roots, ...[...selection.chosen.values()].flat()];
    const absent = this.#absentAt(selection.roots, key);
    return pointers.every((pointer) => this.accepts(pointer, value, absent));
  }

  /** @param absent the members that the value cannot have, whatever the schema says */
  accepts(pointer: string, value: JsonValue, absent?: ReadonlySet<string>): boolean {
    return this.#reading.accepts(
      beginAt(pointer, { value, steps: this.#steps, ...(absent && { absent }) }),
    );
  }

  /** Returns the schema to compare with at a place, in JSON Schema 2020-12. */
  #schemaIn(place: Place): Schema {
    const { schema: written } = place;
    const find = () => ({ schema: this.#store.space.schemaAt(pointerOf(place)) });
    return isJsonObject(written) ? remember(this.#schemas, written, find).schema : find().schema;
  }

  #absentAt(pointers: readonly string[], key: string): ReadonlySet<string> {
    return remember(this.#absent, key, () => {
      const rules = new ObjectRules(this.#store, this.#store.of(pointers), this.#direction);
      return new Set(rules.names.filter((name) => rules.isAbsent(name)));
    });
  }
}
