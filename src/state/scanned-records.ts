import { Columns } from './columns.ts';
import type { MemoryCollection, ReadRecord } from './memory-collection.ts';
import { StoredRecord } from './packed-record.ts';
import type { Stored } from './store.ts';

/** The texts of which the resources are kept; characters. They take three to four times as much. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * The resources of the collection that was scanned last, by their positions: to parse them is most
 * of what a filter or a sort costs. A resource that has changed or moved has another version there.
 */
export class ScannedRecords {
  #collection: MemoryCollection | undefined;
  #stored: Stored[] = [];
  #lengths: number[] = [];
  #characters = 0;
  #columns = new Columns();
  /** The changes that the collection had, and up to which position nothing has changed since. */
  #changes = 0;
  #valid = 0;

  /** Returns a part of a collection that has not changed since it was read; else undefined. */
  sliceOf(collection: MemoryCollection, offset: number, limit: number) {
    if (collection !== this.#collection || collection.changes !== this.#changes) return undefined;
    const end = Math.min(offset + limit, collection.size);
    return end <= this.#valid ? this.#stored.slice(offset, end) : undefined;
  }

  /** Returns what reads the records of a collection from a position on. */
  readerOf(collection: MemoryCollection, from: number): ReadRecord {
    if (collection !== this.#collection) this.#begin(collection);
    if (collection.changes !== this.#changes) this.#valid = 0;
    this.#changes = collection.changes;
    return (record, version, place) => {
      const position = from + place;
      const known = this.#stored[position];
      if (known?.version === version) {
        if (position === this.#valid) this.#valid++;
        return known;
      }
      return this.#keep(position, new StoredRecord(record, version));
    };
  }

  #begin(collection: MemoryCollection): void {
    this.#collection = collection;
    this.#stored = [];
    this.#lengths = [];
    this.#characters = 0;
    this.#columns = new Columns();
    this.#changes = collection.changes;
    this.#valid = 0;
  }

  #keep(position: number, read: StoredRecord): Stored {
    const { text } = read;
    const added = text.length - (this.#lengths[position] ?? 0);
    // Without a gap: V8 keeps such a list as an array.
    if (position > this.#stored.length || this.#characters + added > MOST_CHARACTERS) return read;
    const { key, resource, version } = read;
    const stored = { key, resource, version, text, columns: this.#columns };
    this.#stored[position] = stored;
    this.#lengths[position] = text.length;
    this.#characters += added;
    if (position === this.#valid) this.#valid++;
    return stored;
  }
}
