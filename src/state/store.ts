import { type Awaitable, after } from '../base/awaitable.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { Columns } from './columns.ts';

/** A resource in a store. */
export interface Stored {
  readonly key: string;
  readonly resource: JsonObject;
  /** Increases with each change in the store, and is never used twice. */
  readonly version: number;
  /** A text that no other key or resource has, where the store keeps one. */
  readonly text?: string;
  /** Where the store keeps the resource for the next scan: what was derived from it and others. */
  readonly columns?: Columns;
}

/**
 * The condition of a change: `any` always holds, `absent` where there is no resource of this key, a
 * version where the resource still has it.
 */
export type Expected = 'any' | 'absent' | number;

/** A resource to put or, where it is undefined, to delete. */
export interface Change {
  readonly collection: string;
  readonly key: string;
  readonly expected: Expected;
  readonly resource: JsonObject | undefined;
}

/**
 * Returns true for changes that delete, and store no more than notes of it: no limit refuses these.
 * Collections of the mock itself begin with a dollar sign.
 */
export function areDeletions(changes: readonly Change[]): boolean {
  return (
    changes.some(({ resource }) => resource === undefined) &&
    changes.every(({ collection, resource }) => resource === undefined || isOfMock(collection))
  );
}

function isOfMock(collection: string): boolean {
  return collection.startsWith('$');
}

/** The names of the collections that are removed with all their resources. */
export type RemovedCollections = readonly string[] | 'all';

/** A range of a collection, in the order of the first put. */
export interface Range {
  /** How many resources to skip. */
  readonly offset: number;
  readonly limit: number;
  /** True for a reader of all parts that changes no resource: a store may keep them for the next. */
  readonly isScan?: boolean;
}

/** Collections by name, with resources by key in the order of their first put. */
export interface StoredCollections {
  get(collection: string, key: string): Awaitable<Stored | undefined>;
  list(collection: string, range: Range): Awaitable<readonly Stored[]>;
  count(collection: string): Awaitable<number>;
}

/**
 * The resources of one session or one snapshot. Keys and names of collections are any text.
 *
 * A store that cannot be used now rejects with {@link Problem} STORE_UNAVAILABLE, and it is unknown
 * whether anything has changed. A store without room rejects with STATE_FULL, and nothing has.
 */
export interface Store extends StoredCollections {
  /** Returns the size of each collection that is not empty. */
  counts(): Awaitable<ReadonlyMap<string, number>>;
  /**
   * Makes all changes or none. When this resolves, they stay even if the process is killed, where
   * the store outlives the process.
   *
   * @returns the versions of the changes; undefined when one of the conditions does not hold
   */
  commit(changes: readonly Change[]): Awaitable<readonly number[] | undefined>;
  /** Removes collections and then makes the changes, whatever these expect: all or nothing. */
  replace(removed: RemovedCollections, changes: readonly Change[]): Awaitable<void>;
  /** Returns 1, 2, 3… for each name. A number is not given twice. */
  nextNumber(name: string): Awaitable<number>;
}

/** A store as it was at one moment, whatever happens to its original. */
export interface StoreCopy {
  readonly state: Store;
  drop(): Awaitable<void>;
}

/** All stores of a mock, by name. All begin with the same resources, and change apart. */
export interface Stores {
  /** Returns a store, and creates it if it does not exist. */
  open(name: string): Awaitable<Store>;
  /** Returns true for a store that was opened or copied to, and not dropped since. */
  has(name: string): Awaitable<boolean>;
  /** Returns a copy of a store to read it as it is now. The caller drops it. */
  read(name: string): Awaitable<StoreCopy>;
  /** Replaces a store by a copy of another. */
  copy(from: string, to: string): Awaitable<void>;
  /** Removes a store; opened again, it begins again. */
  drop(name: string): Awaitable<void>;
  names(): Awaitable<readonly string[]>;
  /** Rejects with {@link Problem} STORE_UNAVAILABLE where the stores cannot be reached. */
  check(): Awaitable<void>;
  /** Closes the stores after all changes that are under way. */
  close(): Awaitable<void>;
}

