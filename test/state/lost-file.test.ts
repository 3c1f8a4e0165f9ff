import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Problem } from '../../src/base/problem.ts';
import { Database } from '../../src/state/database.ts';
import { watchIdentity } from '../../src/state/file-identity.ts';
import { FileStores } from '../../src/state/file-stores.ts';
import { openFile } from '../../src/state/open-file.ts';
import { type LocalStores, type Store, StoreError } from '../../src/state/store.ts';
import { createFolder } from '../support/folder.ts';
import { listAll, plant, put } from '../support/store-conformance.ts';

const settings = { timeout: 5000 };

/** Returns a store of 200 plants with texts beyond ASCII, and the path of its file. */
async function openFilled(
  t: ExecutionContext,
): Promise<{ path: string; stores: LocalStores; store: Store }> {
  const path = join(await createFolder(t), 'coldframe.db');
  const stores = new FileStores(path, settings);
  t.teardown(() => stores.close());
  const store = await stores.open('default');
  const ids = Array.from({ length: 200 }, (_, id) => id);
  await store.commit(ids.map((id) => put('plants', String(id), { ...plant(id), note: 'grün 木' })));
  return { path, stores, store };
}

async function assertRefused(
  t: ExecutionContext,
  { stores, store }: { stores: LocalStores; store: Store },
  message: RegExp,
): Promise<void> {
  const writes = [
    () => store.commit([put('plants', 'new', plant(1))]),
    () => store.nextNumber('plants'),
    () => stores.copy('default', 'default/one'),
    () => stores.open('another'),
    () => stores.read('default'),
    () => stores.check(),
  ];
  for (const write of writes) {
    const error = await t.throwsAsync<Problem>(async () => write(), { instanceOf: Problem });
    t.is(error?.problem, 'STORE_UNAVAILABLE');
    t.regex(error?.message ?? '', message);
  }
}

type Harm = (path: string) => Promise<unknown>;

async function createOther(path: string): Promise<void> {
  const other = new FileStores(path, settings);
  await (await other.open('default')).commit([put('plants', '1', plant(1))]);
  await other.close();
}

const harms: Readonly<Record<string, readonly [harm: Harm, message: RegExp]>> = {
  deleted: [(path) => rm(path), /coldframe\.db was deleted while it was in use/],
  'deleted with its folder': [(path) => rm(join(path, '..'), { recursive: true }), /was deleted/],
  'emptied in place': [(path) => writeFile(path, ''), /was overwritten/],
  'replaced by an empty file': [
    async (path) => {
      await rm(path);
      await writeFile(path, '');
    },
    /was replaced by another file/,
  ],
  'replaced by another store': [
    async (path) => {
      await createOther(`${path}.other`);
      await rename(`${path}.other`, path);
    },
    /was replaced by another file/,
  ],
  'overwritten by another, larger store': [
    async (path) => {
      const other = new FileStores(`${path}.other`, settings);
      const text = 'x'.repeat(500_000);
      await (await other.open('default')).commit([put('plants', '1', { text })]);
      await other.close();
      await copyFile(`${path}.other`, path);
    },
    /was overwritten/,
  ],
  'parted from its log': [(path) => rm(`${path}-wal`), /coldframe\.db-wal was deleted/],
};

for (const [what, [harm, message]] of Object.entries(harms)) {
  test(`a file that is ${what} while it is open takes no more writes`, async (t) => {
    const opened = await openFilled(t);
    await harm(opened.path);
    await assertRefused(t, opened, message);
  });
}

test('a file that is put back takes writes again', async (t) => {
  const { path, stores, store } = await openFilled(t);
  await rename(path, `${path}.away`);
  t.throws(() => stores.check(), { message: /was deleted/ });
  await rename(`${path}.away`, path);
  stores.check();
  await store.commit([put('plants', 'new', plant(1))]);
  t.is(await store.count('plants'), 201);
});

test('what other processes write and move from the log is no loss', async (t) => {
  const { path, stores, store } = await openFilled(t);
  const other = new FileStores(path, settings);
  const text = 'x'.repeat(100_000);
  for (let id = 0; id < 60; id++) {
    await (await other.open('b')).commit([put('plants', String(id), { text })]);
    await store.commit([put('plants', `b${id}`, plant(id))]);
    stores.check();
  }
  await other.close();
  t.is(await store.count('plants'), 260);
});

test('a log without its file is refused and left as it is', async (t) => {
  const folder = await createFolder(t);
  const { path } = await openFilled(t);
  for (const content of [undefined, '']) {
    const lone = join(folder, `${content === undefined}.db`);
    if (content !== undefined) await writeFile(lone, content);
    await copyFile(`${path}-wal`, `${lone}-wal`);
    t.throws(() => new FileStores(lone, settings), {
      instanceOf: StoreError,
      message: /is gone or empty, but .*-wal has changes of it/,
    });
    t.deepEqual(await readFile(`${lone}-wal`), await readFile(`${path}-wal`));
  }
});

test('text that is no longer UTF-8 is refused at the start and at run time', async (t) => {
  const { path, stores, store } = await openFilled(t);
  const database = new Database(path);
  const broken = "CAST(x'227aff22' AS TEXT)";
  for (const change of [
    `UPDATE resources SET text = ${broken} WHERE key = '"5"'`,
    `UPDATE stores SET version = ${broken}`,
  ]) {
    database.execute(change);
    t.throws(() => new FileStores(path, settings), {
      instanceOf: StoreError,
      message: /damaged.*left as it is/,
    });
  }
  database.close();
  for (const read of [() => store.get('plants', '5'), () => listAll(store, 'plants')]) {
    await t.throwsAsync(async () => read(), { instanceOf: Problem, message: /is damaged/ });
  }
  await assertRefused(t, { stores, store }, /is damaged/);
});

test('a damaged table definition is refused', async (t) => {
  const { path, stores } = await openFilled(t);
  await stores.close();
  const bytes = await readFile(path);
  for (let at = bytes.indexOf('CREATE TABLE'); at >= 0; at = bytes.indexOf('CREATE TABLE', at)) {
    bytes.write('\xff\xfe\xffATE', at, 'latin1');
  }
  await writeFile(path, bytes);
  t.throws(() => new FileStores(path, settings), {
    instanceOf: StoreError,
    message: /damaged.*left as it is/,
  });
  t.deepEqual(await readFile(path), bytes);
});

test('a folder in place of the file is noticed', async (t) => {
  const opened = await openFilled(t);
  await rm(opened.path);
  await mkdir(opened.path);
  await assertRefused(t, opened, /was replaced by another file/);
});

test('a file whose end is still in the log counts as the same file', async (t) => {
  const path = join(await createFolder(t), 'coldframe.db');
  const writer = openFile(path);
  t.teardown(() => writer.close());
  writer.execute('CREATE TABLE more (text TEXT)');
  const findChange = watchIdentity(path);
  writer.execute(
    `WITH RECURSIVE numbers (one) AS (SELECT 1 UNION ALL SELECT one + 1 FROM numbers LIMIT 50)
     INSERT INTO more SELECT printf('%01000d', one) FROM numbers`,
  );
  // While a reader needs the last page as it was, its new version stays in the log.
  const reader = new Database(path);
  t.teardown(() => reader.close());
  reader.execute('BEGIN');
  t.is(reader.ask('SELECT count(*) FROM more'), 50);
  writer.execute("UPDATE more SET text = 'new ' || text WHERE rowid = 50");
  writer.ask('PRAGMA wal_checkpoint(PASSIVE)');
  t.is(findChange(), undefined);
});
