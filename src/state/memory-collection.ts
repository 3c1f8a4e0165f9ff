import { createHashSeed } from '../base/random.ts';
import { hasKey, LongRecord, type PackedRecord, weighRecord } from './packed-record.ts';
import { NODE, SharedTree, type TreeLeaf, WIDTH } from './shared-tree.ts';
import type { StateBudget } from './state-budget.ts';
import type { Stored } from './store.ts';

/** How many keys a leaf has on average before there are more leaves. */
const LEAF_SIZE = 64;

/** The approximate memory of a leaf with keys, and of each key, in V8; bytes. */
const LEAF = 140;
const ENTRY = 22;

/** The memory of a collection without its records; bytes. */
export const COLLECTION_WEIGHT = LEAF + ENTRY + NODE;

/** Differs in each process, so that a client cannot choose keys with the same hash. */
const SEED = createHashSeed();

/** A record and its version. */
export interface VersionedRecord {
  readonly record: PackedRecord;
  readonly version: number;
}

export type ReadRecord = (record: PackedRecord, version: number, place: number) => Stored;

/**
 * The records of a collection, each with a number in the order of their first put; another tree
 * finds the number by the hash of the key. Copies of a collection share what neither has changed.
 */
export class MemoryCollection {
  readonly #budget: StateBudget;
  /** Has the keys, which would take twice the memory if the other tree had them too. */
  readonly #records: SharedTree<RecordLeaf>;
  readonly #keys: SharedTree<KeyLeaf>;
  /** How many leaves the keys are spread over. */
  #leaves = 1;
  #next = 0;
  /** How often a record was put or deleted. */
  changes = 0;
  /** The key of the last search: a key is put right after it was searched. */
  #key: string | undefined;
  #hash = 0;
  #number: number | undefined;
  /** What the last integer that was found by its hash differs from its number by. */
  #shift = 0;
  /** True while integers differ from their numbers by the same. */
  #isShifted = false;

  constructor(budget: StateBudget, original?: MemoryCollection) {
    this.#budget = budget;
    if (original === undefined) {
      this.#records = new SharedTree(budget, () => new RecordLeaf(budget));
      this.#keys = new SharedTree(budget, () => new KeyLeaf(budget));
      return;
    }
    this.#records = original.#records.share();
    this.#keys = original.#keys.share();
    this.#leaves = original.#leaves;
    this.#next = original.#next;
  }

  get size(): number {
    return this.#records.count;
  }

  get(key: string): VersionedRecord | undefined {
    const number = this.#find(key);
    return number === undefined ? undefined : this.#leafOf(number)?.at(number % WIDTH);
  }

