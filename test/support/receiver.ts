import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/** A request that a receiver was sent. */
interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** The next request that comes, or came and was not asked for yet. */
  next(): Promise<ReceivedRequest>;
  /** How many came that were not asked for yet. */
  readonly waiting: number;
}

/**
 * A server that takes what it is sent; it goes down with its test.
 *
 * @param answer the status of its answers, or `never` to leave them out
 */
export async function startReceiver(
  t: ExecutionContext,
  answer: number | 'never' = 204,
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, target: url, headers, body: await text(request) });
    server.emit('received');
    if (answer !== 'never') response.writeHead(answer, { location: '/elsewhere' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async next() {
      while (received.length === 0) await once(server, 'received');
      return received.shift() as ReceivedRequest;
    },
    get waiting() {
      return received.length;
    },
  };
}
