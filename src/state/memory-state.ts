import { COLLECTION_WEIGHT, MemoryCollection } from './memory-collection.ts';
import { type PackedRecord, packRecord, StoredRecord, weighRecord } from './packed-record.ts';
import { writeResource } from './resource-text.ts';
import { ScannedRecords } from './scanned-records.ts';
import { StateBudget } from './state-budget.ts';
import {
  areDeletions,
  type Change,
  type Range,
  type RemovedCollections,
  type Store,
  type Stored,
} from './store.ts';

/** A store in memory. Copies share what neither has changed. */
export class MemoryState implements Store {
  #budget: StateBudget;
  readonly #scanned: ScannedRecords;
  readonly #collections = new Map<string, MemoryCollection>();
  /** Created for the first number: most stores give none. */
  #numbers: Map<string, number> | undefined;
  #version = 0;

  /** @param scanned is shared by all stores of a mock */
  constructor(budget: StateBudget, scanned: ScannedRecords = new ScannedRecords()) {
    this.#budget = budget;
    this.#scanned = scanned;
  }

  get(collection: string, key: string): Stored | undefined {
    const found = this.#collections.get(collection)?.get(key);
    return found && new StoredRecord(found.record, found.version);
  }

  list(name: string, { offset, limit, isScan = false }: Range): readonly Stored[] {
    const collection = this.#collections.get(name);
    if (collection === undefined) return [];
    if (!isScan) return collection.list(offset, limit, readRecord);
    const known = this.#scanned.sliceOf(collection, offset, limit);
    return known ?? collection.list(offset, limit, this.#scanned.readerOf(collection, offset));
  }

  count(collection: string): number {
    return this.#collections.get(collection)?.size ?? 0;
  }

  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#collections].map(([name, { size }]) => [name, size]));
  }

  commit(changes: readonly Change[]): readonly number[] | undefined {
    const [first] = changes;
    // Most requests change one resource: nothing is allocated for it but the record.
    if (first !== undefined && changes.length === 1) return this.#commitOne(first);
    for (const change of changes) if (!this.#holds(change)) return undefined;
    const records = packChanges(changes);
    this.#demandRoom(changes, records);
    return changes.map((change, index) => this.#make(change, records[index]));
  }

  replace(removed: RemovedCollections, changes: readonly Change[]): void {
    const names = new Set(removed === 'all' ? this.#collections.keys() : removed);
    const records = packChanges(changes);
    this.#demandRoom(changes, records, names);
    for (const name of names) {
      this.#collections.get(name)?.clear();
      this.#collections.delete(name);
    }
    for (const [index, change] of changes.entries()) this.#make(change, records[index]);
  }

  #commitOne(change: Change): readonly number[] | undefined {
    if (!this.#holds(change)) return undefined;
    const { collection, key, resource } = change;
    if (resource === undefined) return [this.#make(change, undefined)];
    const record = packRecord(key, writeResource(resource));
    const room = weighRecord(record) + (this.#collections.has(collection) ? 0 : COLLECTION_WEIGHT);
    if (!this.#budget.hasRoom(room)) this.#demandRoom([change], [record]);
    return [this.#make(change, record)];
  }

  nextNumber(name: string): number {
    this.#numbers ??= new Map();
    const number = (this.#numbers.get(name) ?? 0) + 1;
    this.#numbers.set(name, number);
    return number;
  }

  /** Empties a store that was dropped. Requests that still use it take no room of the budget. */
  end(): void {
    this.#clear();
    this.#budget = new StateBudget(Number.POSITIVE_INFINITY);
  }

  /** Becomes a copy of another store; its next version is greater than all of both stores. */
  takeOver(other: MemoryState): void {
    if (other === this) return;
    this.#clear();
    for (const [name, collection] of other.#collections) {
      this.#collections.set(name, new MemoryCollection(this.#budget, collection));
    }
    if (other.#numbers !== undefined) this.#numbers = new Map(other.#numbers);
    this.#version = Math.max(this.#version, other.#version);
  }

  #clear(): void {
    for (const collection of this.#collections.values()) collection.clear();
    this.#collections.clear();
    this.#numbers = undefined;
  }

  #holds({ collection, key, expected }: Change): boolean {
    if (expected === 'any') return true;
    const version = this.#collections.get(collection)?.get(key)?.version;
    return version === (expected === 'absent' ? undefined : expected);
  }

  /** @param removed the collections that make room first */
  #demandRoom(
    changes: readonly Change[],
    records: readonly (PackedRecord | undefined)[],
    removed: ReadonlySet<string> = NONE,
  ): void {
    const begun = new Set<string>();
    let room = 0;
    for (const [index, { collection }] of changes.entries()) {
      const record = records[index];
      if (record === undefined) continue;
      room += weighRecord(record);
      if (!this.#collections.has(collection)) begun.add(collection);
    }
    room += begun.size * COLLECTION_WEIGHT;
    if (this.#budget.hasRoom(room) || areDeletions(changes)) return;
    for (const { collection, key } of changes) {
      if (removed.has(collection)) continue;
      room -= this.#collections.get(collection)?.weighReplaced(key) ?? 0;
    }
    for (const name of removed) room -= this.#collections.get(name)?.weighRecords() ?? 0;
    this.#budget.demand(room);
  }

  #make({ collection, key }: Change, record: PackedRecord | undefined): number {
    const version = ++this.#version;
    let resources = this.#collections.get(collection);
    if (record === undefined) {
      resources?.delete(key);
      if (resources?.size === 0) this.#collections.delete(collection);
      return version;
    }
    if (resources === undefined) {
      resources = new MemoryCollection(this.#budget);
      this.#collections.set(collection, resources);
    }
    resources.put(key, record, version);
    return version;
  }
}

const NONE: ReadonlySet<string> = new Set();

function packChanges(changes: readonly Change[]): readonly (PackedRecord | undefined)[] {
  return changes.map(({ key, resource }) =>
    resource === undefined ? undefined : packRecord(key, writeResource(resource)),
  );
}

function readRecord(record: PackedRecord, version: number): Stored {
  return new StoredRecord(record, version);
}
