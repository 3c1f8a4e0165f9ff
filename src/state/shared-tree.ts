import type { StateBudget } from './state-budget.ts';

/** Each level uses this many bits of a number. */
const BITS = 5;
export const WIDTH = 1 << BITS;

/** The approximate memory of a node in V8; bytes. */
export const NODE = 110 + 8 * WIDTH;

/** A part of a tree. Each change of a node with several holders is made in a copy. */
interface TreeNode {
  holders: number;
  readonly count: number;
}

/** The entries of a tree below one number. */
export interface TreeLeaf<Leaf> extends TreeNode {
  /** Returns a copy, and takes its memory. */
  copy(budget: StateBudget): Leaf;
  /** Gives back the memory. */
  free(budget: StateBudget): void;
}

/**
 * Leaves by number, in nodes with the count of what is below them, so that a position is found
 * quickly whatever was deleted before it. Copies of a tree share nodes, which count their holders: a
 * change copies only the nodes on its path that have several.
 */
export class SharedTree<Leaf extends TreeLeaf<Leaf>> {
  readonly #budget: StateBudget;
  readonly #createLeaf: () => Leaf;
  #root: Leaf | Branch<Leaf> | undefined;
  /** The bits of the numbers that the root has, and how many numbers these are. */
  #bits = 0;
  #size = 1;

  constructor(budget: StateBudget, createLeaf: () => Leaf) {
    this.#budget = budget;
    this.#createLeaf = createLeaf;
  }

  get count(): number {
    return this.#root?.count ?? 0;
  }

  /** @param isOwn finds only a leaf that no copy of the tree shares */
  find(number: number, isOwn = false): Leaf | undefined {
    if (number >= this.#size) return undefined;
    let node = this.#root;
    for (let bits = this.#bits - BITS; node instanceof Branch; bits -= BITS) {
      if (isOwn && node.holders > 1) return undefined;
      node = node.children[slotOf(number, bits)];
    }
    return isOwn && node !== undefined && node.holders > 1 ? undefined : node;
  }

  /**
   * Returns a leaf for a change, and creates it if it does not exist.
   *
   * @param by what the change adds to its count
   * @returns undefined where nothing is left of the leaf
   */
  change(number: number, by: number): Leaf | undefined {
    while (number >= this.#size) this.#grow();
    let bits = this.#bits;
    let node = this.#own(this.#root, bits, by);
    this.#root = node;
    while (node instanceof Branch) {
      node.count += by;
      bits -= BITS;
      const slot = slotOf(number, bits);
      const child: Leaf | Branch<Leaf> | undefined = this.#own(node.children[slot], bits, by);
      node.children[slot] = child;
      node = child;
    }
    return node;
  }

  /**
   * Visits the leaves from a position, each with how much of it precedes the position, until a visit
   * returns false.
   */
  visitFrom(offset: number, visit: VisitLeaf<Leaf>): void {
    if (this.#root !== undefined) visitFrom(this.#root, offset, visit);
  }

  share(): SharedTree<Leaf> {
    const copy = new SharedTree(this.#budget, this.#createLeaf);
    if (this.#root !== undefined) this.#root.holders++;
    copy.#root = this.#root;
    copy.#bits = this.#bits;
    copy.#size = this.#size;
    return copy;
  }

  /** Frees the nodes that no copy shares. */
  clear(): void {
    if (this.#root !== undefined) this.#release(this.#root);
    this.#root = undefined;
  }

  #grow(): void {
    this.#bits += BITS;
    this.#size *= WIDTH;
    if (this.#root === undefined) return;
    this.#budget.take(NODE);
    this.#root = new Branch([this.#root], this.#root.count);
  }

  /** Returns a node, or a copy where it has several holders; undefined where nothing is left of it. */
  #own(node: Leaf | Branch<Leaf> | undefined, bits: number, by: number) {
    if (node === undefined) {
      if (bits === 0) return this.#createLeaf();
      this.#budget.take(NODE);
      return new Branch<Leaf>([], 0);
    }
    if (node.count + by === 0) {
      this.#release(node);
      return undefined;
    }
    if (node.holders === 1) return node;
    node.holders--;
    return node.copy(this.#budget);
  }

  #release(node: Leaf | Branch<Leaf>): void {
    if (--node.holders > 0) return;
    node.free(this.#budget);
    if (!(node instanceof Branch)) return;
    for (const child of node.children) if (child !== undefined) this.#release(child);
  }
}

class Branch<Leaf extends TreeLeaf<Leaf>> implements TreeLeaf<Branch<Leaf>> {
  holders = 1;
  count: number;
  readonly children: (Leaf | Branch<Leaf> | undefined)[];

  constructor(children: (Leaf | Branch<Leaf> | undefined)[], count: number) {
    this.children = children;
    this.count = count;
  }

  copy(budget: StateBudget): Branch<Leaf> {
    budget.take(NODE);
    for (const child of this.children) if (child !== undefined) child.holders++;
    return new Branch(this.children.slice(), this.count);
  }

  free(budget: StateBudget): void {
    budget.take(-NODE);
  }
}

function slotOf(number: number, bits: number): number {
  return (number >> bits) & (WIDTH - 1);
}

type VisitLeaf<Leaf> = (leaf: Leaf, before: number) => boolean;

function visitFrom<Leaf extends TreeLeaf<Leaf>>(
  node: Leaf | Branch<Leaf>,
  offset: number,
  visit: VisitLeaf<Leaf>,
): boolean {
  if (!(node instanceof Branch)) return visit(node, offset);
  let left = offset;
  for (const child of node.children) {
    const count = child?.count ?? 0;
    if (child !== undefined && left < count && !visitFrom(child, left, visit)) return false;
    left = Math.max(0, left - count);
  }
  return true;
}
