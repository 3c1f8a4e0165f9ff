import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { readName } from '../assemble/load.ts';
import type { Log } from '../events/log.ts';
import type { Settings } from '../settings/settings.ts';

/** From this size on, the mock says that it reads or checks a document: that may take a while. */
export const LARGE_BYTES = 1_000_000;

/**
 * Says which large documents are being read: in a line that goes away on a terminal, else in the
 * log. Returns the function that removes the line.
 *
 * @param write writes to the terminal; undefined without one
 */
export function showReading(
  { document }: Pick<Settings, 'document'>,
  log: Pick<Log, 'info' | 'flush'>,
  write: ((text: string) => void) | undefined,
): () => void {
  const large = [document].flat().flatMap((name) => {
    const { location } = readName(name);
    const bytes = typeof location === 'string' ? sizeOf(location) : 0;
    return bytes < LARGE_BYTES ? [] : [{ document: String(location), bytes }];
  });
  if (large.length === 0) return () => {};
  if (write === undefined) {
    for (const one of large) log.info('reading', one);
    // Nothing else runs while a document is read.
    log.flush();
    return () => {};
  }
  const names = large.map((one) => `${basename(one.document)} (${inMegabytes(one.bytes)})`);
  write(`  reading ${names.join(', ')} …`);
  return () => write('\r\u001b[K');
}

/** Returns the bytes of a file; 0 where there is none, as for a URL, or where it cannot be read. */
function sizeOf(location: string): number {
  try {
    return statSync(location).size;
  } catch {
    return 0;
  }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
