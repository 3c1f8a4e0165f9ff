import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A load balancer in front of several servers. */
export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Gives each connection to the next of several servers, as it comes: bytes, ends and resets pass
 * through both ways.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = ports[next++ % ports.length] ?? 0;
    const replica = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    join(client, replica);
    join(replica, client);
    for (const socket of [client, replica]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  from.on('error', () => to.resetAndDestroy());
  from.on('close', () => to.destroySoon());
}
