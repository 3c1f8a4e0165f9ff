import { hasKey, LongRecord, type PackedRecord, weighRecord } from './packed-record.ts';
import type { StateBudget } from './state-budget.ts';

/** Slots of a node. */
const WIDTH = 32;

/** The approximate memory of a node in V8; bytes. */
const NODE = 110 + 8 * WIDTH;

/** The memory of an order with one record, without the record; bytes. */
export const ORDER_WEIGHT = NODE;

/** A record and its version. */
export interface VersionedRecord {
  readonly record: PackedRecord;
  readonly version: number;
}

/**
 * Records in the order of their first put, each with a number. They are in a tree by number, whose
 * nodes have the count of their records, so that a position is found quickly whatever was deleted
 * before it. Copies share nodes, as in the index.
 */
export class RecordOrder {
  readonly #budget: StateBudget;
  #root: Node | undefined;
  /** How many numbers a slot of the root has. */
  #span = 1;
  #next = 0;

  constructor(budget: StateBudget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#root?.count ?? 0;
  }

  get(number: number): VersionedRecord | undefined {
    return this.#leafOf(number)?.at(number % WIDTH);
  }

  hasKey(number: number, key: string): boolean {
    const record = this.#leafOf(number)?.records[number % WIDTH];
    return record !== undefined && hasKey(record, key);
  }

  /** Returns the bytes that a replacement of the record frees: none where a copy shares it. */
  weighUnshared(number: number): number {
    let node = this.#root;
    for (let span = this.#span; node instanceof Branch && node.holders === 1; span /= WIDTH) {
      node = node.children[slotOf(number, span)];
    }
    if (!(node instanceof Leaf) || node.holders > 1) return 0;
    const record = node.records[number % WIDTH];
    if (record === undefined || (record instanceof LongRecord && record.holders > 1)) return 0;
    return weighRecord(record);
  }

  /** Returns the number of the record. */
  append(record: PackedRecord, version: number): number {
    const number = this.#next++;
    while (number >= this.#span * WIDTH) this.#grow();
    this.#root = this.#set(this.#root, number, record, version, this.#span);
    return number;
  }

  replace(number: number, record: PackedRecord, version: number): void {
    this.#root = this.#set(this.#root, number, record, version, this.#span);
  }

  delete(number: number): void {
    if (this.#root !== undefined) this.#root = this.#delete(this.#root, number, this.#span);
  }

  /** Returns the records at these positions, from 0. */
  list(offset: number, limit: number): readonly VersionedRecord[] {
    const records: VersionedRecord[] = [];
    if (this.#root !== undefined && limit > 0) collect(this.#root, offset, limit, records);
    return records;
  }

  /** Returns a copy of the order. */
  share(): RecordOrder {
    const shared = new RecordOrder(this.#budget);
    if (this.#root !== undefined) this.#root.holders++;
    shared.#root = this.#root;
    shared.#span = this.#span;
    shared.#next = this.#next;
    return shared;
  }

  /** Frees the nodes that no copy shares. */
  clear(): void {
    if (this.#root !== undefined) this.#release(this.#root);
    this.#root = undefined;
  }

  #leafOf(number: number): Leaf | undefined {
    let node = this.#root;
    for (let span = this.#span; node instanceof Branch; span /= WIDTH) {
      node = node.children[slotOf(number, span)];
    }
    return node;
  }

  #grow(): void {
    this.#span *= WIDTH;
    if (this.#root === undefined) return;
    this.#budget.take(NODE);
    this.#root = new Branch([this.#root], this.#root.count);
  }

  #set(
    shared: Node | undefined,
    number: number,
    record: PackedRecord,
    version: number,
    span: number,
  ): Node {
    const node = shared === undefined ? this.#create(span) : this.#own(shared);
    const slot = slotOf(number, span);
    if (node instanceof Branch) {
      const before = node.children[slot]?.count ?? 0;
      const child = this.#set(node.children[slot], number, record, version, span / WIDTH);
      node.children[slot] = child;
      node.count += child.count - before;
      return node;
    }
    const before = node.records[slot];
    node.records[slot] = record;
    node.versions[slot] = version;
    this.#budget.take(weighRecord(record));
    if (before === undefined) node.count++;
    else this.#drop(before);
    return node;
  }

  #delete(shared: Node, number: number, span: number): Node | undefined {
    const node = this.#own(shared);
    const slot = slotOf(number, span);
    if (node instanceof Branch) {
      const child = node.children[slot];
      if (child !== undefined) node.children[slot] = this.#delete(child, number, span / WIDTH);
    } else {
      const record = node.records[slot];
      node.records[slot] = undefined;
      if (record !== undefined) this.#drop(record);
    }
    node.count--;
    if (node.count > 0) return node;
    this.#release(node);
    return undefined;
  }

  #create(span: number): Node {
    this.#budget.take(NODE);
    return span === 1 ? new Leaf([], [], 0) : new Branch([], 0);
  }

  /** Returns the node, or a copy where it has several holders. */
  #own(node: Node): Node {
    if (node.holders === 1) return node;
    node.holders--;
    this.#budget.take(NODE);
    if (node instanceof Branch) {
      for (const child of node.children) if (child !== undefined) child.holders++;
      return new Branch(node.children.slice(), node.count);
    }
    for (const record of node.records) {
      if (record instanceof LongRecord) record.holders++;
      // A short record counts for each leaf that has it: at most a kilobyte.
      else if (record !== undefined) this.#budget.take(weighRecord(record));
    }
    return new Leaf(node.records.slice(), node.versions.slice(), node.count);
  }

  #release(node: Node): void {
    if (--node.holders > 0) return;
    this.#budget.take(-NODE);
    if (node instanceof Leaf) {
      for (const record of node.records) if (record !== undefined) this.#drop(record);
    } else {
      for (const child of node.children) if (child !== undefined) this.#release(child);
    }
  }

  #drop(record: PackedRecord): void {
    if (record instanceof LongRecord && --record.holders > 0) return;
    this.#budget.take(-weighRecord(record));
  }
}

type Node = Leaf | Branch;

class Leaf {
  holders = 1;
  count: number;
  readonly records: (PackedRecord | undefined)[];
  readonly versions: number[];

  constructor(records: (PackedRecord | undefined)[], versions: number[], count: number) {
    this.records = records;
    this.versions = versions;
    this.count = count;
  }

  at(slot: number): VersionedRecord | undefined {
    const record = this.records[slot];
    return record === undefined ? undefined : { record, version: this.versions[slot] ?? 0 };
  }
}

class Branch {
  holders = 1;
  count: number;
  readonly children: (Node | undefined)[];

  constructor(children: (Node | undefined)[], count: number) {
    this.children = children;
    this.count = count;
  }
}

function slotOf(number: number, span: number): number {
  return Math.floor(number / span) % WIDTH;
}

function collect(node: Node, offset: number, limit: number, records: VersionedRecord[]): void {
  if (node instanceof Leaf) {
    collectHere(node, offset, limit, records);
    return;
  }
  let left = offset;
  for (const child of node.children) {
    const count = child?.count ?? 0;
    if (child !== undefined && left < count) collect(child, left, limit, records);
    left = Math.max(0, left - count);
    if (records.length === limit) return;
  }
}

function collectHere(leaf: Leaf, offset: number, limit: number, records: VersionedRecord[]): void {
  let left = offset;
  for (let slot = 0; slot < leaf.records.length && records.length < limit; slot++) {
    if (leaf.records[slot] === undefined || left-- > 0) continue;
    const found = leaf.at(slot);
    if (found !== undefined) records.push(found);
  }
}
