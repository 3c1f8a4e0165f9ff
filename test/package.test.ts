import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createFolder } from './support/folder.ts';
import { installPackage, packPackage, root } from './support/installed.ts';
import { startCommand } from './support/program.ts';

/** Runs a program of `node_modules`, and returns what it prints. */
async function runTool(t: ExecutionContext, words: readonly string[], folder = root) {
  const { code, stdout, stderr } = await startCommand(t, process.execPath, words, { folder }).ended;
  t.is(code, 0, stdout + stderr);
  return stdout;
}

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('the lock file has the packages of every platform', async (t) => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const locked = new Set(
    Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
  );
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  // `npm ci` refuses a lock file without them.
  t.deepEqual(
    wanted.filter((name) => !locked.has(name)),
    [],
  );
});

const TSC = join(root, 'node_modules/typescript/bin/tsc');

test.serial('publint and arethetypeswrong find nothing in the package', async (t) => {
  const packed = await packPackage(await createFolder(t));
  const publint = await runTool(t, ['node_modules/publint/src/cli.js', 'run', packed, '--strict']);
  t.regex(publint, /All good!/);
  const attw = 'node_modules/@arethetypeswrong/cli/dist/index.js';
  t.regex(await runTool(t, [attw, packed, '--format', 'ascii']), /No problems found/);
});

test.serial('the types of the package are one file for each kind of module', async (t) => {
  const folder = await createFolder(t, { 'package.json': '{}' });
  await installPackage(folder);
  const names = await readdir(join(folder, 'node_modules/coldframe/dist'));
  t.deepEqual(names.filter((name) => /\.d\.[cm]?ts$/.test(name)).sort(), [
    'index.d.cts',
    'index.d.ts',
  ]);
});

test('no built file imports a module of Node.js, which reads all that the module exports', async (t) => {
  const names = (await readdir(join(root, 'dist'))).filter((name) => name.endsWith('.js'));
  const files = await Promise.all(names.map((name) => readFile(join(root, 'dist', name), 'utf8')));
  t.deepEqual(
    files.flatMap((code) => code.match(/^import .*["']node:.*$/gm) ?? []),
    [],
  );
  t.regex(files.join('\n'), /^const .* = process\.getBuiltinModule\("node:http"\);$/m);
});

/** Runs a regular expression before and after the flags of V8 are set, on texts in several pieces. */
const RUN_EXPRESSION = `
  const { setFlagsFromString } = require('node:v8');
  let count = 0;
  const run = () => /(?:[0-9]{1,3}\\.){3}x|a+b$/.test('1.2.3.' + 'aab' + count++ + 'x'.repeat(20));
  run();
  for (const flag of process.argv.slice(1)) setFlagsFromString(flag);
  for (let turn = 0; turn < 100; turn++) run();
`;

test('the program sets no flag of V8 that breaks what ran before', async (t) => {
  const code = await readFile(join(root, 'dist/main.js'), 'utf8');
  const flags = Array.from(
    code.matchAll(/setFlagsFromString\("(--[^"]+)"\)/g),
    ([, flag = '']) => flag,
  );
  t.true(flags.length > 0);
  await runTool(t, ['-e', RUN_EXPRESSION, '--', ...flags]);
});

test('the files of the program take members of each other when they load, and none requires one that requires it', async (t) => {
  const folder = join(root, 'dist/program');
  const required = new Map<string, readonly string[]>();
  for (const name of await readdir(folder)) {
    const code = await readFile(join(folder, name), 'utf8');
    const lines = code.matchAll(/^const (\{.*\}|\S+) = require\("\.\/(.+)"\);$/gm);
    const found = Array.from(lines, ([, members = '', file = '']) => ({ members, file }));
    t.true(
      found.every(({ members }) => members.startsWith('{')),
      name,
    );
    required.set(
      name,
      found.map(({ file }) => file),
    );
  }
  t.true(required.size > 10);
  const reach = (name: string, around: readonly string[]): void => {
    t.false(around.includes(name), [...around, name].join(' → '));
    if (around.includes(name)) return;
    for (const one of required.get(name) ?? []) reach(one, [...around, name]);
  };
  for (const name of required.keys()) reach(name, []);
});

const CREATE = `
async function create(): Promise<void> {
  const mock = await createMock();
  const session = mock.session();
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  const body = JSON.stringify({ id: 1, name: 'Fern' });
  await session.fetch('/plants', { method: 'POST', headers, body });
  const error: unknown = await session.fixtures.on('nothing').catch((one: unknown) => one);
  console.log(JSON.stringify(await session.state['plants']?.all()), error instanceof ControlError);
}
void create();
`;

test.serial('CommonJS requires the package, in JavaScript and in TypeScript', async (t) => {
  const folder = await createFolder(t, {
    'package.json': '{}',
    'plain.js': `const { createMock, ControlError } = require('coldframe');${CREATE.replace(': Promise<void>', '').replaceAll(': unknown', '').replace('?.', '.')}`,
    'typed.ts': `import { ControlError, createMock } from 'coldframe';${CREATE}`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, module: 'node16', target: 'es2023', types: ['node'] },
      files: ['typed.ts'],
    }),
  });
  await installPackage(folder);
  const created = '[{"id":1,"name":"Fern"}] true\n';
  t.is(await runTool(t, ['plain.js'], folder), created);
  await runTool(t, [TSC, '-p', '.'], folder);
  t.regex(await readFile(join(folder, 'typed.js'), 'utf8'), /require\("coldframe"\)/);
  t.is(await runTool(t, ['typed.js'], folder), created);
});

