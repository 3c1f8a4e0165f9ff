import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** The addresses of `localhost`: clients differ in which of the two they try. */
const [FIRST, SECOND] = ['127.0.0.1', '::1'];
/** How often two addresses are tried for a free port: another program may have it on the second. */
const ATTEMPTS = 20;
/**
 * Connections that may wait to be taken: with fewer, some of a thousand clients that begin at once
 * would be let wait a second or more, until their systems try again.
 */
const BACKLOG = 4096;

export interface Address {
  /** 0 takes a free one. */
  readonly port: number;
  /** `localhost` is both loopback addresses; they have one port. */
  readonly host: string;
}

/**
 * Returns the servers that listen: the given one and, for `localhost`, one that passes its
 * connections on to it. A machine may lack one of the two addresses.
 *
 * @throws the error of the operating system for the address, such as EADDRINUSE
 */
export async function listenOn(
  server: Server,
  { port, host }: Address,
): Promise<readonly Server[]> {
  if (host !== 'localhost') {
    await listenAt(server, port, host);
    return [server];
  }
  for (let attempt = 1; ; attempt++) {
    if (!(await isListening(server, port, FIRST))) {
      await listenAt(server, port, SECOND);
      return [server];
    }
    const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      server.emit('connection', socket);
    });
    try {
      const hasSecond = await isListening(beside, portOf(server), SECOND);
      return hasSecond ? [server, beside] : [server];
    } catch (error) {
      await closeAll([server]);
      if (port !== 0 || attempt === ATTEMPTS) throw error;
    }
  }
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Takes no more connections; resolves when there are none. */
export async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
}

/** Returns false where this machine does not have the address. */
async function isListening(server: Server, port: number, host: string): Promise<boolean> {
  try {
    await listenAt(server, port, host);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return false;
    throw error;
  }
}

async function listenAt(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host, BACKLOG);
  await once(server, 'listening');
}
