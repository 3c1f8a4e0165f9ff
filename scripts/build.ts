/**
 * Builds `dist`: the program, the library for both kinds of modules, and its types in one file for
 * each kind. With `--program`, for the image, neither types nor source maps.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ModuleInfo, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { digestPlantStore } from '../src/assemble/plant-store.ts';
import { stringifyJson } from '../src/base/json/stringify.ts';
import { parseSource } from '../src/document/source.ts';
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
module.exports = createRequire(__filename)('./index.js');
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

/** Returns modules, and those that are loaded with them. */
function closureOf(files: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(files.map((file) => resolve(file)));
  for (const id of found) {
    for (const one of modules.getModuleInfo(id)?.importedIds ?? []) found.add(one);
  }
  return found;
}

/**
 * Names the file of a module: Node.js takes longer to find and link a file than to read it. What
 * each command and the library load at once is one file, what only the library does is another, and
 * all others are loaded when they are needed.
 */
function nameFiles(): (id: string, modules: Modules) => string | null {
  let closures: Readonly<Record<'command' | 'library', ReadonlySet<string>>> | undefined;
  return (id, modules) => {
    closures ??= {
      command: closureOf(['src/commands/run.ts', 'src/commands/console.ts'], modules),
      library: closureOf(['src/index.ts'], modules),
    };
    if (!closures.library.has(id)) return null;
    return closures.command.has(id) ? 'shared' : 'library';
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
    return `const ${pattern} = process.getBuiltinModule(${module});`;
  });
  // All lines stay where they were.
  return { code: required, map: null };
}

async function bundleProgram(): Promise<void> {
  const bundle = await rolldown({
    input: ['src/main.ts', 'src/index.ts', 'src/commands/check-worker.ts'],
    platform: 'node',
    external: /^[^./]/,
    preserveEntrySignatures: 'allow-extension',
    plugins: [{ name: 'builtins', renderChunk: requireBuiltins }],
    transform: {
      target: 'node20.19',
      define: {
        PROGRAM_DIGEST: JSON.stringify(digestSources()),
        PLANT_STORE_DIGEST: JSON.stringify(digestPlantStore()),
        PLANT_STORE_DOCUMENT: JSON.stringify(parsePlantStore()),
      },
    },
  });
  await bundle.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { jsdoc: false },
    sourcemap: !isProgramAlone,
    // V8 holds two bytes for each character of a file that has one beyond Latin-1.
    charset: 'ascii',
    codeSplitting: {
      groups: [{ debugName: 'loaded at once', name: nameFiles() }],
      includeDependenciesRecursively: false,
    },
  });
  await bundle.close();
  await writeFile('dist/index.cjs', COMMON_JS);
}

await rm('dist', { recursive: true, force: true });
await Promise.all([isProgramAlone || bundleTypes(), bundleProgram()]);
