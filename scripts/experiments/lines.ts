import { connect, type Socket } from 'node:net';

/** Many connections, and how those ended that did. */
export interface Lines {
  readonly sockets: readonly Socket[];
  /** How many could not be opened. */
  readonly refused: number;
  /** How many the server has closed since. */
  readonly ended: () => number;
  /** The counts of response lines before the close, by their beginning. */
  readonly heard: (beginning: string) => number;
  readonly close: () => void;
}

/** As many at once as a server's queue of new connections holds easily. */
const AT_ONCE = 200;

/** Opens many connections to a server by its URL; each says this, or nothing. */
export async function openLines(url: string, count: number, says = ''): Promise<Lines> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const heard = new Map<Socket, string>();
  let refused = 0;
  let ended = 0;
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        sockets.push(socket);
        if (says !== '') socket.write(says);
        socket.on('close', () => ended++);
        resolve();
      });
      socket.on('data', (chunk: Buffer) => {
        heard.set(socket, (heard.get(socket) ?? '') + chunk.toString('latin1'));
      });
      socket.on('error', () => {
        if (!sockets.includes(socket)) refused++;
        resolve();
      });
    });
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open));
  }
  return {
    sockets,
    refused,
    ended: () => ended,
    heard: (beginning) => [...heard.values()].filter((text) => text.startsWith(beginning)).length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Waits until something is so, or the time is over. @returns whether it came to be so */
export async function becomes(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += 50) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return isSo();
}
