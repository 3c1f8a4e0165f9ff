import type { JsonObject } from '../json/value.ts';
import { SharedResources } from './shared-resources.ts';
import { createStateBudget, type StateBudget } from './state-budget.ts';
import type { Collection, Store } from './store.ts';
import { weigh } from './weigh.ts';

/**
 * @param budget what all stores that share it may take together
 * @returns a store that lives and dies with the process
 */
export function createMemoryStore(
  budget: StateBudget = createStateBudget(Number.POSITIVE_INFINITY),
): Store {
  return new MemoryStore(budget, new Map());
}

class MemoryStore implements Store {
  readonly #budget: StateBudget;
  readonly #collections: Map<string, MemoryCollection>;

  constructor(budget: StateBudget, collections: Map<string, MemoryCollection>) {
    this.#budget = budget;
    this.#collections = collections;
  }

  collection(name: string): Collection {
    return this.#own(name);
  }

  names(): readonly string[] {
    return [...this.#collections].filter(([, { size }]) => size > 0).map(([name]) => name);
  }

  clear(): void {
    for (const collection of this.#collections.values()) collection.clear();
  }

  fork(): Store {
    const forks = [...this.#collections].map(([name, one]) => [name, one.fork()] as const);
    return new MemoryStore(this.#budget, new Map(forks));
  }

  restore(source: Store): void {
    if (!(source instanceof MemoryStore)) throw new TypeError('the store is of another kind');
    // Held while they change hands: the source may be this store itself.
    const shared = [...source.#collections].map(
      ([name, one]) => [name, one.share()?.hold()] as const,
    );
    this.clear();
    for (const [name, resources] of shared) {
      this.#own(name).takeOver(resources);
      resources?.release();
    }
  }

  #own(name: string): MemoryCollection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const collection = new MemoryCollection(this.#budget, undefined);
    this.#collections.set(name, collection);
    return collection;
  }
}

/**
 * What is shared with other collections is never changed; what differs from it is kept beside it,
 * so that a fork costs nothing until it is written to.
 */
class MemoryCollection implements Collection {
  readonly #budget: StateBudget;
  #shared: SharedResources | undefined;
  /** What was put here; null for what was deleted of the shared. */
  #own = new Map<string, JsonObject | null>();
  /** Shared keys that were deleted and put again: they stand at the end, in the order of `own`. */
  #again: Set<string> | undefined;
  #size: number;
  /** What `own` weighs; bytes. */
  #bytes = 0;

  constructor(budget: StateBudget, shared: SharedResources | undefined) {
    this.#budget = budget;
    this.#shared = shared?.hold();
    this.#size = shared?.entries.size ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): JsonObject | undefined {
    const own = this.#own.get(key);
    if (own !== undefined) return own ?? undefined;
    return this.#shared?.entries.get(key);
  }

  put(key: string, resource: JsonObject): void {
    const own = this.#own.get(key);
    this.#take(weigh(resource) - (own === undefined || own === null ? 0 : weigh(own)));
    if (own === null) {
      // Deleted of the shared: it stands at the end now.
      this.#own.delete(key);
      this.#again ??= new Set();
      this.#again.add(key);
      this.#size++;
    } else if (own === undefined && this.#shared?.entries.has(key) !== true) {
      this.#size++;
    }
    this.#own.set(key, resource);
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false;
    const own = this.#own.get(key);
    if (own !== undefined && own !== null) this.#take(-weigh(own));
    this.#size--;
    this.#again?.delete(key);
    if (this.#shared?.entries.has(key) === true) this.#own.set(key, null);
    else this.#own.delete(key);
    return true;
  }

  list(): readonly JsonObject[] {
    return [...this.#entries()].map(([, resource]) => resource);
  }

  clear(): void {
    this.takeOver(undefined);
  }

  /** @returns a collection that holds what this one holds now */
  fork(): MemoryCollection {
    return new MemoryCollection(this.#budget, this.share());
  }

  /** What it holds now, never to be changed. */
  share(): SharedResources | undefined {
    if (this.#own.size === 0) return this.#shared;
    const bytes = this.#bytes;
    const entries = new Map(this.#entries());
    const shared = new SharedResources(entries, bytes, this.#shared, this.#budget);
    // Its weight goes with it: it is given back when nobody holds it any more.
    this.#bytes = 0;
    this.takeOver(shared);
    return shared;
  }

  /** Holds this from now on, in place of what it held. */
  takeOver(shared: SharedResources | undefined): void {
    const before = this.#shared;
    this.#shared = shared?.hold();
    before?.release();
    this.#take(-this.#bytes);
    this.#own = new Map();
    this.#again = undefined;
    this.#size = shared?.entries.size ?? 0;
  }

  #take(bytes: number): void {
    this.#budget.take(bytes);
    this.#bytes += bytes;
  }

  *#entries(): Generator<[string, JsonObject]> {
    const shared = this.#shared?.entries;
    for (const [key, resource] of shared ?? []) {
      const own = this.#own.get(key);
      if (own === null || this.#again?.has(key) === true) continue;
      yield [key, own ?? resource];
    }
    for (const [key, resource] of this.#own) {
      if (resource === null) continue;
      if (shared?.has(key) !== true || this.#again?.has(key) === true) yield [key, resource];
    }
  }
}
