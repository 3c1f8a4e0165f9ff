import type { Database } from './database.ts';

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
