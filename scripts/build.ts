/**
 * Builds `dist`: the program, the library for both kinds of modules, and its types in one file for
 * each kind.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

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

async function bundleProgram(): Promise<void> {
  await build({
    entryPoints: ['src/main.ts', 'src/index.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    outdir: 'dist',
    sourcemap: true,
    logLevel: 'warning',
  });
  await writeFile('dist/index.cjs', COMMON_JS);
}

await rm('dist', { recursive: true, force: true });
await Promise.all([bundleTypes(), bundleProgram()]);
