import { crc32 } from 'node:zlib';
import type { Column, Database } from './database.ts';

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

/** The collection of the second name in the store of the first. */
const COLLECTION = `(SELECT collections.id FROM collections
  JOIN stores ON stores.id = collections.store
  WHERE stores.name = ?1 AND collections.name = ?2)`;

/** All that is asked of the tables, prepared once. */
export function prepareRows(database: Database) {
  return Object.freeze({
    findStore: database.prepare<[number, number]>('SELECT id, version FROM stores WHERE name = ?'),
    listStores: database.prepare<[string]>('SELECT name FROM stores ORDER BY id'),
    addStore: database.prepare('INSERT INTO stores (name, version, sum) VALUES (?, 0, 0)'),
    setStore: database.prepare('UPDATE stores SET version = ?, sum = ? WHERE id = ?'),
    dropStore: database.prepare('DELETE FROM stores WHERE id = ?'),

    findCollection: database.prepare<[number, number]>(
      'SELECT id, size FROM collections WHERE store = ? AND name = ?',
    ),
    listCollections: database.prepare<[number, string, number]>(
      'SELECT id, name, size FROM collections WHERE store = ? ORDER BY id',
    ),
    addCollection: database.prepare(
      'INSERT INTO collections (store, name, size, sum) VALUES (?, ?, 0, 0)',
    ),
    setCollection: database.prepare('UPDATE collections SET size = ?, sum = ? WHERE id = ?'),
    dropCollection: database.prepare('DELETE FROM collections WHERE id = ?'),

    listNumbers: database.prepare<[string, number]>(
      'SELECT name, number FROM numbers WHERE store = ?',
    ),
    findNumber: database.prepare<[number]>(
      'SELECT number FROM numbers WHERE store = ? AND name = ?',
    ),
    setNumber: database.prepare(
      'INSERT OR REPLACE INTO numbers (store, name, number, sum) VALUES (?, ?, ?, ?)',
    ),
    dropNumbers: database.prepare('DELETE FROM numbers WHERE store = ?'),

    findResource: database.prepare<[number, number]>(
      'SELECT place, version FROM resources WHERE collection = ? AND key = ?',
    ),
    setResource: database.prepare(
      `INSERT OR REPLACE INTO resources (collection, key, place, version, text, sum)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    dropResource: database.prepare('DELETE FROM resources WHERE collection = ? AND key = ?'),
    dropResources: database.prepare('DELETE FROM resources WHERE collection = ?'),
    copyResources: database.prepare(
      `INSERT INTO resources (collection, key, place, version, text, sum)
       SELECT ?, key, place, version, text, sum FROM resources WHERE collection = ?`,
    ),

    readResource: database.prepare<[number, number, string, number]>(
      `SELECT place, version, text, sum FROM resources
       WHERE collection = ${COLLECTION} AND key = ?3`,
    ),
    /** The place of the first is found in the index alone, however many stand before it. */
    readRange: database.prepare<[string, number, number, string, number]>(
      `SELECT key, place, version, text, sum FROM resources
       WHERE collection = ${COLLECTION} AND place >=
         (SELECT place FROM resources WHERE collection = ${COLLECTION}
          ORDER BY place LIMIT 1 OFFSET ?3)
       ORDER BY place LIMIT ?4`,
    ),
    readSize: database.prepare<[number]>(`SELECT size FROM collections WHERE id = ${COLLECTION}`),
    readSizes: database.prepare<[string, number]>(
      `SELECT name, size FROM collections
       WHERE store = (SELECT id FROM stores WHERE name = ?) ORDER BY id`,
    ),
  });
}

export type Rows = ReturnType<typeof prepareRows>;
