import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';

type Declare = (title: string, run: (t: ExecutionContext) => void | Promise<void>) => void;

/**
 * Returns a function that declares tests which need something of the machine. Where it is missing,
 * it declares them as skipped; in continuous integration they fail.
 *
 * @param path of what is needed; undefined where it is missing
 */
export function testWith(path: string | undefined, declare: Declare = test): Declare {
  if (path !== undefined && existsSync(path)) return declare;
  if (process.env['CI'] === undefined) return (title, run) => test.skip(title, run);
  return (title) => declare(title, (t) => t.fail(`this machine lacks ${path ?? 'a program'}`));
}

/** Returns the path of a program; undefined where it is not installed. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/** How curl ended: its exit code, and what it says. */
export interface CurlRun {
  readonly code: number;
  readonly complaint: string;
}

/** Declares tests that need curl. */
export const testWithCurl = testWith(findProgram('curl'));
export const testWithStrace = testWith(findProgram('strace'));

/** Sends a request with curl, and throws the response away. */
export function runCurl(words: readonly string[]): Promise<CurlRun> {
  return new Promise((resolve, reject) => {
    execFile('curl', ['-sS', '-o', '/dev/null', ...words], (error, _, complaint) => {
      if (error === null) resolve({ code: 0, complaint });
      else if (typeof error.code === 'number') resolve({ code: error.code, complaint });
      else reject(error);
    });
  });
}
