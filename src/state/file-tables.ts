import { crc32 } from 'node:zlib';
import type { Column, Database } from './database.ts';

/** Identifies a SQLite file of Coldframe: "Cold". */
export const APPLICATION = 0x43_6f_6c_64;

/** The version of the tables. A later Coldframe may write a greater one. */
export const FORMAT = 1;

/**
 * Each row has a checksum, so that a change on the disk is noticed. Names and keys are JSON texts,
 * which can also encode what UTF-8 cannot.
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

/** Returns the checksum of columns. */
export function sumOf(...columns: readonly Column[]): number {
  return crc32(columns.join(' '));
}

/** Returns the text of a name or a key in the file. */
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

/** The id of the collection `?2` in the store `?1`. */
const COLLECTION = `(SELECT collections.id FROM collections
  JOIN stores ON stores.id = collections.store
  WHERE stores.name = ?1 AND collections.name = ?2)`;

/** Prepares all queries. */
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
    /** Finds the first row in the index alone, however many rows precede it. */
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
