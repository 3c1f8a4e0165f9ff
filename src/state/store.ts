import { type Awaitable, after } from '../base/awaitable.ts';
import type { JsonObject } from '../base/json/value.ts';

/** A resource as it is kept. */
export interface Stored {
  readonly key: string;
  readonly resource: JsonObject;
  /** Greater with each change in its store, never given twice: what has another is another. */
  readonly version: number;
}

/**
 * What a change takes for granted. It is made only where this holds: `any` always does, `absent`
 * where the key is free, a version where the resource still has it.
 */
export type Expected = 'any' | 'absent' | number;

/** One resource that is put or, where there is none, deleted. */
export interface Change {
  readonly collection: string;
  readonly key: string;
  readonly expected: Expected;
  readonly resource: JsonObject | undefined;
}

/** Which resources of a collection, in the order in which they were first put. */
export interface Range {
  /** How many to pass over. */
  readonly offset: number;
  readonly limit: number;
}

/**
 * What one session, or one snapshot, has of resources: collections by name, in each the resources
 * by key, in the order in which they were first put. Keys and names are any text.
 *
 * What cannot be done for now rejects with {@link Problem} STORE_UNAVAILABLE, what there is no
 * room for with STATE_FULL; then nothing has changed, or (STORE_UNAVAILABLE alone) nobody knows.
 */
export interface Store {
  get(collection: string, key: string): Awaitable<Stored | undefined>;
  /** @returns those of the range; the rest of them is asked for by another range */
  list(collection: string, range: Range): Awaitable<readonly Stored[]>;
  count(collection: string): Awaitable<number>;
  /** @returns how many each collection holds that holds any */
  counts(): Awaitable<ReadonlyMap<string, number>>;
  /**
   * Makes all changes or none. Once it is told that they are made they stay, whatever happens to
   * the process where the store outlives it.
   *
   * @returns the versions that the changes got, undefined when what one of them takes for granted
   *   does not hold
   */
  commit(changes: readonly Change[]): Awaitable<readonly number[] | undefined>;
  /** @returns 1, 2, 3… for each name: a number is never given twice until the store is cleared */
  nextNumber(name: string): Awaitable<number>;
  clear(): Awaitable<void>;
}

/**
 * All stores of a mock, by name. One that is opened first holds what the beginning holds; two
 * names never share what is changed later.
 */
export interface Stores {
  /** @returns the store of this name, which begins with what the beginning holds */
  open(name: string): Awaitable<Store>;
  /** @returns true for a name that was opened or copied to, and not dropped since */
  has(name: string): Awaitable<boolean>;
  /** One holds from now on what another holds now; a memory shares, others copy. */
  copy(from: string, to: string): Awaitable<void>;
  /** Whoever opens it again begins anew. */
  drop(name: string): Awaitable<void>;
  names(): Awaitable<readonly string[]>;
  /** Rejects with {@link Problem} STORE_UNAVAILABLE where it cannot be reached. */
  check(): Awaitable<void>;
  /** All that was told to be kept is kept. */
  close(): Awaitable<void>;
}

/** The resources that every store begins with, in the order in which they are to stand. */
export type StoreBeginning = () => Awaitable<readonly Change[]>;

/** A store that cannot be used at all, or a setting that names none: nothing is started on it. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Hears how it goes with a store that others serve. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

const CHUNK = 10_000;

/** @returns all that a collection holds, in its order; at once where the store answers at once */
export function listAll(store: Store, collection: string): Awaitable<readonly Stored[]> {
  return listFrom(store, collection, []);
}

function listFrom(store: Store, collection: string, all: Stored[]): Awaitable<readonly Stored[]> {
  const range = { offset: all.length, limit: CHUNK };
  return after(store.list(collection, range), (part): Awaitable<readonly Stored[]> => {
    for (const one of part) all.push(one);
    return part.length < CHUNK ? all : listFrom(store, collection, all);
  });
}
