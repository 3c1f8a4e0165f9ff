import { crc32 } from 'node:zlib';
import { type Column, type Database, numbers, text } from './database.ts';

/** Identifies a SQLite file of Coldframe: "Cold". */
export const APPLICATION = 0x43_6f_6c_64;

/** The version of the tables. A later Coldframe may write a greater one. */
export const FORMAT = 2;

/** The columns that {@link FORMAT} 2 adds to the stores: the last use, and its process. */
const USES = ', used INTEGER NOT NULL DEFAULT 0, user INTEGER NOT NULL DEFAULT 0';

/**
 * Each row has a checksum, so that a change on the disk is noticed; uses do no harm. Names and keys
 * are JSON texts, which can also encode what UTF-8 cannot.
 */
const TABLES = [
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
/** The other parts of {@link FORMAT} 2. The id tells a file from another one in its place. */
const ADDED = ['CREATE INDEX uses ON stores (used)', 'CREATE TABLE file (id TEXT NOT NULL)'];

/** Returns the SQL that makes a file of this format of one with an earlier format; 0 is none. */
export function upgradeFrom(format: number): string {
  const statements = [
    ...(format === 0 ? [`PRAGMA application_id = ${APPLICATION}`, ...TABLES] : []),
    ...USES.slice(2)
      .split(', ')
      .map((column) => `ALTER TABLE stores ADD COLUMN ${column}`),
    ...ADDED,
    'INSERT INTO file VALUES (lower(hex(randomblob(16))))',
    `PRAGMA user_version = ${FORMAT}`,
  ];
  return format === FORMAT ? '' : statements.join(';\n');
}

/** Returns the tables of a format as SQLite describes them. */
export function tablesOf(format: number): readonly string[] {
  const [stores = '', ...others] = TABLES;
  if (format === 1) return TABLES;
  return [`${stores.slice(0, -1)}${USES})`, ...others, ...ADDED];
}

export function sumOf(...columns: readonly Column[]): number {
  return crc32(columns.join(' '));
}

/** Returns the text of a name or a key in the file. */
export function writeName(name: string): string {
  return JSON.stringify(name);
}

/** Returns the name that {@link writeName} wrote; undefined for any other text. */
export function readName(written: string): string | undefined {
  try {
    const name: unknown = JSON.parse(written);
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

/** The summed columns of a resource as one text, which takes half the time of four; its sum. */
const RESOURCE = `${text("key || ' ' || place || ' ' || version || ' ' || text")}, ${numbers('sum')}`;

/** A row of {@link RESOURCE}; null where a column has no value. */
export type ResourceRow = readonly [written: string | null, sum: number];

/** Finds key, version and text in what {@link RESOURCE} has read. */
export const RESOURCE_PARTS = /^("(?:[^"\\]|\\.)*"|\S*) \d+ (\d+) (.*)$/s;

export function prepareRows(database: Database) {
  return Object.freeze({
    findStore: database.prepare<[id: number, version: number, used: number, user: number]>(
      `SELECT ${numbers('id', 'version', 'used', 'user')} FROM stores WHERE name = ?`,
    ),
    listStores: database.prepare<[string]>(`SELECT ${text('name')} FROM stores ORDER BY used, id`),
    /** The names from the first to the second, without the second. */
    listStoresBetween: database.prepare<[string]>(
      `SELECT ${text('name')} FROM stores WHERE name >= ? AND name < ?`,
    ),
    listUsed: database.prepare<[name: string]>(
      `SELECT ${text('name')} FROM stores WHERE used > ? AND user <> ? ORDER BY used`,
    ),
    lastUse: database.prepare<[number]>('SELECT CAST(max(used) AS INTEGER) FROM stores'),
    countSessions: database.prepare<[number]>(
      `SELECT count(*) FROM stores WHERE name NOT GLOB '*/*' AND name <> '"default"'`,
    ),
    addStore: database.prepare('INSERT INTO stores (name, version, sum) VALUES (?, 0, 0)'),
    setStore: database.prepare(
      'UPDATE stores SET version = ?, sum = ?, used = ?, user = ? WHERE id = ?',
    ),
    dropStore: database.prepare('DELETE FROM stores WHERE id = ?'),
    /** Changes when another connection has written. */
    version: database.prepare<[number]>('PRAGMA data_version'),

    findCollection: database.prepare<[id: number, size: number]>(
      `SELECT ${numbers('id', 'size')} FROM collections WHERE store = ? AND name = ?`,
    ),
    listCollections: database.prepare<[id: number, size: number, name: string]>(
      `SELECT ${numbers('id', 'size')}, ${text('name')} FROM collections
       WHERE store = ? ORDER BY id`,
    ),
    addCollection: database.prepare(
      'INSERT INTO collections (store, name, size, sum) VALUES (?, ?, 0, 0)',
    ),
    setCollection: database.prepare('UPDATE collections SET size = ?, sum = ? WHERE id = ?'),
    dropCollection: database.prepare('DELETE FROM collections WHERE id = ?'),

    listNumbers: database.prepare<[number: number, name: string]>(
      `SELECT ${numbers('number')}, ${text('name')} FROM numbers WHERE store = ?`,
    ),
    findNumber: database.prepare<[number]>(
      `SELECT ${numbers('number')} FROM numbers WHERE store = ? AND name = ?`,
    ),
    setNumber: database.prepare(
      'INSERT OR REPLACE INTO numbers (store, name, number, sum) VALUES (?, ?, ?, ?)',
    ),
    dropNumbers: database.prepare('DELETE FROM numbers WHERE store = ?'),

    findResource: database.prepare<[place: number, version: number]>(
      `SELECT ${numbers('place', 'version')} FROM resources WHERE collection = ? AND key = ?`,
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

    readResource: database.prepare<ResourceRow>(
      `SELECT ${RESOURCE} FROM resources WHERE collection = ${COLLECTION} AND key = ?3`,
    ),
    /** Finds the first row, so many behind the place `?5`, in the index alone. */
    readRange: database.prepare<ResourceRow>(
      `SELECT ${RESOURCE} FROM resources
       WHERE collection = ${COLLECTION} AND place >=
         (SELECT place FROM resources WHERE collection = ${COLLECTION} AND place >= ?5
          ORDER BY place LIMIT 1 OFFSET ?3)
       ORDER BY place LIMIT ?4`,
    ),
    findPlace: database.prepare<[place: number]>(
      `SELECT ${numbers('place')} FROM resources WHERE collection = ? AND place >= ?
       ORDER BY place LIMIT 1 OFFSET ?`,
    ),
    findCollectionOf: database.prepare<[id: number]>(`SELECT ${numbers(COLLECTION)}`),
    readSize: database.prepare<[number]>(
      `SELECT ${numbers('size')} FROM collections WHERE id = ${COLLECTION}`,
    ),
    readSizes: database.prepare<[size: number, name: string]>(
      `SELECT ${numbers('size')}, ${text('name')} FROM collections
       WHERE store = (SELECT id FROM stores WHERE name = ?) ORDER BY id`,
    ),
  });
}

export type Rows = ReturnType<typeof prepareRows>;

/** Returns the names of the stores of a session's snapshots, as they are written. */
export function listSnapshotStores({ listStoresBetween }: Rows, session: string) {
  // `0` comes right after `/`.
  const [first, end] = [`${session}/`, `${session}0`].map((text) => writeName(text).slice(0, -1));
  return listStoresBetween.all(first ?? '', end ?? '');
}
