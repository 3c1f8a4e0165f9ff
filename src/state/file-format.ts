import { crc32 } from 'node:zlib';
import type { Column } from './database.ts';

/** Says that a file of SQLite is of Coldframe ("Cold"), where others have a number of their own. */
export const APPLICATION = 0x43_6f_6c_64;

/** The form of the tables: one that is greater was written by a later Coldframe. */
export const FORMAT = 1;

/**
 * Each row has a sum over what it says, so that what was changed on the disk is never taken for
 * what was stored. Names and keys are JSON texts: any text is one, also what UTF-8 cannot say.
 */
export const TABLES = [
  `CREATE TABLE stores (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, sum INTEGER NOT NULL
)`,
  `CREATE TABLE collections (
  id INTEGER PRIMARY KEY, store INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
  sum INTEGER NOT NULL, UNIQUE (store, name)
)`,
  `CREATE TABLE numbers (
  store INTEGER NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (store, name)
) WITHOUT ROWID`,
  `CREATE TABLE resources (
  collection INTEGER NOT NULL, key TEXT NOT NULL, place INTEGER NOT NULL, version INTEGER NOT NULL,
  text TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (collection, key)
) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX places ON resources (collection, place)',
];

/** @returns the sum of a row, over all of its other columns that are its own */
export function sumOf(...columns: readonly Column[]): number {
  return crc32(columns.join(' '));
}

/** As names and keys stand in the file. */
export function writeName(name: string): string {
  return JSON.stringify(name);
}

/** Returns the name that {@link writeName} wrote; undefined for any other text. */
export function readName(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === 'string' ? name : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
