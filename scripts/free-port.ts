import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give away ports above these to every client that connects, so one that was free a moment
 * ago may not be so any more (Linux: from 32768 on; IANA: from 49152 on).
 */
const FIRST = 10_000;
const END = 32_768;

/** @returns a port that is free now, for a program that must be told its port */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const probe = createServer().listen(port, '0.0.0.0');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
