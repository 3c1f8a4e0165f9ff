import { startBalancer } from '../../test/support/balancer.ts';
import { startRedis } from '../../test/support/redis-server.ts';
import { findFreePort } from '../free-port.ts';
import { readCompose, runConsumers } from './consumer.ts';
import { Container, type ContainerOptions } from './container.ts';
import { Failure } from './failure.ts';

/** Where the composition's mocks find its Redis. */
const STORE = 'redis://redis:6379';

export interface ReplicasOptions extends Pick<ContainerOptions, 'image' | 'machine' | 'binaries'> {
  /** The composition's file. */
  readonly file: string;
}

/**
 * Runs the image as often as the composition says, on one Redis and behind a balancer of its own in
 * place of the composition's, and the example consumers' tests against that.
 *
 * @returns what was done
 */
export async function useReplicas(options: ReplicasOptions): Promise<string> {
  const { file, image, binaries } = options;
  const { plants, redis: settings } = (await readCompose(file)).services;
  const count = plants?.deploy?.replicas ?? 0;
  if (count < 2 || plants?.environment?.['COLDFRAME_STORE'] !== STORE) {
    throw new Failure(`${file}: plants wants several replicas, with COLDFRAME_STORE: ${STORE}`);
  }
  const ends: (() => unknown)[] = [];
  try {
    const owner = { teardown: (end: () => Promise<void>) => void ends.push(end) };
    const words = settings?.command?.slice(1) ?? [];
    const redis = await startRedis(owner, { tcp: true, settings: words });
    const ports = await Promise.all(Array.from({ length: count }, findFreePort));
    const containers = ports.map(
      (port) => new Container({ ...options, port, environment: { COLDFRAME_STORE: redis.url } }),
    );
    for (const container of containers) {
      ends.unshift(() => container.kill());
      container.start();
    }
    await Promise.all(containers.map((container) => container.waitUntilHealthy()));
    const balancer = await startBalancer(ports);
    ends.unshift(() => balancer.close());
    const url = `http://127.0.0.1:${balancer.port}`;
    const port = image.ports[0] ?? '';
    const consumers = await runConsumers({ file, server: 'balancer', binaries, port, url });
    return `${consumers.join(' and ')} passed against ${count} on one Redis`;
  } finally {
    for (const end of ends) await end();
  }
}
