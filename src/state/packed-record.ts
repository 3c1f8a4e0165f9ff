import type { JsonObject } from '../base/json/value.ts';
import { readResource } from './resource-text.ts';
import type { Stored } from './store.ts';

/**
 * A resource in memory: its text and its key in one string. Copies of a store share a long string,
 * or one with two bytes a character; a short one is not worth an object for that.
 */
export type PackedRecord = string | LongRecord;

/** A long string with the number of its holders: it counts once. */
export class LongRecord {
  holders = 1;
  readonly text: string;
  /** Estimated bytes. */
  readonly weight: number;

  constructor(text: string, weight: number) {
    this.text = text;
    this.weight = weight;
  }
}

const LONG = 1024;

/** The memory of a string without its characters, and of the slots that refer to it; bytes. */
const TEXT = 36;

/** V8 uses one byte a character where all of them are Latin-1. */
const WIDE = /[^\0-\xff]/;

/** Separates text and key: JSON escapes it. */
const SEPARATOR = '\n';

/** @param text a JSON text without line breaks */
export function packRecord(key: string, text: string): PackedRecord {
  // `join` gives one string, `+` a tree of strings.
  const packed = [text, key].join(SEPARATOR);
  // Tested once: the weight of a short string is its length.
  const isWide = WIDE.test(packed);
  if (packed.length < LONG && !isWide) return packed;
  return new LongRecord(packed, TEXT + packed.length * (isWide ? 2 : 1));
}

/** A record as readers see it. It is parsed when somebody looks at the resource. */
export class StoredRecord implements Stored {
  readonly text: string;
  readonly version: number;
  #resource: JsonObject | undefined;

  constructor(record: PackedRecord, version: number) {
    this.text = unwrap(record);
    this.version = version;
  }

  get key(): string {
    return this.text.slice(this.text.indexOf(SEPARATOR) + 1);
  }

  get resource(): JsonObject {
    this.#resource ??= readResource(this.text.slice(0, this.text.indexOf(SEPARATOR)));
    return this.#resource;
  }
}

export function hasKey(record: PackedRecord, key: string): boolean {
  const packed = unwrap(record);
  return packed.endsWith(key) && packed.indexOf(SEPARATOR) === packed.length - key.length - 1;
}

export function weighRecord(record: PackedRecord): number {
  return typeof record === 'string' ? TEXT + record.length : record.weight;
}

function unwrap(record: PackedRecord): string {
  return typeof record === 'string' ? record : record.text;
}
