import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../test/support/redis-server.ts';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, readCollection } from './ledger.ts';
import { LONGEST_ANSWER_MILLISECONDS } from './load.ts';
import { Pipeline, type Reply } from './pipeline.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

/** Ids that no other create has: a full Redis finds out about those that are taken. */
const NEVER_TAKEN = 900_000_000;
/** Requests that come at once to a mock that cannot answer them. */
const AT_ONCE = 20;
const LONGEST_RECOVERY_MILLISECONDS = 5_000;
const SLACK_MILLISECONDS = 300;
/** It reads what it kept so slowly that it is seen to load; microseconds a command. */
const LOAD_DELAY = '300';
/** Redis looks up from loading now and then, after a thousand commands. */
const ENOUGH_TO_LOAD = 1_000;

interface Mock {
  readonly trial: Trial;
  readonly redis: RedisServer;
  readonly program: Program;
  readonly url: string;
  readonly ledger: Ledger;
}

await conduct('8: Redis is absent, empty, loading, read-only or full', async (trial) => {
  if (!trial.hasCommand('redis-server')) return;
  const redis = await trial.startRedis({ tcp: true, settings: ['--key-load-delay', LOAD_DELAY] });
  await redis.stop();
  const { program, url } = await trial.startMock([gardens, '--store', redis.url]);
  const mock: Mock = { trial, redis, program, url, ledger: new Ledger() };
  await expectOutage(mock, 'absent at the start');
  await redis.start();
  await expectRecovery(mock, 'absent at the start');
  await stopForLong(mock);
  await becomeReadOnly(mock);
  await becomeFull(mock);
  await load(mock);
  await becomeEmpty(mock);
  trial.expect(program.isRunning && program.stderr === '', 'the process is the same all the time');
  const faults = program.log.filter(({ event }) => event === 'bug').length;
  trial.expect(faults === 0, `the log tells of no bug: ${faults}`);
  const { code } = await program.end();
  trial.expect(code === 0, `it ends with 0: ${code}`);
});

async function stopForLong(mock: Mock): Promise<void> {
  const seconds = mock.trial.isShort ? 3 : 60;
  const when = `away for ${seconds} s`;
  await mock.redis.stop();
  await sleep((seconds * 1_000) / 2);
  await expectOutage(mock, when);
  await sleep((seconds * 1_000) / 2);
  await expectOutage(mock, when);
  await mock.redis.start();
  await expectRecovery(mock, when);
}

async function becomeReadOnly(mock: Mock): Promise<void> {
  mock.redis.command('REPLICAOF', '127.0.0.1', '1');
  await expectOutage(mock, 'READONLY');
  mock.redis.command('REPLICAOF', 'NO', 'ONE');
  await expectRecovery(mock, 'READONLY');
}

async function becomeFull(mock: Mock): Promise<void> {
  mock.redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  mock.redis.command('CONFIG', 'SET', 'maxmemory', '1mb');
  await expectOutage(mock, 'OOM');
  const line = new Pipeline(mock.url);
  const read = await line.send('/plants');
  line.close();
  mock.trial.expect(read?.status === 200, `OOM: reads are served: ${read?.status}`);
  mock.redis.command('CONFIG', 'SET', 'maxmemory', '0');
  await expectRecovery(mock, 'OOM');
}

async function load(mock: Mock): Promise<void> {
  const { trial, redis, url, ledger } = mock;
  const line = new Pipeline(url);
  const ids = Array.from({ length: ENOUGH_TO_LOAD }, (_, index) => 1_000_000 + index);
  await Promise.all(ids.map((id) => ledger.create(line, id)));
  line.close();
  await redis.kill();
  redis.startSlowly();
  await sleep(200);
  await expectOutage(mock, 'LOADING');
  const wasLoading = tell(redis) !== 'PONG';
  trial.expect(wasLoading, 'LOADING: it was loading all the time');
  for (let waited = 0; waited < 600 && tell(redis) !== 'PONG'; waited++) await sleep(100);
  await expectRecovery(mock, 'LOADING');
}

/** Sessions begin anew: nothing that was is told of any more, and all works. */
async function becomeEmpty(mock: Mock): Promise<void> {
  mock.redis.command('FLUSHALL');
  mock.ledger.forget();
  await expectRecovery(mock, 'FLUSHALL');
}

function tell(redis: RedisServer): string {
  try {
    return redis.command('PING');
  } catch {
    return '';
  }
}

/** Everything that wants the store is refused in time, and says so; the process is alive. */
async function expectOutage({ trial, program, url }: Mock, when: string): Promise<void> {
  const line = new Pipeline(url);
  const [live, ready] = await Promise.all([
    line.send('/__admin/health/live'),
    line.send('/__admin/health/ready'),
  ]);
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const own = new Pipeline(url);
      const body = JSON.stringify({ id: NEVER_TAKEN + index, name: 'never taken' });
      const reply = await own.send('/plants', { method: 'POST', body });
      own.close();
      return reply;
    }),
  );
  line.close();
  trial.expect(program.isRunning && live?.status === 200, `${when}: it is alive: ${live?.status}`);
  trial.expect(ready?.status === 503, `${when}: it is not ready: ${ready?.status} ${ready?.body}`);
  const slowest = Math.max(
    ...[live, ready, ...replies].map((one) => one?.milliseconds ?? Infinity),
  );
  trial.measured(`${when}: slowest answer`, `${Math.round(slowest)} ms`);
  trial.expect(
    slowest <= LONGEST_ANSWER_MILLISECONDS + SLACK_MILLISECONDS,
    `${when}: nothing takes longer than ${LONGEST_ANSWER_MILLISECONDS} ms`,
  );
  const wrong = replies.find((reply) => !isRefusal(reply));
  trial.measured(`${when}: a create`, `${replies[0]?.status} ${replies[0]?.body}`);
  trial.expect(
    wrong === undefined,
    `${when}: all ${AT_ONCE} creates are refused as declared${wrong === undefined ? '' : `: ${wrong.status} ${wrong.body}`}`,
  );
}

function isRefusal(reply: Reply | undefined): boolean {
  const cause = /"error":(503|507),"message":"./.exec(reply?.body ?? '')?.[1];
  return cause !== undefined && reply?.status === Number(cause);
}

/** It takes again without a start, and holds what it held. */
async function expectRecovery({ trial, url, ledger }: Mock, when: string): Promise<void> {
  const line = new Pipeline(url);
  const started = performance.now();
  let id = ledger.sent.size;
  let reply: Reply | undefined;
  do {
    await sleep(20);
    reply = await ledger.create(line, ++id);
  } while (!isSuccess(reply) && performance.now() - started < LONGEST_RECOVERY_MILLISECONDS);
  trial.measured(`${when}: takes again after`, `${Math.round(performance.now() - started)} ms`);
  const ready = await line.send('/__admin/health/ready');
  const read = await line.send(`/plants/${id}`);
  line.close();
  trial.expect(isSuccess(reply), `${when}: it takes again: ${reply?.status}`);
  trial.expect(ready?.status === 200, `${when}: it is ready: ${ready?.status}`);
  trial.expect(read?.status === 200, `${when}: what it takes it shows: ${read?.status}`);
  ledger.judge(trial, await readCollection(url), when);
}
