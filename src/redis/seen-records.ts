import { Generations } from '../base/generations.ts';
import { remember } from '../base/remember.ts';
import type { ForeignRecord } from '../state/foreign-record.ts';

interface Seen {
  /** Version and text, as Redis returns them. */
  readonly kept: string;
  readonly record: ForeignRecord;
}

/** The estimated size of one generation. */
const MOST_BYTES = 4 * 1024 * 1024;
/** The memory of a resource without its texts. */
const ENTRY_BYTES = 300;
/** Key, texts and parsed object take this for each character of the key and of `kept`. */
const BYTES_OF_CHARACTER = 6;

/**
 * A cache of the resources that lists have read. Redis returns a whole page for each request, and
 * mostly little of it has changed. A resource that has not changed is the same record as before, and
 * its text already has the hash by which `ShownTexts` finds how it was shown.
 */
export class SeenRecords {
  /** By the collection in Redis, and the key of the resource. */
  readonly #seen = new Generations<string, Map<string, Seen>>(MOST_BYTES);

  /**
   * Returns the record of a resource as Redis has it now.
   *
   * @param place names its collection in Redis
   * @param read returns the record of a resource that is new or has changed
   */
  find(
    place: string,
    key: string,
    kept: string,
    read: (key: string, kept: string) => ForeignRecord,
  ): ForeignRecord {
    const recent = this.#seen.recent.get(place)?.get(key);
    if (recent?.kept === kept) return recent.record;
    const older = this.#seen.older.get(place)?.get(key);
    if (older?.kept === kept) return this.#add(place, key, older);
    // V8 keeps the whole reply in memory for a part that is cut out of it.
    const [ownKey, ownKept] = [copyText(key), copyText(kept)];
    return this.#add(place, ownKey, { kept: ownKept, record: read(ownKey, ownKept) });
  }

  #add(place: string, key: string, seen: Seen): ForeignRecord {
    this.#seen.makeRoom(ENTRY_BYTES + (key.length + seen.kept.length) * BYTES_OF_CHARACTER);
    const { recent } = this.#seen;
    const records = remember(recent, place, () => new Map<string, Seen>());
    records.set(key, seen);
    return seen.record;
  }
}

function copyText(text: string): string {
  return Buffer.from(text).toString();
}
