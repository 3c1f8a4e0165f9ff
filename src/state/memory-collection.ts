import { createUniqueName } from '../base/random.ts';
import type { PackedRecord } from './packed-record.ts';
import { ORDER_WEIGHT, RecordOrder, type VersionedRecord } from './record-order.ts';
import type { StateBudget } from './state-budget.ts';

/** A leaf with more keys is split. */
const LEAF_SIZE = 96;
/** Each level of branches uses this many bits of the hash. */
const BITS = 3;
const WIDTH = 1 << BITS;
/** Deeper leaves are not split: their keys have the same hash. */
const HASH_BITS = 30;

/** The approximate memory in V8; bytes. */
const LEAF = 140;
const BRANCH = 100 + 8 * WIDTH;
const ENTRY = 22;

/** The memory of a collection without its records; bytes. */
export const COLLECTION_WEIGHT = LEAF + ENTRY + ORDER_WEIGHT;

/** Differs in each process, so that a client cannot choose keys with the same hash. */
const SEED = hashFrom(0x811c9dc5, createUniqueName());

/**
 * The records of a collection in the order of their first put, which a tree finds by the hash of
 * their key. Copies of a collection share nodes, which count their holders: a change copies only the
 * nodes on its path that have several.
 */
export class MemoryCollection {
  readonly #budget: StateBudget;
  /** Has the keys, which would take twice the memory if the tree had them too. */
  readonly #order: RecordOrder;
  #root: Node | undefined;
  /** The key of the last search: a key is put right after it was searched. */
  #key: string | undefined;
  #hash = 0;
  #number: number | undefined;

  constructor(budget: StateBudget, order = new RecordOrder(budget)) {
    this.#budget = budget;
    this.#order = order;
  }

  get size(): number {
    return this.#order.size;
  }

  get(key: string): VersionedRecord | undefined {
    const number = this.#find(key);
    return number === undefined ? undefined : this.#order.get(number);
  }

  list(offset: number, limit: number): readonly VersionedRecord[] {
    return this.#order.list(offset, limit);
  }

  /** @param record of this key */
  put(key: string, record: PackedRecord, version: number): void {
    const known = this.#find(key);
    if (known !== undefined) {
      this.#order.replace(known, record, version);
      return;
    }
    this.#number = this.#order.append(record, version);
    this.#root = this.#add(this.#root, this.#hash, this.#number, 0);
  }

  delete(key: string): void {
    const number = this.#find(key);
    if (number === undefined) return;
    this.#root = this.#delete(this.#root, key, this.#hash, 0);
    this.#number = undefined;
    this.#order.delete(number);
  }

  /** Returns the bytes that a replacement of the record frees. */
  weighReplaced(key: string): number {
    const number = this.#find(key);
    return number === undefined ? 0 : this.#order.weighUnshared(number);
  }

  /** Returns a copy of the collection. */
  share(budget: StateBudget): MemoryCollection {
    const copy = new MemoryCollection(budget, this.#order.share());
    if (this.#root !== undefined) this.#root.holders++;
    copy.#root = this.#root;
    return copy;
  }

  /** Frees the nodes that no copy shares. */
  clear(): void {
    if (this.#root !== undefined) this.#release(this.#root);
    this.#root = undefined;
    this.#key = undefined;
    this.#order.clear();
  }

  /** Returns the number of a key. */
  #find(key: string): number | undefined {
    if (key === this.#key) return this.#number;
    const hash = hashOf(key);
    let node = this.#root;
    for (let rest = hash; node instanceof Branch; rest >>>= BITS) {
      node = node.children[rest & (WIDTH - 1)];
    }
    this.#key = key;
    this.#hash = hash;
    this.#number = node?.numbers[this.#place(node, hash, key)];
    return this.#number;
  }

  /** Returns the position of a key in a leaf; -1 where it is not there. */
  #place(leaf: Leaf, hash: number, key: string): number {
    let place = leaf.hashes.indexOf(hash);
    while (place >= 0 && !this.#order.hasKey(leaf.numbers[place] ?? -1, key)) {
      place = leaf.hashes.indexOf(hash, place + 1);
    }
    return place;
  }

  #add(shared: Node | undefined, hash: number, number: number, depth: number): Node {
    if (shared === undefined) {
      this.#budget.take(LEAF + ENTRY);
      return new Leaf([hash], [number]);
    }
    const node = this.#own(shared);
    if (node instanceof Branch) {
      const slot = slotOf(hash, depth);
      node.children[slot] = this.#add(node.children[slot], hash, number, depth + BITS);
      return node;
    }
    this.#budget.take(ENTRY);
    node.hashes.push(hash);
    node.numbers.push(number);
    const isFull = node.hashes.length > LEAF_SIZE && depth < HASH_BITS;
    return isFull ? this.#split(node, depth) : node;
  }

  #split(leaf: Leaf, depth: number): Node {
    const branch = new Branch(new Array<Node | undefined>(WIDTH).fill(undefined));
    this.#budget.take(BRANCH);
    for (const [place, hash] of leaf.hashes.entries()) {
      const slot = slotOf(hash, depth);
      const number = leaf.numbers[place] ?? -1;
      branch.children[slot] = this.#add(branch.children[slot], hash, number, depth + BITS);
    }
    this.#release(leaf);
    return branch;
  }

