/**
 * A resource as a memory keeps it: its text and its key in one. What is long, or takes two bytes a
 * character, is held once by all that share it; the rest is not worth an object of its own.
 */
export type PackedRecord = string | LongRecord;

/** A long text, and how many hold it: it is paid for once. */
export class LongRecord {
  holders = 1;
  readonly text: string;
  /** Bytes, as they are estimated. */
  readonly weight: number;

  constructor(text: string, weight: number) {
    this.text = text;
    this.weight = weight;
  }
}

/** Characters. */
const LONG = 1024;

/** What V8 spends on a text without its characters, and on the places that refer to it: bytes. */
const TEXT = 36;

/** V8 keeps one byte a character for as long as all of them are Latin-1. */
const WIDE = /[^\0-\xff]/;

/** Stands between text and key: in a text of JSON it is escaped. */
const SEPARATOR = '\n';

/** @param text a JSON text without line breaks */
export function packRecord(key: string, text: string): PackedRecord {
  // Joined it is a text in one piece, where a sum of texts is a tree of them.
  const packed = [text, key].join(SEPARATOR);
  // Looked at once: a short one is weighed several times by its length alone.
  const isWide = WIDE.test(packed);
  if (packed.length < LONG && !isWide) return packed;
  return new LongRecord(packed, TEXT + packed.length * (isWide ? 2 : 1));
}

export function textOf(record: PackedRecord): string {
  const packed = unwrap(record);
  return packed.slice(0, packed.indexOf(SEPARATOR));
}

export function keyOf(record: PackedRecord): string {
  const packed = unwrap(record);
  return packed.slice(packed.indexOf(SEPARATOR) + 1);
}

export function hasKey(record: PackedRecord, key: string): boolean {
  const packed = unwrap(record);
  return packed.endsWith(key) && packed.indexOf(SEPARATOR) === packed.length - key.length - 1;
}

/** @returns the memory that a record takes, as it is estimated; bytes */
export function weighRecord(record: PackedRecord): number {
  return typeof record === 'string' ? TEXT + record.length : record.weight;
}

function unwrap(record: PackedRecord): string {
  return typeof record === 'string' ? record : record.text;
}