/** Stores in this process or in a file, which other processes may use too. */
export interface LocalStores extends Stores {
  has(name: string): boolean;
  /** Notes that a request uses a store, where other processes may use it too. */
  use?(name: string): void;
  /** Returns the stores that other processes have used since the last call, the latest use last. */
  usedByOthers?(): readonly string[];
  /** Returns the snapshots of a session, where other processes may take and remove them, too. */
  snapshotsOf?(session: string): readonly string[];
  /** Returns how many named sessions have a store; undefined while no other process has used one. */
  countSessions?(): number | undefined;
  /**
   * Drops the stores of a session and of its snapshots.
   *
   * @param isUnused keeps them where another process has used the session since
   *   {@link usedByOthers}
   */
  dropSession(name: string, snapshots: Iterable<string>, isUnused: boolean): Awaitable<void>;
}

/** Returns the session, and the snapshot where there is one, of the name of a store. */
export function splitSnapshotStore(name: string): readonly [session: string, snapshot?: string] {
  const end = name.indexOf('/');
  return end < 0 ? [name] : [name.slice(0, end), name.slice(end + 1)];
}

/** Returns the name of the store that has the resources of a snapshot. */
export function nameSnapshotStore(session: string, snapshot: string): string {
  return `${session}/${snapshot}`;
}

/** Returns the resources in which every store begins, in their order. */
export type StoreBeginning = () => Awaitable<readonly Change[]>;

/** A store that cannot be used, or a setting that names none: the mock does not start. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Receives messages about a store that another program serves. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Returns what a collection has under the first of the keys with which the test is true. */
export function findFirst(
  store: StoredCollections,
  collection: string,
  keys: readonly string[],
  isIt: (stored: Stored) => boolean = () => true,
  from = 0,
): Awaitable<Stored | undefined> {
  const key = keys[from];
  if (key === undefined) return undefined;
  return after(store.get(collection, key), (found) =>
    found !== undefined && isIt(found) ? found : findFirst(store, collection, keys, isIt, from + 1),
  );
}

const CHUNK = 10_000;

/** Returns all resources of a collection in their order. */
export function listAll(
  store: StoredCollections,
  collection: string,
): Awaitable<readonly Stored[]> {
  return listInParts(0, (offset, isWhole) => {
    const limit = isWhole ? Number.POSITIVE_INFINITY : CHUNK;
    const listed = store.list(collection, { offset, limit, isScan: true });
    return after(listed, (found) => ({ found, isLast: found.length < limit }));
  });
}

/** A part of a list, and whether nothing comes behind it. */
interface ListPart {
  readonly found: readonly Stored[];
  readonly isLast: boolean;
}

/** How often a list in parts starts again until it is read in one part. */
const MOST_BEGINNINGS = 3;

/**
 * Returns resources that are read in parts. Each part begins with the last resource of the one before:
 * if another one is there, some in front of it were deleted, and the list starts again.
 *
 * @param read returns a part that begins at an offset; all of the list if the second value is true
 */
export function listInParts(
  first: number,
  read: (offset: number, isWhole: boolean) => Awaitable<ListPart>,
  before: Stored[] = [],
  beginnings = 1,
): Awaitable<readonly Stored[]> {
  const last = before.at(-1);
  const offset = last === undefined ? first : first + before.length - 1;
  const part = read(offset, beginnings > MOST_BEGINNINGS);
  return after(part, ({ found, isLast }): Awaitable<readonly Stored[]> => {
    const hasMoved = last !== undefined && found[0]?.key !== last.key;
    if (hasMoved) return listInParts(first, read, [], beginnings + 1);
    for (let index = last === undefined ? 0 : 1; index < found.length; index++) {
      const one = found[index];
      if (one !== undefined) before.push(one);
    }
    return isLast ? before : listInParts(first, read, before, beginnings);
  });
}