const OWN_REALM = `
import { expect, test } from '@jest/globals';
import { ControlError, createMock } from 'coldframe';
test('errors and lists are those of the realm', async () => {
  const session = (await createMock()).session();
  const error = await session.fixtures.on('nothing').catch((one) => one);
  expect(error).toBeInstanceOf(ControlError);
  expect(error).toBeInstanceOf(Error);
  expect(await session.state['plants'].all()).toStrictEqual([]);
});
`;

test.serial('in Jest, an ES module gets the library in the realm of its tests', async (t) => {
  const folder = await createFolder(t, {
    'package.json': '{ "type": "module" }',
    'realm.test.mjs': OWN_REALM,
    'jest.config.json': '{ "testMatch": ["**/*.test.mjs"], "transform": {} }',
  });
  await installPackage(folder);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const words = ['--experimental-vm-modules', '--no-warnings', jest, '-c', 'jest.config.json'];
  await runTool(t, words, folder);
  await runTool(t, words, folder);
});

const TWICE = `
import { createRequire } from 'node:module';
import { Decimal } from 'coldframe';
const required = createRequire(import.meta.url)('coldframe');
process.exit(required.Decimal === Decimal ? 0 : 1);
`;

test.serial('import and require give the same library, with and without stored code', async (t) => {
  const folder = await createFolder(t, { 'package.json': '{}', 'twice.mjs': TWICE });
  await installPackage(folder);
  await runTool(t, ['twice.mjs'], folder);
  await runTool(t, ['--conditions=module', 'twice.mjs'], folder);
  await runTool(t, ['--enable-source-maps', 'twice.mjs'], folder);
});

/** Names that the documentation uses without introducing them again. */
const GLOBALS = `
import type { Page } from '@playwright/test';
import type { Mock, MockSession } from 'coldframe';
declare global {
  const mock: Mock;
  const session: MockSession;
  const page: Page;
  const { afterAll, beforeAll, expect, test }: typeof import('@jest/globals');
}
`;

const compilerOptions = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: ['node'],
  // Those of other packages are not ours, and those of this one are checked above.
  skipLibCheck: true,
};

const BLOCK = /^```(ts|js)\n(.*?)^```$/gms;

async function listPages(): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'docs'), { recursive: true });
  const pages = entries.filter((name) => name.endsWith('.md') && !name.startsWith('decisions'));
  return ['README.md', ...pages.map((name) => join('docs', name))];
}

/** A comment that says that a line does not compile makes the compiler verify that. */
function expectErrors(code: string): string {
  return code.replaceAll(/^(.*\/\/ does not compile)$/gm, '// @ts-expect-error\n$1');
}

test.serial('the code in the documentation compiles under --strict', async (t) => {
  const folder = await createFolder(t, {
    'package.json': '{ "type": "module" }',
    'code/globals.ts': GLOBALS,
    'code/ts.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    // Without annotations, the parameters of functions in JavaScript have no types.
    'code/js.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, allowJs: true, checkJs: true, noImplicitAny: false },
      include: ['*.js', 'globals.ts'],
    }),
  });
  await installPackage(folder);
  await cp(join(root, 'examples/in-a-test'), folder, { recursive: true });
  await cp(join(root, 'examples'), join(folder, 'code/examples'), { recursive: true });
  await cp(join(root, 'examples/in-a-test/plant-store.d.ts'), join(folder, 'code/api.d.ts'));
  let count = 0;
  for (const page of await listPages()) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, language, code = ''] of text.matchAll(BLOCK)) {
      // Cypress downloads a browser, and Testcontainers needs Docker: neither is installed here.
      if (/\bcy\.|'testcontainers'/.test(code)) continue;
      const name = `${page.replaceAll(/\W/g, '-')}-${++count}.${language}`;
      await writeFile(join(folder, 'code', name), `${expectErrors(code)}\nexport {};\n`);
    }
  }
  t.true(count > 10);
  await runTool(t, [TSC, '-p', 'code/ts.json'], folder);
  await runTool(t, [TSC, '-p', 'code/js.json'], folder);
});
