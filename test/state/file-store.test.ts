import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openStores } from '../../src/assemble/sessions.ts';
import { Problem } from '../../src/base/problem.ts';
import { Database } from '../../src/state/database.ts';
import { FileStores } from '../../src/state/file-stores.ts';
import { sumOf } from '../../src/state/file-tables.ts';
import { StateBudget } from '../../src/state/state-budget.ts';
import { type Store, StoreError, type Stores } from '../../src/state/store.ts';
import { createFolder } from '../support/folder.ts';
import { testWithStrace } from '../support/needs.ts';
import {
  listAll,
  type MakeStores,
  plant,
  put,
  remove,
  testStores,
} from '../support/store-conformance.ts';
import { testStoresByModel } from '../support/store-model.ts';

/** Each opening is one of its own, as another process would have it. */
const make: MakeStores = async (t, beginning) => {
  const path = join(await createFolder(t), 'coldframe.db');
  const opened: Stores[] = [];
  t.teardown(async () => {
    for (const stores of opened) await stores.close();
  });
  const reopen = (): Stores => {
    const settings = { timeout: 5000, ...(beginning === undefined ? {} : { beginning }) };
    const stores = new FileStores(path, settings);
    opened.push(stores);
    return stores;
  };
  return { stores: reopen(), reopen };
};

testStores(test, 'file', make);
testStoresByModel(test, 'file', make, 12);

const settings = { timeout: 5000 };
const writer = fileURLToPath(new URL('../support/store-writer.ts', import.meta.url));

test('a position far in a collection is the same whatever left before it', async (t) => {
  const { stores, reopen } = await make(t);
  const [store, other] = [await stores.open('default'), await (await reopen()).open('default')];
  const keys = Array.from({ length: 15_000 }, (_, number) => String(number));
  const expected = [...keys];
  await store.commit(keys.map((key) => put('plants', key, {})));
  const isAsExpected = async (): Promise<void> => {
    for (const offset of [0, 4095, 4096, 9000, 12_290, expected.length - 2, expected.length]) {
      for (const one of [store, other]) {
        const found = await one.list('plants', { offset, limit: 3 });
        const listed = found.map(({ key }) => key);
        t.deepEqual(listed, expected.slice(offset, offset + 3), `from ${offset}`);
      }
    }
  };
  const leave = async (from: Store, ...left: readonly string[]): Promise<void> => {
    await from.commit(left.map((key) => remove('plants', key)));
    for (const key of left) expected.splice(expected.indexOf(key), 1);
    await isAsExpected();
  };
  await isAsExpected();
  await leave(store, '0', '4096', '8191', '8192', '14999');
  await leave(other, ...keys.slice(5000, 8000));
  await store.commit([put('plants', 'new', {}), put('plants', '3', { name: 'Fern' })]);
  expected.push('new');
  await isAsExpected();
  await stores.drop('default');
  expected.splice(0, expected.length, ...keys.slice(1).filter((key) => Number(key) % 2 === 0));
  await store.commit(expected.map((key) => put('plants', key, {})));
  await isAsExpected();
});

interface WriterStart {
  readonly prefix: string;
  readonly count?: number;
  /** The command that runs the writer; none by default. */
  readonly under?: readonly string[];
}

/** Writes until it is done or killed, and notes what it was told is made. */
function startWriter(
  t: ExecutionContext,
  path: string,
  { prefix, count = 1_000_000, under = [] }: WriterStart,
): ChildProcess {
  const words = [...process.execArgv, writer, path, `${path}-notes`, prefix, String(count)];
  const [program = '', ...rest] = [...under, process.execPath, ...words];
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'pipe'] });
  child.stderr?.on('data', (data) => t.log(String(data)));
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function readNotes(path: string): Promise<readonly { key: string; number: number }[]> {
  const text = await readFile(`${path}-notes`, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [key = '', number] = line.split(' ');
    return { key, number: Number(number) };
  });
}