  /** @param read returns the resource of a record; its place is counted from the offset */
  list(offset: number, limit: number, read: ReadRecord): readonly Stored[] {
    const found: Stored[] = [];
    if (limit === 0) return found;
    this.#records.visitFrom(offset, (leaf, before) => {
      leaf.list(before, limit, found, read);
      return found.length < limit;
    });
    return found;
  }

  /** @param record of this key */
  put(key: string, record: PackedRecord, version: number): void {
    const known = this.#find(key);
    const number = known ?? this.#next++;
    this.changes++;
    const leaf = this.#records.change(Math.floor(number / WIDTH), known === undefined ? 1 : 0);
    leaf?.set(this.#budget, number % WIDTH, record, version);
    if (known === undefined) this.#addKey(number);
  }

  delete(key: string): void {
    const number = this.#find(key);
    if (number === undefined) return;
    this.changes++;
    this.#hash = hashOf(key);
    const keys = this.#keys.change(this.#placeOf(this.#hash), -1);
    keys?.remove(this.#budget, this.#search(keys, key));
    this.#number = undefined;
    const leaf = this.#records.change(Math.floor(number / WIDTH), -1);
    leaf?.set(this.#budget, number % WIDTH, undefined, 0);
  }

  /** Returns the bytes that a replacement of the record frees: none where a copy shares it. */
  weighReplaced(key: string): number {
    const number = this.#find(key) ?? -1;
    const leaf = this.#records.find(Math.floor(number / WIDTH), true);
    return weighOwn(leaf?.recordAt(number % WIDTH));
  }

  /** Returns the bytes of the records that no copy shares. */
  weighRecords(): number {
    let bytes = 0;
    for (let number = 0; number < this.#next; number += WIDTH) {
      const leaf = this.#records.find(number / WIDTH, true);
      for (let slot = 0; leaf !== undefined && slot < WIDTH; slot++) {
        bytes += weighOwn(leaf.recordAt(slot));
      }
    }
    return bytes;
  }

  /** Frees what no copy shares. */
  clear(): void {
    this.#records.clear();
    this.#keys.clear();
  }

  #leafOf(number: number): RecordLeaf | undefined {
    return this.#records.find(Math.floor(number / WIDTH));
  }

  #find(key: string): number | undefined {
    if (key === this.#key) return this.#number;
    this.#key = key;
    const integer = integerOf(key);
    this.#number = integer < 0 ? undefined : this.#guess(integer, key);
    if (this.#number !== undefined) return this.#number;
    this.#hash = hashOf(key);
    const leaf = this.#keys.find(this.#placeOf(this.#hash));
    this.#number = leaf?.numbers[this.#search(leaf, key)];
    if (integer >= 0 && this.#number !== undefined) {
      const shift = this.#number - integer;
      this.#isShifted = shift === this.#shift;
      this.#shift = shift;
    }
    return this.#number;
  }

  /** Returns the number of a key of consecutive integers, without the tree of keys. */
  #guess(integer: number, key: string): number | undefined {
    const number = integer + this.#shift;
    if (!this.#isShifted || number < 0 || number >= this.#next) return undefined;
    const record = this.#leafOf(number)?.recordAt(number % WIDTH);
    return record !== undefined && hasKey(record, key) ? number : undefined;
  }

  /** Returns the position in a leaf of the key that is searched; -1 where it is not there. */
  #search({ hashes, numbers }: KeyLeaf, key: string): number {
    let place = hashes.indexOf(this.#hash);
    while (place >= 0) {
      const number = numbers[place] ?? -1;
      const record = this.#leafOf(number)?.recordAt(number % WIDTH);
      if (record !== undefined && hasKey(record, key)) break;
      place = hashes.indexOf(this.#hash, place + 1);
    }
    return place;
  }

  #addKey(number: number): void {
    this.#number = number;
    this.#keys.change(this.#placeOf(this.#hash), 1)?.add(this.#budget, this.#hash, number);
    if (this.#keys.count > this.#leaves * LEAF_SIZE) this.#addLeaf();
  }

  /** Returns the leaf of a hash (linear hashing): its last bits, as many as there are leaves for. */
  #placeOf(hash: number): number {
    const bit = 1 << (31 - Math.clz32(this.#leaves));
    const place = hash & (2 * bit - 1);
    return place < this.#leaves ? place : place - bit;
  }

  /** Adds a leaf, and moves keys there from the leaf that has them. */
  #addLeaf(): void {
    const from = this.#placeOf(this.#leaves);
    const added = this.#leaves++;
    const isMoved = (hash: number): boolean => this.#placeOf(hash) === added;
    const leaf = this.#keys.find(from);
    const count = leaf?.hashes.filter(isMoved).length ?? 0;
    if (leaf === undefined || count === 0) return;
    const target = this.#keys.change(added, count);
    for (const [place, hash] of leaf.hashes.entries()) {
      if (isMoved(hash)) target?.add(this.#budget, hash, leaf.numbers[place] ?? -1);
    }
    const rest = this.#keys.change(from, -count);
    for (let place = leaf.hashes.length - 1; rest !== undefined && place >= 0; place--) {
      if (isMoved(leaf.hashes[place] ?? 0)) rest.remove(this.#budget, place);
    }
  }
}

/** Keys by their hashes, each as the number of its record. */
class KeyLeaf implements TreeLeaf<KeyLeaf> {
  holders = 1;
  readonly hashes: number[];
  readonly numbers: number[];

  constructor(budget: StateBudget, hashes: number[] = [], numbers: number[] = []) {
    budget.take(LEAF + ENTRY * hashes.length);
    this.hashes = hashes;
    this.numbers = numbers;
  }

  get count(): number {
    return this.hashes.length;
  }

  add(budget: StateBudget, hash: number, number: number): void {
    budget.take(ENTRY);
    this.hashes.push(hash);
    this.numbers.push(number);
  }

  /** Moves the last key to the place of the removed one. */
  remove(budget: StateBudget, place: number): void {
    const hash = this.hashes.pop();
    const number = this.numbers.pop();
    if (hash === undefined || number === undefined) return;
    budget.take(-ENTRY);
    if (place === this.hashes.length) return;
    this.hashes[place] = hash;
    this.numbers[place] = number;
  }

  copy(budget: StateBudget): KeyLeaf {
    return new KeyLeaf(budget, this.hashes.slice(), this.numbers.slice());
  }

  free(budget: StateBudget): void {
    budget.take(-LEAF - ENTRY * this.hashes.length);
  }
}

/** Records by the last digits of their number. */
class RecordLeaf implements TreeLeaf<RecordLeaf> {
  holders = 1;
  count = 0;
  /** Each record and, beside it, its version: memory outside the caches is what a look-up costs. */
  readonly #slots: (PackedRecord | number | undefined)[];

  constructor(budget: StateBudget, slots: (PackedRecord | number | undefined)[] = []) {
    budget.take(NODE);
    this.#slots = slots;
  }

  recordAt(slot: number): PackedRecord | undefined {
    const record = this.#slots[2 * slot];
    return typeof record === 'number' ? undefined : record;
  }

  at(slot: number): VersionedRecord | undefined {
    const record = this.recordAt(slot);
    return record === undefined ? undefined : { record, version: this.#versionAt(slot) };
  }

  set(budget: StateBudget, slot: number, record: PackedRecord | undefined, version: number): void {
    const before = this.recordAt(slot);
    this.#slots[2 * slot] = record;
    this.#slots[2 * slot + 1] = version;
    if (record !== undefined) {
      budget.take(weighRecord(record));
      this.count++;
    }
    if (before !== undefined) {
      drop(budget, before);
      this.count--;
    }
  }

  /** Adds the resources from a position until there are as many as wanted. */
  list(offset: number, limit: number, found: Stored[], read: ReadRecord): void {
    let left = offset;
    for (let slot = 0; 2 * slot < this.#slots.length && found.length < limit; slot++) {
      const record = this.recordAt(slot);
      if (record === undefined || left-- > 0) continue;
      found.push(read(record, this.#versionAt(slot), found.length));
    }
  }

  copy(budget: StateBudget): RecordLeaf {
    const copy = new RecordLeaf(budget, this.#slots.slice());
    copy.count = this.count;
    for (const record of this.#records()) {
      if (record instanceof LongRecord) record.holders++;
      // A short record counts for each leaf that has it: at most a kilobyte.
      else budget.take(weighRecord(record));
    }
    return copy;
  }

  free(budget: StateBudget): void {
    budget.take(-NODE);
    for (const record of this.#records()) drop(budget, record);
  }

  #versionAt(slot: number): number {
    const version = this.#slots[2 * slot + 1];
    return typeof version === 'number' ? version : 0;
  }

  #records(): readonly PackedRecord[] {
    return this.#slots.filter((one) => one !== undefined && typeof one !== 'number');
  }
}

/** Returns the bytes of a record; none where a copy shares it. */
function weighOwn(record: PackedRecord | undefined): number {
  const isShared = record instanceof LongRecord && record.holders > 1;
  return record === undefined || isShared ? 0 : weighRecord(record);
}

function drop(budget: StateBudget, record: PackedRecord): void {
  if (record instanceof LongRecord && --record.holders > 0) return;
  budget.take(-weighRecord(record));
}

/** Returns the integer that a key is, up to nine digits; -1 for any other key. */
function integerOf(key: string): number {
  if (key.length > MOST_DIGITS) return -1;
  let integer = 0;
  for (let index = 0; index < key.length; index++) {
    const digit = key.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    integer = 10 * integer + digit;
  }
  return integer;
}

const MOST_DIGITS = 9;

/** Puts keys that differ in the last character into one leaf: most are consecutive integers. */
function hashOf(key: string): number {
  const last = key.charCodeAt(key.length - 1);
  if (!(last < 128)) return hashFrom(key, key.length);
  return (last << GROUP_BITS) | (hashFrom(key, key.length - 1) & (2 ** GROUP_BITS - 1));
}

const GROUP_BITS = 25;

/** FNV-1a, with its high bits mixed into the low ones, which choose the leaf. */
function hashFrom(key: string, length: number): number {
  let hash = SEED;
  for (let index = 0; index < length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
