import { Generations } from '../base/generations.ts';
import { remember } from '../base/remember.ts';
import type { ForeignRecord } from '../state/foreign-record.ts';

interface Seen {
  /** What Redis has of it: version and text. */
  readonly kept: string;
  readonly record: ForeignRecord;
}

/** The estimated size of one generation. */
const MOST_BYTES = 4 * 1024 * 1024;
/** What a resource takes besides its texts. */
const ENTRY_BYTES = 300;
/** The texts of a record, and the object when it was parsed, for each character of `kept`. */
const BYTES_OF_CHARACTER = 6;

/**
 * The resources that lists have read last. Redis returns all of a page for each request, and mostly
 * little of it has changed. A resource that has not is the same record as before, whose text finds
 * at once how it was shown. The ones that were read longest ago go.
 */
export class SeenRecords {
  /** By the collection in Redis, and the key of the resource. */
  readonly #seen = new Generations<string, Map<string, Seen>>(MOST_BYTES);

  /**
   * Returns the record of a resource as Redis has it now.
   *
   * @param place names its collection in Redis
   * @param read returns the record of one that was not seen, or has changed
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
    // What is cut out of a reply would keep all of it.
    const [ownKey, ownKept] = [copyText(key), copyText(kept)];
    return this.#add(place, ownKey, { kept: ownKept, record: read(ownKey, ownKept) });
  }

  #add(place: string, key: string, seen: Seen): ForeignRecord {
    this.#seen.makeRoom(ENTRY_BYTES + seen.kept.length * BYTES_OF_CHARACTER);
    const { recent } = this.#seen;
    const records = remember(recent, place, () => new Map<string, Seen>());
    records.set(key, seen);
    return seen.record;
  }
}

function copyText(text: string): string {
  return Buffer.from(text).toString();
}
