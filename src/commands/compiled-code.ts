import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { createUniqueName } from '../base/random.ts';
import { findCacheFolder, makeFolder, removeOldest } from './cache-folder.ts';

/** V8's compiled code of each script, by file name. */
type CompiledScripts = ReadonlyMap<string, Buffer>;

/** The built program, in CommonJS. */
export interface Bundle {
  /** Relative to the file that loads it. */
  readonly folder: string;
  /** Of all files in it. */
  readonly digest: string;
}

type Running = Pick<NodeJS.Process, 'arch' | 'env' | 'platform' | 'version'>;

/** Returns the file of the code that V8 compiles for a bundle; undefined without a cache folder. */
export function findCodeFile(running: Running, { digest }: Bundle): string | undefined {
  const cacheFolder = findCacheFolder(running);
  // V8 refuses code that was compiled under other flags.
  const tag = cachedDataVersionTag().toString(16);
  const name = `${running.version}-${running.arch}-${digest}-${tag}`;
  return cacheFolder && join(cacheFolder, 'coldframe/code', name);
}

/** Packages that a start may need, each of one CommonJS file that requires no other. */
const PACKAGES: readonly string[] = ['ajv-formats/dist/formats.js', 'js-yaml'];

/** The function that Node.js makes of a CommonJS file (https://nodejs.org/api/modules.html). */
type Wrapped = (
  exports: unknown,
  require: Require,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

type Require = ((id: string) => unknown) & Pick<NodeJS.Require, 'resolve'>;

/**
 * Loads the CommonJS files of a folder with the code that V8 compiled for them in an earlier
 * process. Node.js can do that from 22.8 on. In such a file, `import()` fails: V8 11 does not keep
 * where the code comes from.
 */
export class CompiledCode {
  readonly #folder: string;
  readonly #file: string | undefined;
  readonly #known: CompiledScripts;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #scripts = new Map<string, Script>();

  /** @param file where the code of an earlier process may be; its name changes with the files */
  constructor(folder: string, file: string | undefined) {
    this.#folder = folder;
    this.#file = file;
    this.#known = readScripts(file);
  }

  /** Returns the exports of a file. */
  load(name: string): unknown {
    const file = join(this.#folder, name);
    // The build escapes what is not ASCII.
    const loaded = this.#modules.get(file);
    return loaded === undefined
      ? this.#run(file, name, readFileSync(file, 'latin1'))
      : loaded.exports;
  }

  #loadPackage(id: string, file: string): unknown {
    const loaded = this.#modules.get(file);
    if (loaded !== undefined) return loaded.exports;
    const text = readFileSync(file, 'utf8');
    // V8 compares only the length of a text, and another version may have the same length.
    return this.#run(file, `${id} ${crc32(text)}`, text);
  }

  /**
   * Runs a file as Node.js does, and returns its exports.
   *
   * @param name of its code
   */
  #run(file: string, name: string, text: string): unknown {
    const script = new Script(WRAPPER_START + text + WRAPPER_END, {
      filename: file,
      cachedData: this.#known.get(name),
    });
    this.#scripts.set(name, script);
    const run = script.runInThisContext() as Wrapped;
    const module: { exports: unknown } = { exports: {} };
    this.#modules.set(file, module);
    try {
      run(module.exports, this.#createRequire(file), module, file, dirname(file));
    } catch (error) {
      this.#modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  #createRequire(file: string): Require {
    const require = createRequire(file);
    const requireFrom = (id: string): unknown => {
      if (id.startsWith('./')) return this.load(id.slice('./'.length));
      return PACKAGES.includes(id) ? this.#loadPackage(id, require.resolve(id)) : require(id);
    };
    return Object.assign(requireFrom, { resolve: require.resolve });
  }

  /** Stores the compiled code of all loaded files for later processes, unless it is stored. */
  store(): void {
    if (this.#file === undefined) return;
    const compiled = this.compile();
    if (compiled === undefined) return;
    const folder = dirname(this.#file);
    // Another process may write the same file at this moment.
    const draft = `${this.#file}.${createUniqueName()}.tmp`;
    try {
      makeFolder(folder);
      try {
        writeFileSync(draft, compiled);
        renameSync(draft, this.#file);
      } finally {
        rmSync(draft, { force: true });
      }
      removeOldest(folder, MOST_FILES);
    } catch {
      // A container may have no such folder: its next process compiles the code again.
    }
  }

  /** Returns the compiled code of all loaded files; undefined if it comes from a file. */
  compile(): Buffer | undefined {
    const isKnown = [...this.#scripts].every(
      ([name, script]) => this.#known.has(name) && script.cachedDataRejected !== true,
    );
    if (isKnown) return undefined;
    const compiled = Array.from(
      this.#scripts,
      ([name, script]) => [name, script.createCachedData()] as const,
    );
    return writeScripts(new Map([...this.#known, ...compiled]));
  }
}

/** Each version of Node.js has its own, and each set of V8's flags. */
const MOST_FILES = 10;

const WRAPPER_START = '(function (exports, require, module, __filename, __dirname) { ';
const WRAPPER_END = '\n})';

/** The bytes of the checksum before the scripts: V8 does not check what it takes. */
const SUM_BYTES = 4;

function writeScripts(scripts: CompiledScripts): Buffer {
  const content = serialize(scripts);
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(content));
  return Buffer.concat([sum, content]);
}

/** Returns no scripts if there is no such file, or if it is not what was written. */
function readScripts(file: string | undefined): CompiledScripts {
  try {
    const bytes = file === undefined ? Buffer.alloc(0) : readFileSync(file);
    const content = bytes.subarray(SUM_BYTES);
    if (crc32(content) === bytes.readUInt32LE()) return deserialize(content) as CompiledScripts;
  } catch {
    // There is no such file yet, or it is too short.
  }
  return new Map();
}
