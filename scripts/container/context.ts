import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

interface Pattern {
  readonly includes: boolean;
  readonly expression: RegExp;
}

/** The files of a folder that an engine would get to see: those that .dockerignore leaves. */
export class BuildContext {
  readonly folder: string;
  readonly #patterns: readonly Pattern[];

  private constructor(folder: string, patterns: readonly Pattern[]) {
    this.folder = folder;
    this.#patterns = patterns;
  }

  static async read(folder: string): Promise<BuildContext> {
    const file = join(folder, '.dockerignore');
    const lines = existsSync(file) ? (await readFile(file, 'utf8')).split(/\r?\n/) : [];
    const patterns = lines
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(readPattern);
    return new BuildContext(folder, patterns);
  }

  /** @param path relative to the folder; as in .dockerignore, the last pattern decides */
  has(path: string): boolean {
    const decides = this.#patterns.findLast(({ expression }) => expression.test(path));
    return (decides?.includes ?? true) && existsSync(join(this.folder, path));
  }

  /** Copies a file, or what a folder holds. */
  async copy(path: string, target: string): Promise<void> {
    const source = join(this.folder, path);
    await cp(source, target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => this.has(relative(this.folder, file)),
    });
  }
}

/** A pattern is for what it names and for all that lies below. */
function readPattern(line: string): Pattern {
  const includes = line.startsWith('!');
  const path = (includes ? line.slice(1) : line).replace(/^\.?\/|\/$/g, '');
  const expression = path
    .split('/')
    .map((segment) => (segment === '**' ? '.*' : translate(segment)))
    .join('/')
    .replaceAll('.*/', '(?:.*/)?');
  return { includes, expression: new RegExp(`^${expression}(?:/|$)`) };
}

function translate(segment: string): string {
  return segment
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
