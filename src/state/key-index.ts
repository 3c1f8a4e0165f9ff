import { createUniqueName } from '../base/random.ts';
import type { StateBudget } from './state-budget.ts';

/** How many keys a leaf holds before it is split. */
const LEAF_SIZE = 96;
/** Each level of branches tells keys apart by so many bits of their hash. */
const BITS = 3;
const WIDTH = 1 << BITS;
/** Deeper leaves are not split: their keys have one hash. */
const HASH_BITS = 30;

/** What V8 spends on them, about: bytes. */
const LEAF = 140;
const BRANCH = 100 + 8 * WIDTH;
const ENTRY = 22;

/** A leaf with its first key; bytes. */
export const INDEX_WEIGHT = LEAF + ENTRY;

/** Keys that are made to have one hash in one process have not in the next. */
const SEED = hashFrom(0x811c9dc5, createUniqueName());

/** Who knows the keys: an index would take twice the room if it kept them too. */
export interface KeyHolder {
  hasKey(number: number, key: string): boolean;
}

/**
 * Finds the number of a key, in a tree by its hash. What is shared is copied where it is changed,
 * and only there: nodes count their holders, and one that is held once, by what is held once, is
 * changed in its place.
 */
export class KeyIndex {
  readonly #budget: StateBudget;
  readonly #holder: KeyHolder;
  #root: Node | undefined;
  /** What was looked for last: who puts a key has just asked for it. */
  #key: string | undefined;
  #hash = 0;
  #number: number | undefined;

  constructor(budget: StateBudget, holder: KeyHolder, root?: Node) {
    this.#budget = budget;
    this.#holder = holder;
    this.#root = root;
  }

  find(key: string): number | undefined {
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

  /** @param key one that it has not */
  add(key: string, number: number): void {
    this.find(key);
    this.#root = this.#add(this.#root, this.#hash, number, 0);
    this.#number = number;
  }

  /** @param key one that it has, and its holder too */
  delete(key: string): void {
    this.find(key);
    this.#root = this.#delete(this.#root, key, this.#hash, 0);
    this.#number = undefined;
  }

  /** @returns an index that holds what this one holds now; neither sees what the other does next */
  share(holder: KeyHolder): KeyIndex {
    if (this.#root !== undefined) this.#root.holders++;
    return new KeyIndex(this.#budget, holder, this.#root);
  }

  /** Gives back what nobody else holds. */
  clear(): void {
    if (this.#root !== undefined) this.#release(this.#root);
    this.#root = undefined;
    this.#key = undefined;
  }

  /** @returns where in the leaf the key stands; -1 where it does not */
  #place(leaf: Leaf, hash: number, key: string): number {
    let place = leaf.hashes.indexOf(hash);
    while (place >= 0 && !this.#holder.hasKey(leaf.numbers[place] ?? -1, key)) {
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

  /** @returns the node, or a copy where others hold it too */
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

  /** The last takes the place of the one that goes. */
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
 * Small integers that follow each other come to stand in one leaf, where others are looked for all
 * over the memory: most keys are such, and come one after the other.
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

/** @returns -1 for a key that is none */
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

/** FNV-1a, mixed, for the low bits tell apart first; a small integer of V8's. */
function hashFrom(seed: number, key: string): number {
  let hash = seed;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