async function assertKept(t: ExecutionContext, path: string): Promise<void> {
  const stores = new FileStores(path, settings);
  const store = await stores.open('default');
  for (const { key, number } of await readNotes(path)) {
    t.deepEqual((await store.get('plants', key))?.resource, { key, number });
  }
  const plants = await listAll(store, 'plants');
  t.is(new Set(plants.map(({ key }) => key)).size, plants.length, 'none is there twice');
  t.is(new Set(plants.map(({ number }) => number)).size, plants.length, 'nor a number');
  t.deepEqual(
    (await listAll(store, 'copies')).map(({ key }) => key),
    plants.map(({ key }) => key),
    'and none by half',
  );
  await stores.close();
}

test('confirmed changes survive kill -9', async (t) => {
  const path = join(await createFolder(t), 'coldframe.db');
  let told = 0;
  for (let round = 0; round < 3; round++) {
    const child = startWriter(t, path, { prefix: `round-${round}/` });
    while ((await readNotes(path)).length === told) await sleep(5);
    await sleep(70 * round);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await assertKept(t, path);
    told = (await readNotes(path)).length;
  }
  t.true(told > 100, String(told));
});

test('several processes write to one file without losing changes', async (t) => {
  const path = join(await createFolder(t), 'coldframe.db');
  const children = ['a', 'b', 'c'].map((prefix) => startWriter(t, path, { prefix, count: 500 }));
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));
  t.deepEqual(ends, [
    [0, null],
    [0, null],
    [0, null],
  ]);
  t.is((await readNotes(path)).length, 1500);
  await assertKept(t, path);
});

testWithStrace('a file can be opened while another process is making it', async (t) => {
  const path = join(await createFolder(t), 'coldframe.db');
  const trace = `${path}-trace`;
  const looks = ['-P', path, '-P', `${path}-wal`, '-e', 'trace=all'];
  const slow = ['-e', 'inject=statx:delay_enter=500000:when=1..4'];
  const under = ['strace', '-f', '-qq', '-o', trace, ...looks, ...slow];
  const child = startWriter(t, path, { prefix: 'a', count: 5, under });
  const ended = once(child, 'exit');
  const countLooks = async (): Promise<number> =>
    (await readFile(trace, 'utf8').catch(() => '')).split('ENOENT').length - 1;
  while (child.exitCode === null && (await countLooks()) < 2) await sleep(5);
  const stores = new FileStores(path, settings);
  await (await stores.open('default')).nextNumber('plants');
  t.deepEqual(await ended, [0, null]);
  await stores.close();
});

/** @returns the path of a file in which something was stored, and how much */
async function createFile(t: ExecutionContext, count = 500): Promise<string> {
  const path = join(await createFolder(t), 'coldframe.db');
  const stores = new FileStores(path, settings);
  const store = await stores.open('default');
  const ids = Array.from({ length: count }, (_, id) => id);
  await store.commit(ids.map((id) => put('plants', String(id), plant(id))));
  await store.nextNumber('plants');
  await stores.close();
  return path;
}

test('a closed store is one file and can be copied', async (t) => {
  const path = await createFile(t);
  t.deepEqual(await readdir(join(path, '..')), ['coldframe.db']);
  const copy = join(await createFolder(t), 'copy.db');
  await writeFile(copy, await readFile(path));
  const stores = new FileStores(copy, settings);
  t.is(await (await stores.open('default')).count('plants'), 500);
  await stores.close();
});

test('a partly overwritten file is refused and left unchanged', async (t) => {
  const whole = await readFile(await createFile(t));
  const folder = await createFolder(t);
  let refused = 0;
  for (let start = 0; start < whole.length; start += 1024) {
    const bytes = Buffer.from(whole);
    for (let at = start; at < start + 1024; at++) bytes[at] = 255 - (bytes[at] ?? 0);
    const path = join(folder, `${start}.db`);
    await writeFile(path, bytes);
    try {
      const stores = new FileStores(path, settings);
      const listed = await listAll(await stores.open('default'), 'plants');
      t.is(listed.length, 500, 'only where nothing stood that was used');
      await stores.close();
    } catch (error) {
      t.true(error instanceof StoreError, String(error));
      t.regex(String(error), /damaged.*left as it is/);
      t.true(bytes.equals(await readFile(path)));
      refused++;
    }
  }
  t.true(refused > (whole.length / 1024) * 0.7, `${refused} of ${whole.length / 1024}`);
});

