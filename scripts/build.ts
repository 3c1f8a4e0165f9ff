/**
 * Builds `dist`: the program, the library for both kinds of modules, and its types in one file for
 * each kind. With `--program`, for the image, the program alone.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type InputOptions, type ModuleInfo, type OutputOptions, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { sumPlantStore } from '../src/assemble/plant-store.ts';
import { stringifyJson } from '../src/base/json/stringify.ts';
import { parseSource } from '../src/document/source.ts';
import * as library from '../src/index.ts';
import { defaultDocument } from '../src/settings/settings.ts';

const isProgramAlone = process.argv.includes('--program');

/** Of each file; what it writes is only read here. */
const DECLARATIONS = 'dist/declarations';

/**
 * Node.js reads ES modules by `require` from 20.19 on. Jest puts another `require` in its place,
 * which does not, and a `Module` that extends that of Node.js.
 */
const COMMON_JS = `'use strict';
const Module = require('node:module');
const { createRequire = Module.createRequire } = Object.getPrototypeOf(Module);
const load = createRequire(__filename);
module.exports = load('./stored.cjs').library ?? load('./library.js');
`;

/**
 * The library for `import`: the stored one, which is that of `require`, too. A test runner may give
 * each test a realm of its own, whose tests want errors and lists of that realm; there, and in a
 * bundle, it is loaded as any module.
 */
const ES_MODULE = `const { createRequire } = process.getBuiltinModule('node:module');
const { runInThisContext } = process.getBuiltinModule('node:vm');
function loadStored() {
  if (runInThisContext('Array') !== Array) return undefined;
  try {
    return createRequire(import.meta.url)('./stored.cjs').library;
  } catch {
    return undefined;
  }
}
export const { ${Object.keys(library).join(', ')} } =
  loadStored() ?? (await import('./library.js'));
`;

async function bundleTypes(): Promise<void> {
  const tsc = ['-p', 'tsconfig.build.json', '--outDir', DECLARATIONS];
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...tsc], { stdio: 'inherit' });
  const bundle = await rolldown({
    input: `${DECLARATIONS}/index.d.ts`,
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true })],
  });
  await bundle.write({ dir: 'dist' });
  await bundle.close();
  await rm(DECLARATIONS, { recursive: true });
  await copyFile('dist/index.d.ts', 'dist/index.d.cts');
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Returns a module, and those that are loaded with it. */
function closureOf(file: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([resolve(file)]);
  for (const id of found) {
    for (const one of modules.getModuleInfo(id)?.importedIds ?? []) found.add(one);
  }
  return found;
}

/**
 * Names the file of a module: Node.js takes longer to find and link a file than to read it. What
 * these files load at once is one file each; all else is loaded when it is needed.
 */
function nameFiles(...named: readonly (readonly [name: string, file: string])[]) {
  let closures: readonly (readonly [name: string, ids: ReadonlySet<string>])[] | undefined;
  return (id: string, modules: Modules): string | null => {
    closures ??= named.map(([name, file]) => [name, closureOf(file, modules)]);
    return closures.find(([, ids]) => ids.has(id))?.[0] ?? null;
  };
}

/** Returns a digest of all sources of the program. */
function digestSources(): string {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const digest = createHash('sha256');
  for (const name of names.filter((one) => one.endsWith('.ts')).sort()) {
    digest.update(`${name}\0`).update(readFileSync(join('src', name)));
  }
  return digest.digest('hex');
}

/** Returns the text of the plant store's document, and its value as JSON. */
function parsePlantStore() {
  const text = readFileSync(defaultDocument, 'utf8');
  return { text, json: stringifyJson(parseSource(defaultDocument, text).value) };
}

/** Modules of Node.js that load slowly and that a start does not need: only functions are imported. */
const LATER: readonly string[] = ['"node:crypto"'];

/** Returns a line that declares members of a module of Node.js; some load it on their first call. */
function bindBuiltin(pattern: string, module: string): string {
  const taken = `process.getBuiltinModule(${module})`;
  if (!LATER.includes(module) || !pattern.startsWith('{')) return `const ${pattern} = ${taken};`;
  const functions = Array.from(
    pattern.matchAll(/([\w$]+)(?:: ([\w$]+))?/g),
    ([, name, own = name]) => {
      return `${own} = (...values) => ${taken}.${name}(...values)`;
    },
  );
  return `const ${functions.join(', ')};`;
}

/** Matches an import of all that a module of Node.js exports, of its default, or of some names. */
const BUILTIN = /^import (?:\* as )?([\w$]+|\{(?!.*\bdefault as\b)[^}]+\}) from ("node:[^"]+");$/gm;

/**
 * Returns the code of a built file without imports of modules of Node.js: an import reads all that
 * such a module exports, also getters that load what they return. With `node:http` of Node.js 24,
 * that is the client behind `fetch`.
 */
function requireBuiltins(code: string) {
  const required = code.replace(BUILTIN, (_, names: string, module: string) => {
    const pattern = names.replaceAll(' as ', ': ');
    return bindBuiltin(pattern, module);
  });
  // All lines stay where they were.
  return { code: required, map: null };
}

