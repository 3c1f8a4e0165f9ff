import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Console } from './console.ts';

/**
 * Writes what a command has made.
 *
 * @param out the file that it is written to; undefined prints it
 * @returns 0, or 1 when the file cannot be written
 */
export async function writeOut(
  text: string,
  out: string | undefined,
  console: Console,
): Promise<number> {
  if (out === undefined) {
    console.write(text);
    return 0;
  }
  try {
    await writeFile(resolve(console.folder, out), text);
    return 0;
  } catch (error) {
    console.complain(`coldframe: ${(error as Error).message}; name another file with --out\n`);
    return 1;
  }
}