  #delete(shared: Node | undefined, key: string, hash: number, depth: number): Node | undefined {
    if (shared === undefined) return undefined;
    const node = this.#own(shared);
    if (node instanceof Leaf) {
      if (node.remove(this.#place(node, hash, key))) this.#budget.take(-ENTRY);
      if (node.hashes.length > 0) return node;
    } else {
      const slot = slotOf(hash, depth);
      node.children[slot] = this.#delete(node.children[slot], key, hash, depth + BITS);
      if (node.children.some((child) => child !== undefined)) return node;
    }
    this.#release(node);
    return undefined;
  }

  /** Returns the node, or a copy where it has several holders. */
  #own(node: Node): Node {
    if (node.holders === 1) return node;
    node.holders--;
    if (node instanceof Leaf) {
      this.#budget.take(LEAF + ENTRY * node.hashes.length);
      return new Leaf(node.hashes.slice(), node.numbers.slice());
    }
    this.#budget.take(BRANCH);
    for (const child of node.children) if (child !== undefined) child.holders++;
    return new Branch(node.children.slice());
  }

  #release(node: Node): void {
    if (--node.holders > 0) return;
    if (node instanceof Leaf) {
      this.#budget.take(-LEAF - ENTRY * node.hashes.length);
      return;
    }
    this.#budget.take(-BRANCH);
    for (const child of node.children) if (child !== undefined) this.#release(child);
  }
}

type Node = Leaf | Branch;

class Leaf {
  holders = 1;
  readonly hashes: number[];
  readonly numbers: number[];

  constructor(hashes: number[], numbers: number[]) {
    this.hashes = hashes;
    this.numbers = numbers;
  }

  /** Moves the last key to the place of the removed one. */
  remove(place: number): boolean {
    const hash = this.hashes.pop();
    const number = this.numbers.pop();
    if (place < 0 || hash === undefined || number === undefined) return false;
    if (place < this.hashes.length) {
      this.hashes[place] = hash;
      this.numbers[place] = number;
    }
    return true;
  }
}

class Branch {
  holders = 1;
  readonly children: (Node | undefined)[];

  constructor(children: (Node | undefined)[]) {
    this.children = children;
  }
}

function slotOf(hash: number, depth: number): number {
  return (hash >>> depth) & (WIDTH - 1);
}

/**
 * Puts consecutive small integers into one leaf. Most keys are such, and are used one after the
 * other; other keys are spread over the memory.
 */
function hashOf(key: string): number {
  const number = readInteger(key);
  if (number < 0) return hashFrom(SEED, key);
  const group = Math.imul((number >>> NEIGHBOUR_BITS) ^ SEED, 0x9e3779b1);
  return (number << (32 - NEIGHBOUR_BITS)) | (group & GROUP);
}

const NEIGHBOUR_BITS = 5;
const GROUP = 2 ** (32 - NEIGHBOUR_BITS) - 1;
const MOST_DIGITS = 9;

/** Returns the integer of a key; -1 for any other key. */
function readInteger(key: string): number {
  const { length } = key;
  if (length === 0 || length > MOST_DIGITS) return -1;
  let number = 0;
  for (let index = 0; index < length; index++) {
    const digit = key.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** FNV-1a, with its high bits mixed into the low ones, which the tree uses first. */
function hashFrom(seed: number, key: string): number {
  let hash = seed;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
