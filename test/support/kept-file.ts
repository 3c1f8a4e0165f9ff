import { basename, dirname, join } from 'node:path';
import { openKeptFiles, withChecksum } from '../../src/commands/kept-files.ts';

/** Changes what a start has kept in a file, as the program would write it. */
export async function changeKept(path: string, change: (text: string) => string): Promise<void> {
  const kind = dirname(path);
  const files = withChecksum(openKeptFiles(join(kind, '../..'), basename(kind)));
  const content = await files.read(basename(path));
  await files.keep(basename(path), Buffer.from(change(String(content))));
}
