import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { CompiledCode } from '../../src/commands/compiled-code.ts';
import { createFolder } from '../support/folder.ts';
import { root } from '../support/installed.ts';
import { startCommand, startMock } from '../support/program.ts';

const program = {
  'package.json': '{"type":"commonjs"}',
  'run.cjs': `
    const path = require('node:path');
    const { double } = require('./double.cjs');
    exports.run = () => [
      double(21),
      path.basename(__filename),
      path.basename(__dirname) !== '',
      require('./double.cjs') === require('./double.cjs'),
    ];`,
  'double.cjs': `
    const { unit } = require('./run.cjs');
    exports.double = (number) => (unit === undefined ? 2 * number : 0);`,
};

interface Run {
  run(): readonly unknown[];
}

/** Returns another folder with the program: V8 still has what it compiled for the first one. */
const copyProgram = (t: ExecutionContext) => createFolder(t, program);

const runIn = (code: CompiledCode) => (code.load('run.cjs') as Run).run();

test('files are loaded as Node.js loads them, also when two need each other', async (t) => {
  const folder = await createFolder(t, program);
  const code = new CompiledCode(folder, undefined);
  t.deepEqual(runIn(code), [42, 'run.cjs', true, true]);
  t.is(code.load('run.cjs'), code.load('run.cjs'));
});

test('a file that could not be loaded is loaded anew the next time', async (t) => {
  const folder = await createFolder(t, {
    ...program,
    'run.cjs': `exports.run = () => require('./late.cjs'); exports.run();`,
  });
  const code = new CompiledCode(folder, undefined);
  for (let time = 0; time < 2; time++) t.throws(() => code.load('run.cjs'), { message: /late/ });
  await writeFile(join(folder, 'late.cjs'), 'module.exports = [42];');
  t.deepEqual(runIn(code), [42]);
});

test('V8 takes the code of an earlier process, which then has nothing new to store', async (t) => {
  const folder = await createFolder(t, program);
  const file = join(folder, 'code');
  const first = new CompiledCode(folder, file);
  runIn(first);
  const compiled = first.compile();
  if (compiled === undefined) return t.fail('nothing was compiled');
  await writeFile(file, compiled);

  const second = new CompiledCode(await copyProgram(t), file);
  t.deepEqual(runIn(second), [42, 'run.cjs', true, true]);
  t.is(second.compile(), undefined);
});

/** Returns a file of code whose headers, which begin with V8's version, have other bytes. */
function withHeaders(file: Buffer, byte: number): Buffer {
  const scripts = deserialize(file.subarray(4)) as ReadonlyMap<string, Buffer>;
  const changed = Array.from(scripts, ([name, code]) => [name, Buffer.from(code).fill(byte, 0, 8)]);
  const content = serialize(new Map(changed as [string, Buffer][]));
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(content));
  return Buffer.concat([sum, content]);
}

