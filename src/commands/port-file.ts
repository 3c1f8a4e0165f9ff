import { rename, writeFile } from 'node:fs/promises';

/**
 * Tells programs where the mock listens: the file holds the port and a line's end. It is there
 * whole or not at all, so that whoever waits for it can read it as soon as it is.
 *
 * @throws what the file system says
 */
export async function writePortFile(file: string, port: number): Promise<void> {
  const draft = `${file}.${port}.tmp`;
  await writeFile(draft, `${port}\n`);
  await rename(draft, file);
}
