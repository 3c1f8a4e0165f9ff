import { INDEX_WEIGHT, KeyIndex } from './key-index.ts';
import type { PackedRecord } from './packed-record.ts';
import { ORDER_WEIGHT, RecordOrder, type VersionedRecord } from './record-order.ts';
import type { StateBudget } from './state-budget.ts';

/** What a collection takes with its first record, besides the record; bytes. */
export const COLLECTION_WEIGHT = INDEX_WEIGHT + ORDER_WEIGHT;

/** The records of a collection: by key, and in the order in which they were first put. */
export class MemoryCollection {
  readonly #index: KeyIndex;
  readonly #order: RecordOrder;

  constructor(
    budget: StateBudget,
    order = new RecordOrder(budget),
    index = new KeyIndex(budget, order),
  ) {
    this.#order = order;
    this.#index = index;
  }

  get size(): number {
    return this.#order.size;
  }

  get(key: string): VersionedRecord | undefined {
    const number = this.#index.find(key);
    return number === undefined ? undefined : this.#order.get(number);
  }

  list(offset: number, limit: number): readonly VersionedRecord[] {
    return this.#order.list(offset, limit);
  }

  /** @param record that has this key */
  put(key: string, record: PackedRecord, version: number): void {
    const number = this.#index.find(key);
    if (number === undefined) this.#index.add(key, this.#order.append(record, version));
    else this.#order.replace(number, record, version);
  }

  delete(key: string): void {
    const number = this.#index.find(key);
    if (number === undefined) return;
    this.#index.delete(key);
    this.#order.delete(number);
  }

  /** @returns the room that is given back when the record of this key is replaced; bytes */
  weighReplaced(key: string): number {
    const number = this.#index.find(key);
    return number === undefined ? 0 : this.#order.weighUnshared(number);
  }

  /** @returns a collection that holds what this one holds now */
  share(budget: StateBudget): MemoryCollection {
    const order = this.#order.share();
    return new MemoryCollection(budget, order, this.#index.share(order));
  }

  clear(): void {
    this.#index.clear();
    this.#order.clear();
  }
}
