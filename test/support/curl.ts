import { execFile } from 'node:child_process';
import type { ExecutionContext } from 'ava';

/** How curl ended: its exit code, and what it says. */
export interface CurlRun {
  readonly code: number;
  readonly complaint: string;
}

/**
 * Asks with curl, and throws away what comes.
 *
 * @returns undefined, and says so in the test's log, where there is no curl; in CI that fails
 */
export function runCurl(
  t: ExecutionContext,
  words: readonly string[],
): Promise<CurlRun | undefined> {
  return new Promise((resolve, reject) => {
    execFile('curl', ['-sS', '-o', '/dev/null', ...words], (error, _, complaint) => {
      if (error === null) resolve({ code: 0, complaint });
      else if (typeof error.code === 'number') resolve({ code: error.code, complaint });
      else if (error.code === 'ENOENT' && process.env['CI'] === undefined) {
        t.log('there is no curl here');
        resolve(undefined);
      } else reject(error);
    });
  });
}
