import type { JsonObject } from '../json/value.ts';

/** What was created, kept by collection and key; keys compare as text. */
export interface Store {
  /** @returns the collection of this name, empty when nothing was ever put there */
  collection(name: string): Collection;
  /** @returns the names of the collections that hold something */
  names(): readonly string[];
  clear(): void;
  /** @returns a store that holds what this one holds now; neither sees what the other does next */
  fork(): Store;
  /** Holds what another store of the same kind holds now, in place of what it held. */
  restore(source: Store): void;
}

/** The resources of one collection, in the order in which they were first put. */
export interface Collection {
  readonly size: number;
  has(key: string): boolean;
  get(key: string): JsonObject | undefined;
  /** Puts a resource; one that has the key already is replaced, in its place. */
  put(key: string, resource: JsonObject): void;
  delete(key: string): boolean;
  list(): readonly JsonObject[];
  clear(): void;
}
