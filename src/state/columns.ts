import type { JsonObject } from '../base/json/value.ts';

/** A resource of a scan, or one that was read alone, which has no columns. */
interface Scanned {
  readonly resource: JsonObject;
  readonly columns?: Columns;
}

/** Returns what was derived from the resource at a position of a scan. */
export type ReadColumn<Value> = (scanned: Scanned, position: number) => Value;

/** How many columns there are at most; the one that was used longest ago goes. */
const MOST = 4;

/**
 * What readers of a collection derive from each resource, by position, while a store keeps the
 * resources themselves. It belongs to them: the store drops both.
 */
export class Columns {
  readonly #columns = new Map<string, Column>();

  /** @param name of what is derived, and from what */
  find(name: string): Column {
    const column = this.#columns.get(name) ?? { of: [], values: [] };
    this.#columns.delete(name);
    this.#columns.set(name, column);
    const [oldest = name] = this.#columns.keys();
    if (this.#columns.size > MOST) this.#columns.delete(oldest);
    return column;
  }
}

interface Column {
  /** What each value was derived from: another resource at its position makes it invalid. */
  readonly of: JsonObject[];
  readonly values: unknown[];
}

/**
 * Returns what reads a column during one scan, and derives what it does not have.
 *
 * @param name names also whatever decides what is derived
 */
export function readColumn<Value>(
  name: string,
  derive: (resource: JsonObject) => Value,
): ReadColumn<Value> {
  let column: Column | undefined;
  return ({ resource, columns }, position) => {
    if (columns === undefined) return derive(resource);
    column ??= columns.find(name);
    // The name decides the type.
    if (column.of[position] === resource) return column.values[position] as Value;
    const value = derive(resource);
    // Without a gap: V8 keeps such a list as an array.
    if (position <= column.of.length) {
      column.of[position] = resource;
      column.values[position] = value;
    }
    return value;
  };
}
