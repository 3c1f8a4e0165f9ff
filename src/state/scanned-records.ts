import type { MemoryCollection, ReadRecord } from './memory-collection.ts';
import { keyOf, type PackedRecord, textOf } from './packed-record.ts';
import { readResource } from './resource-text.ts';
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

  /** Returns what reads the records of a collection from a position on. */
  readerOf(collection: MemoryCollection, from: number): ReadRecord {
    if (collection !== this.#collection) this.#begin(collection);
    return (record, version, place) => {
      const known = this.#stored[from + place];
      if (known?.version === version) return known;
      const stored = readStored(record, version);
      this.#keep(from + place, stored, lengthOf(record));
      return stored;
    };
  }

  #begin(collection: MemoryCollection): void {
    this.#collection = collection;
    this.#stored = [];
    this.#lengths = [];
    this.#characters = 0;
  }

  #keep(position: number, stored: Stored, length: number): void {
    const added = length - (this.#lengths[position] ?? 0);
    // Without a gap: V8 keeps such a list as an array.
    if (position > this.#stored.length || this.#characters + added > MOST_CHARACTERS) return;
    this.#stored[position] = stored;
    this.#lengths[position] = length;
    this.#characters += added;
  }
}

export function readStored(record: PackedRecord, version: number): Stored {
  return { key: keyOf(record), resource: readResource(textOf(record)), version };
}

function lengthOf(record: PackedRecord): number {
  return (typeof record === 'string' ? record : record.text).length;
}
