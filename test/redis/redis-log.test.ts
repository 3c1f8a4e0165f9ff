import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '../../scripts/free-port.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';
import { type Running, startMock } from '../support/program.ts';
import { startRedis } from '../support/redis-server.ts';

/** Waits until the log has told this of the store; it fails where it never does. */
async function told(running: Running, message: RegExp): Promise<void> {
  const isIt = ({ event, message: text }: Readonly<Record<string, unknown>>) =>
    event === 'store' && message.test(String(text));
  await running.until(() => running.lines.some(isIt));
}

test('the log reports a Redis that is missing at the start, appears and disappears', async (t) => {
  const redis = await startRedis(t);
  await redis.stop();
  const { running, url } = await startMock(t, ['--store', redis.url]);
  await told(
    running,
    /^the Redis at \S+ cannot be reached: connect .*; what needs it is refused until it is there$/,
  );
  await redis.start();
  await told(running, /^the Redis at \S+ is there$/);
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
  await redis.stop();
  await told(running, /^the Redis at \S+ is away: \S/);
  t.is((await running.end()).code, 0);
});

interface Authority {
  readonly certificate: string;
  /** The options of a Redis with TLS and a certificate of `localhost`. */
  readonly settings: readonly string[];
}

/** An authority of one's own, as a company has one. */
async function createAuthority(t: ExecutionContext): Promise<Authority> {
  const folder = await createFolder(t, { names: 'subjectAltName=DNS:localhost' });
  const run = (words: string): void => {
    execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });
  };
  const key = 'req -newkey rsa:2048 -nodes -keyout';
  run(`${key} authority.key -x509 -out authority.pem -days 2 -subj /CN=Authority`);
  run(`${key} redis.key -out redis.csr -subj /CN=localhost`);
  const by = '-CA authority.pem -CAkey authority.key -CAcreateserial';
  run(`x509 -req -in redis.csr ${by} -days 2 -extfile names -out redis.pem`);
  const certificate = join(folder, 'authority.pem');
  const shown = ['--tls-cert-file', join(folder, 'redis.pem')];
  const own = ['--tls-key-file', join(folder, 'redis.key'), '--tls-ca-cert-file', certificate];
  return { certificate, settings: [...shown, ...own, '--tls-auth-clients', 'no'] };
}

test('TLS works with a trusted certificate, and the log has the remedy for others', async (t) => {
  const { certificate, settings } = await createAuthority(t);
  const port = await findFreePort();
  await startRedis(t, { settings: ['--tls-port', String(port), ...settings] });
  const start = (host: string, environment: Readonly<Record<string, string>> = {}) =>
    startMock(t, ['--store', `rediss://${host}:${port}`], { environment });

  const trusting = { NODE_EXTRA_CA_CERTS: certificate };
  const { url } = await start('localhost', trusting);
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
  t.is((await fetch(`${url}/__admin/health/ready`)).status, 200);

  const stranger = await start('localhost');
  await told(stranger.running, /not trusted: name its authority by NODE_EXTRA_CA_CERTS=ca.pem/);
  t.is((await fetch(`${stranger.url}/__admin/health/ready`)).status, 503);

  const elsewhere = await start('127.0.0.1', trusting);
  await told(elsewhere.running, /its certificate is of another host/);
  t.is((await fetch(`${elsewhere.url}/plants`, createPlant())).status, 503);
});
