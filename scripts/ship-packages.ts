// Copies the packages that the program loads, for an image.
//
//   node scripts/ship-packages.ts <folder>
//
// Prism comes with more than a hundred packages, of which the program uses little: they become one
// file, with their licences beside it. All others stay as they are, without what only a compiler or
// a debugger reads. Nothing is downloaded.

import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const BUNDLED = '@stoplight/prism-http';

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of a lock file by their paths, such as `node_modules/ajv`; the project's is empty. */
type Packages = Readonly<Record<string, LockedPackage>>;

/** Returns the paths of the packages that this one loads, and of those that they load. */
function collect(packages: Packages, path: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies } = packages[path] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const needed = name === BUNDLED ? undefined : find(packages, path, name);
    if (needed === undefined || found.has(needed)) continue;
    found.add(needed);
    collect(packages, needed, found);
  }
  return found;
}

/** Finds a package as Node.js does: in the package that loads it, then in those around it. */
function find(packages: Packages, from: string, name: string): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

const NEEDLESS = /\.(?:map|[cm]?ts|flow)$|\/node_modules$/;

/** Copies a package without the packages in it: those have paths of their own. */
async function copyPackage(path: string, target: string): Promise<void> {
  await cp(path, target, {
    recursive: true,
    filter: (source) => source === path || !NEEDLESS.test(source),
  });
}

/** Returns true for a binary that the C library of this machine cannot load. */
function isForeignBinary(path: string): boolean {
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return path.endsWith(report.header.glibcVersionRuntime === undefined ? '-gnu' : '-musl');
}

/** Bundles a package with all that it loads, and the licences of it all. */
async function bundle(name: string, target: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [name],
    outfile: join(target, 'index.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // Its main file loads others in a way that no bundler follows.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    metafile: true,
    logLevel: 'warning',
  });
  // What the bundle lacks is missed here, and not in a container.
  createRequire(import.meta.url)(resolve(target, 'index.cjs'));
  const folders = Object.keys(metafile.inputs).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '',
  );
  const licences = await Promise.all([...new Set(folders)].sort().map(readLicence));
  await writeFile(join(target, 'LICENSES'), licences.join('\n'));
  const { version, license } = await readManifest(join('node_modules', name));
  const manifest = { name, version, license, main: 'index.cjs' };
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
}

/** @throws {Error} for a package that says nothing of its licence: it may not be shipped */
async function readLicence(folder: string): Promise<string> {
  const { name, version, license } = await readManifest(folder);
  const files = (await readdir(folder)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)/i.test(file),
  );
  if (files.length === 0 && license === undefined) throw new Error(`${folder} has no licence`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`## ${name} ${version} (${JSON.stringify(license)})`, ...texts, ''].join('\n\n');
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

const [target = 'shipped'] = process.argv.slice(2);
const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Packages;
};
for (const path of collect(packages, '')) {
  // An optional package for another system is locked, and not installed.
  if (!existsSync(path) || isForeignBinary(path)) continue;
  const place = join(target, path.slice('node_modules/'.length));
  await mkdir(dirname(place), { recursive: true });
  await copyPackage(path, place);
}
await bundle(BUNDLED, join(target, BUNDLED));
