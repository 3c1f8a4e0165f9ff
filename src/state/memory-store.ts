import type { JsonObject } from '../json/value.ts';
import type { Collection, Store } from './store.ts';

/** @returns a store that lives and dies with the process */
export function createMemoryStore(): Store {
  const collections = new Map<string, Collection>();
  return {
    collection(name) {
      const known = collections.get(name);
      if (known !== undefined) return known;
      const collection = new MemoryCollection();
      collections.set(name, collection);
      return collection;
    },
    names: () => [...collections].filter(([, { size }]) => size > 0).map(([name]) => name),
    clear() {
      for (const collection of collections.values()) collection.clear();
    },
  };
}

class MemoryCollection implements Collection {
  readonly #resources = new Map<string, JsonObject>();

  get size(): number {
    return this.#resources.size;
  }

  has(key: string): boolean {
    return this.#resources.has(key);
  }

  get(key: string): JsonObject | undefined {
    return this.#resources.get(key);
  }

  put(key: string, resource: JsonObject): void {
    this.#resources.set(key, resource);
  }

  delete(key: string): boolean {
    return this.#resources.delete(key);
  }

  list(): readonly JsonObject[] {
    return [...this.#resources.values()];
  }

  clear(): void {
    this.#resources.clear();
  }
}