for (const [what, spoil] of [
  ['is not whole', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['is empty', () => Buffer.alloc(0)],
  ['is of something else', () => Buffer.from('{"code":7}')],
  [
    'has another byte',
    (code: Buffer) => code.map((byte, index) => (index === code.length - 9 ? byte ^ 1 : byte)),
  ],
  ['is of another version of V8', (code: Buffer) => withHeaders(code, 7)],
] as const) {
  test(`a file of code that ${what} is replaced`, async (t) => {
    const folder = await createFolder(t, program);
    const file = join(folder, 'code');
    const first = new CompiledCode(folder, file);
    runIn(first);
    await writeFile(file, spoil(first.compile() ?? Buffer.alloc(0)));

    const second = new CompiledCode(await copyProgram(t), file);
    t.deepEqual(runIn(second), [42, 'run.cjs', true, true]);
    t.true((second.compile() ?? []).length > 0);
  });
}

test('code of a file that has another length is compiled again', async (t) => {
  const folder = await createFolder(t, program);
  const file = join(folder, 'code');
  const first = new CompiledCode(folder, file);
  runIn(first);
  await writeFile(file, first.compile() ?? '');
  const doubled = `${program['double.cjs']}\nexports.double = () => 'changed';`;
  const changed = await copyProgram(t);
  await writeFile(join(changed, 'double.cjs'), doubled);

  const second = new CompiledCode(changed, file);
  t.is(runIn(second)[0], 'changed');
  t.true((second.compile() ?? []).length > 0);
});

test('code of a package is not taken for another version of the same length', async (t) => {
  const name = (version: number) => `exports.name = () => 'version ${version}';`;
  const create = (version: number) =>
    createFolder(t, {
      'package.json': '{"type":"commonjs"}',
      'run.cjs': `exports.run = () => [require('js-yaml').name(), require.resolve('js-yaml')];`,
      'node_modules/js-yaml/index.js': name(version),
    });
  const folder = await create(1);
  const file = join(folder, 'code');
  const first = new CompiledCode(folder, file);
  t.deepEqual(runIn(first), ['version 1', join(folder, 'node_modules/js-yaml/index.js')]);
  await writeFile(file, first.compile() ?? '');

  const same = new CompiledCode(await create(1), file);
  t.is(runIn(same)[0], 'version 1');
  t.is(same.compile(), undefined);
  const other = new CompiledCode(await create(2), file);
  t.is(runIn(other)[0], 'version 2');
  t.true((other.compile() ?? []).length > 0);
});

test('a package is read as UTF-8, as Node.js reads it', async (t) => {
  const folder = await createFolder(t, {
    'package.json': '{"type":"commonjs"}',
    'run.cjs': `exports.run = () => [require('js-yaml').name];`,
    'node_modules/js-yaml/index.js': `exports.name = 'Blüte 🌱';`,
  });
  t.deepEqual(runIn(new CompiledCode(folder, undefined)), ['Blüte 🌱']);
});

/** Starts a mock that keeps its code below a folder, and stops it. */
async function startAndStop(t: ExecutionContext, cache: string, ...words: readonly string[]) {
  const { running, url } = await startMock(t, words, { environment: { XDG_CACHE_HOME: cache } });
  t.is((await fetch(`${url}/plants`)).status, 405);
  running.child.kill('SIGTERM');
  t.is((await running.ended).code, 0);
  const code = join(cache, 'coldframe/code');
  const [name, ...others] = await readdir(code).catch(() => []);
  t.deepEqual(others, []);
  return name === undefined ? undefined : join(code, name);
}

test('a start takes the code of the start before where Node.js does not keep it', async (t) => {
  const cache = await createFolder(t, {});
  t.is(await startAndStop(t, cache, '--no-cache'), undefined);
  const file = await startAndStop(t, cache);
  t.is(file === undefined, 'enableCompileCache' in modules);
  if (file === undefined) return;
  // A start that loads more than the one before it, until it is stopped, stores more.
  const timeOf = async () => (await stat(file)).mtimeMs;
  let isSame = false;
  for (let start = 0; start < 5 && !isSame; start++) {
    const before = await timeOf();
    await startAndStop(t, cache);
    isSame = (await timeOf()) === before;
  }
  t.true(isSame);

  const whole = await readFile(file);
  await writeFile(file, whole.subarray(0, 1_000));
  await startAndStop(t, cache);
  t.true((await readFile(file)).length > whole.length / 2);
});

const USE = `
  import { createMock } from 'coldframe';
  const mock = await createMock();
  const { status } = await mock.fetch(new Request('http://localhost/plants'));
  process.exit(status === 405 ? 0 : 1);
`;

/** Uses the library in a process of its own, and returns the files of code with their times. */
async function useLibrary(t: ExecutionContext, cache: string, environment = {}) {
  const words = ['--input-type=module', '-e', USE];
  const surroundings = { folder: root, environment: { XDG_CACHE_HOME: cache, ...environment } };
  const { code, stderr } = await startCommand(t, process.execPath, words, surroundings).ended;
  t.is(code, 0, stderr);
  const folder = join(cache, 'coldframe/code');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(folder, name);
      return { path, at: (await stat(path)).mtimeMs };
    }),
  );
}

test('a process that uses the library takes the code of one before, and is used without it', async (t) => {
  const cache = await createFolder(t, {});
  t.deepEqual(await useLibrary(t, cache, { COLDFRAME_CACHE: 'false' }), []);
  const [first, ...others] = await useLibrary(t, cache);
  t.deepEqual(others, []);
  if (first === undefined) return t.fail('nothing was stored');
  t.deepEqual(await useLibrary(t, cache), [first]);

  const whole = await readFile(first.path);
  await writeFile(first.path, whole.subarray(0, 1_000));
  await useLibrary(t, cache);
  t.true((await readFile(first.path)).length > whole.length / 2);
});

test('processes with other flags of V8 have code of their own', async (t) => {
  const cache = await createFolder(t, {});
  await useLibrary(t, cache);
  const both = await useLibrary(t, cache, { NODE_OPTIONS: '--stack-trace-limit=20' });
  t.is(both.length, 2);
  t.deepEqual(await useLibrary(t, cache), both);
});

test('a cache folder that cannot be written changes nothing', async (t) => {
  const file = await createFolder(t, { coldframe: 'a file' });
  // Where a folder cannot be made, Linux says that it does not exist.
  for (const cache of [file, '/proc']) {
    await startAndStop(t, cache);
    t.deepEqual(await useLibrary(t, cache), []);
  }
});

test('a user whom the system does not know has no cache folder', async (t) => {
  const stub = "require('node:os').homedir = () => { throw new Error('ENOENT') };";
  const folder = await createFolder(t, { 'stub.cjs': stub });
  const words = ['--require', join(folder, 'stub.cjs'), 'dist/main.js', 'check'];
  const surroundings = { folder: root, environment: { XDG_CACHE_HOME: '' } };
  const { code, stderr } = await startCommand(t, process.execPath, words, surroundings).ended;
  t.is(code, 0, stderr);
});

test('the library has the same exports however it is loaded', async (t) => {
  const names = Object.keys(await import('../../src/index.ts'));
  const loaded: readonly object[] = [
    await import(join(root, 'dist/index.js')),
    await import(join(root, 'dist/library.js')),
    modules.createRequire(import.meta.url)(join(root, 'dist/index.cjs')),
  ];
  for (const own of loaded) {
    t.deepEqual(
      names.filter((name) => !(name in own)),
      [],
    );
  }
});