const input = {
  platform: 'node',
  external: /^[^./]/,
  preserveEntrySignatures: 'allow-extension',
  transform: {
    target: 'node20.19',
    define: {
      PROGRAM_DIGEST: JSON.stringify(digestSources()),
      PLANT_STORE_CHECKSUM: String(sumPlantStore()),
      PLANT_STORE_DOCUMENT: JSON.stringify(parsePlantStore()),
    },
  },
} as const satisfies InputOptions;

const output = {
  comments: { jsdoc: false },
  // V8 holds two bytes for each character of a file that has one beyond Latin-1.
  charset: 'ascii',
} as const satisfies OutputOptions;

async function bundleLibrary(): Promise<void> {
  const bundle = await rolldown({
    ...input,
    input: 'src/index.ts',
    plugins: [{ name: 'builtins', renderChunk: requireBuiltins }],
  });
  await bundle.write({
    ...output,
    dir: 'dist',
    entryFileNames: 'library.js',
    sourcemap: true,
    codeSplitting: {
      groups: [{ debugName: 'loaded at once', name: nameFiles(['library', 'src/index.ts']) }],
      includeDependenciesRecursively: false,
    },
  });
  await bundle.close();
  await writeFile('dist/index.cjs', COMMON_JS);
  await writeFile('dist/index.js', ES_MODULE);
}

/** CommonJS, as Node.js 20 can load only this with code that V8 compiled for an earlier start. */
const PROGRAM = 'dist/program';

/** Matches a line that requires a module. */
const REQUIRED = /^(?:const|let) ([\w$]+) = require\(("[^"]+")\);$/gm;

/** Matches the bundler's code for `createRequire(import.meta.url)`; CommonJS has its own `require`. */
const OWN_REQUIRE =
  /\(0, [\w$]+\.createRequire\)\(require\("url"\)\.pathToFileURL\(__filename\)\.href\)/g;

/**
 * Returns the code of a CommonJS file with a constant for each member that it takes of a module: V8
 * would look up the member of the module each time. No file requires one that requires it, so that
 * all members are there.
 */
function bindMembers(code: string) {
  let bound = code.replaceAll(OWN_REQUIRE, 'require');
  for (const [line, module = '', id = ''] of bound.matchAll(REQUIRED)) {
    const name = String.raw`(?<![^.]\.|[\w$])${module.replaceAll('$', String.raw`\$`)}(?![\w$])`;
    const member = String.raw`${name}\.([\w$]+)`;
    const members = new Set(Array.from(bound.matchAll(new RegExp(member, 'g')), ([, one]) => one));
    const pattern = `{ ${Array.from(members, (one) => `${one}: ${module}$${one}`).join(', ')} }`;
    const isBuiltin = id.startsWith('"node:');
    const declared = isBuiltin ? bindBuiltin(pattern, id) : `const ${pattern} = require(${id});`;
    const replaced = bound
      .replace(line, () => declared)
      .replaceAll(new RegExp(String.raw`\(0, ${member}\)`, 'g'), (_, one) => `${module}$${one}`)
      .replaceAll(new RegExp(member, 'g'), (_, one) => `${module}$${one}`);
    // A module that is also used as a whole stays as it is.
    if (!new RegExp(name).test(replaced)) bound = replaced;
  }
  return { code: bound, map: null };
}

async function bundleProgram(): Promise<void> {
  const bundle = await rolldown({
    ...input,
    input: ['src/commands/run.ts', 'src/commands/check-worker.ts', 'src/index.ts'],
    plugins: [{ name: 'members', renderChunk: bindMembers }],
  });
  const { output: files } = await bundle.write({
    ...output,
    dir: PROGRAM,
    format: 'cjs',
    // Such an import fails in code that V8 compiled for an earlier start.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: {
      groups: [
        {
          debugName: 'loaded at once',
          name: nameFiles(['command', 'src/commands/run.ts'], ['mock', 'src/commands/mock.ts']),
        },
      ],
      includeDependenciesRecursively: false,
    },
  });
  await bundle.close();
  const digest = createHash('sha256');
  for (const file of files) digest.update('code' in file ? file.code : file.source);
  await bundleEntries(digest.digest('hex').slice(0, DIGITS));
}

/** Of a digest in the name of a file. */
const DIGITS = 16;

/** Builds the files that load the program: each is a single one, which Node.js finds faster. */
async function bundleEntries(digest: string): Promise<void> {
  const transform = { define: { BUNDLE: JSON.stringify({ folder: './program', digest }) } };
  const plugins = [{ name: 'builtins', renderChunk: requireBuiltins }];
  const main = await rolldown({ ...input, input: 'src/main.ts', plugins, transform });
  await main.write({ ...output, dir: 'dist' });
  await main.close();
  const stored = await rolldown({ ...input, input: 'src/stored.ts', transform });
  await stored.write({ ...output, dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs' });
  await stored.close();
}

await rm('dist', { recursive: true, force: true });
await Promise.all([bundleProgram(), ...(isProgramAlone ? [] : [bundleTypes(), bundleLibrary()])]);
