import { execFile } from 'node:child_process';
import { findProgram, testWith } from './needs.ts';

/** How curl ended: its exit code, and what it says. */
export interface CurlRun {
  readonly code: number;
  readonly complaint: string;
}

/** Declares tests that need curl. */
export const testWithCurl = testWith(findProgram('curl'));

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