test('a digit that another program changed is detected', async (t) => {
  const path = await createFile(t);
  const bytes = await readFile(path);
  const at = bytes.indexOf('"plant 123"');
  t.true(at > 0);
  bytes.write('"plant 124"', at);
  await writeFile(path, bytes);
  t.throws(() => new FileStores(path, settings), {
    instanceOf: StoreError,
    message: /damaged \(1 rows of resources are not what was written\)/,
  });
});

test('a truncated file is refused and left unchanged', async (t) => {
  const whole = await readFile(await createFile(t));
  const folder = await createFolder(t);
  for (const share of [0.01, 0.5, 0.99]) {
    const path = join(folder, `${share}.db`);
    const part = whole.subarray(0, Math.floor(whole.length * share));
    await writeFile(path, part);
    t.throws(() => new FileStores(path, settings), { message: /damaged.*left as it is/ });
    t.true(part.equals(await readFile(path)));
  }
});

test('a file of another format is refused and left unchanged', async (t) => {
  const folder = await createFolder(t, { 'notes.txt': 'Water the ferns.\n'.repeat(100) });
  const text = join(folder, 'notes.txt');
  t.throws(() => new FileStores(text, settings), { message: /not a file of Coldframe's/ });
  t.is(await readFile(text, 'utf8'), 'Water the ferns.\n'.repeat(100));
  const other = join(folder, 'other.db');
  const database = new Database(other);
  database.execute('CREATE TABLE plants (id INTEGER)');
  database.close();
  t.throws(() => new FileStores(other, settings), { message: /not a file of Coldframe's/ });
});

test('a file of a later version is refused', async (t) => {
  const path = await createFile(t);
  const database = new Database(path);
  database.execute('PRAGMA user_version = 99');
  database.close();
  t.throws(() => new FileStores(path, settings), { message: /later version.*format 99/ });
});

test('a file of the first format is opened with all that is in it', async (t) => {
  const path = await createFile(t);
  const database = new Database(path);
  database.execute(
    `DROP INDEX uses; DROP TABLE file; ALTER TABLE stores DROP COLUMN user;
     ALTER TABLE stores DROP COLUMN used; PRAGMA user_version = 1`,
  );
  database.close();
  const stores = new FileStores(path, settings);
  t.is((await listAll(await stores.open('default'), 'plants')).length, 500);
  await stores.close();
  const again = new FileStores(path, settings);
  t.deepEqual(again.names(), ['default']);
  await again.close();
});

test('a path that is not a file is refused with a remedy', async (t) => {
  const folder = await createFolder(t);
  t.throws(() => new FileStores(folder, settings), { message: /is a folder: name a file in it/ });
  const lost = join(folder, 'none', 'coldframe.db');
  t.throws(() => new FileStores(lost, settings), { message: /none is not there: make it/ });
  t.deepEqual(await readdir(folder), []);
});

test('an empty file is a new store', async (t) => {
  const folder = await createFolder(t, { 'coldframe.db': '' });
  const stores = new FileStores(join(folder, 'coldframe.db'), settings);
  t.deepEqual(await stores.names(), []);
  await stores.close();
});

test('while another program locks the file, changes time out and reads continue', async (t) => {
  const path = await createFile(t);
  const stores = new FileStores(path, { timeout: 200 });
  t.teardown(() => stores.close());
  const store = await stores.open('default');
  const other = new Database(path);
  other.execute('BEGIN IMMEDIATE');
  const failing = Array.from({ length: 20 }, (_, id) =>
    store.commit([put('plants', `new ${id}`, plant(id))]),
  );
  for (const outcome of await Promise.allSettled(failing)) {
    if (outcome.status === 'fulfilled') return t.fail('it was told to be made');
    t.true(outcome.reason instanceof Problem && /keeps .* locked/.test(outcome.reason.message));
  }
  t.is(await store.count('plants'), 500);
  const waiting = store.commit([put('plants', 'later', plant(1))]);
  await sleep(50);
  other.execute('COMMIT');
  t.is((await waiting)?.length, 1, 'one that waits for the lock is made when it is free');
  t.is(await store.count('plants'), 501);
  other.close();
});

test('a failed write affects only its own change', async (t) => {
  const { stores } = await make(t);
  const store = await stores.open('default');
  const circular: Record<string, never> = {};
  Object.assign(circular, { circular });
  const outcomes = await Promise.allSettled([
    store.commit([put('plants', '1', plant(1))]),
    store.commit([put('plants', '2', plant(2)), put('plants', '3', circular)]),
    store.commit([put('plants', '4', plant(4))]),
  ]);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.deepEqual(await listAll(store, 'plants'), [plant(1), plant(4)]);
});

test('a store that another process has dropped starts anew', async (t) => {
  const { stores, reopen } = await make(t, () => [put('plants', '1', plant(1))]);
  const held = await stores.open('default');
  await held.commit([put('plants', '2', plant(2))]);
  const other = await reopen();
  await other.drop('default');
  t.deepEqual(await listAll(held, 'plants'), [plant(1)]);
  await other.drop('default');
  t.is((await held.commit([put('plants', '3', plant(3))]))?.length, 1);
  t.deepEqual(await listAll(await other.open('default'), 'plants'), [plant(1), plant(3)]);
});

for (const text of ['', 'no JSON', '[]', '"text"', ' {"id":1,"id":2}']) {
  test(`an invalid resource in the file is refused: ${JSON.stringify(text)}`, async (t) => {
    const path = await createFile(t);
    const stores = new FileStores(path, settings);
    t.teardown(() => stores.close());
    const store = await stores.open('default');
    changeRow(path, '"1"', '"1"', text);
    const readOne = async () => (await store.get('plants', '1'))?.resource;
    for (const read of [readOne, async () => listAll(store, 'plants')]) {
      const error = await t.throwsAsync<Problem>(read, { instanceOf: Problem });
      t.is(error?.problem, 'STORE_UNAVAILABLE');
      t.regex(error?.message ?? '', /resource "1" cannot be read.*: put a copy/);
    }
  });
}

test('an invalid key in the file is refused, at run time and at the start', async (t) => {
  const path = await createFile(t);
  const stores = new FileStores(path, settings);
  t.teardown(() => stores.close());
  const store = await stores.open('default');
  changeRow(path, '"1"', 'one', '{"id":1}');
  const error = await t.throwsAsync<Problem>(async () => listAll(store, 'plants'), {
    instanceOf: Problem,
  });
  t.regex(error?.message ?? '', /the name one cannot be read.*: put a copy/);
  t.throws(() => new FileStores(path, settings), {
    instanceOf: StoreError,
    message: /damaged \(1 rows of resources are not what was written\)/,
  });
});

/** Writes a row as another version might: its sum is right. */
function changeRow(path: string, key: string, newKey: string, text: string): void {
  const database = new Database(path);
  database
    .prepare(
      'UPDATE resources SET key = ?, text = ?, place = 900, version = 900, sum = ? WHERE key = ?',
    )
    .run(newKey, text, sumOf(newKey, 900, 900, text), key);
  database.close();
}

test('the setting selects the store', async (t) => {
  const folder = await createFolder(t);
  const path = join(folder, 'a b#?%.db');
  const given = { budget: new StateBudget(1000), beginning: () => [], timeout: 1000 };
  for (const setting of [`file:${path}`, `file://${path}`, 'memory']) {
    const stores = openStores(setting, given);
    const store = await stores.open('default');
    await store.commit([put('plants', '1', plant(1))]);
    await stores.close();
  }
  t.true((await stat(path)).size > 0);
  for (const setting of ['', 'file:', 'disk', 'sqlite:./a.db', 'FILE:a']) {
    t.throws(() => openStores(setting, given), { instanceOf: StoreError, message: /is no store/ });
  }
});
