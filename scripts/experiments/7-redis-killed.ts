import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../test/support/redis-server.ts';
import { gardens } from './gardens.ts';
import { Ledger, readCollection } from './ledger.ts';
import { Load } from './load.ts';
import { conduct, type Trial } from './support.ts';

const BEFORE_MILLISECONDS = 2_000;
const AWAY_MILLISECONDS = 300;
/** So long that everybody notices. */
const STOPPED_MILLISECONDS = 3_000;
const LONGEST_RECOVERY_MILLISECONDS = 5_000;

/** How a Redis goes away, and comes back. */
interface Absence {
  readonly name: string;
  readonly milliseconds: number;
  readonly leave: (redis: RedisServer) => unknown;
  readonly comeBack: (redis: RedisServer) => unknown;
}

const absences: readonly Absence[] = [
  {
    name: 'killed',
    milliseconds: AWAY_MILLISECONDS,
    leave: (redis) => redis.kill(),
    comeBack: (redis) => redis.start(),
  },
  {
    name: 'held still',
    milliseconds: STOPPED_MILLISECONDS,
    leave: (redis) => redis.pause(),
    comeBack: (redis) => redis.resume(),
  },
  {
    name: 'stopped',
    milliseconds: STOPPED_MILLISECONDS,
    leave: (redis) => redis.stop(),
    comeBack: (redis) => redis.start(),
  },
];

await conduct('7: Redis goes away under load, and comes back', async (trial) => {
  if (!trial.hasCommand('redis-server')) return;
  const redis = await trial.startRedis({ tcp: true, settings: ['--appendfsync', 'everysec'] });
  const { program, url } = await trial.startMock([gardens, '--store', redis.url]);
  const ledger = new Ledger();
  for (const [index, absence] of absences.entries()) {
    await survive(trial, absence, { redis, url, ledger, first: (index + 1) * 100_000_000 });
  }
  trial.expect(program.isRunning && program.stderr === '', 'the process is the same all the time');
  const { code } = await program.end();
  trial.expect(code === 0, `it ends with 0: ${code}`);
});

interface Place {
  readonly redis: RedisServer;
  readonly url: string;
  readonly ledger: Ledger;
  readonly first: number;
}

async function survive(trial: Trial, absence: Absence, place: Place): Promise<void> {
  const { redis, url, ledger, first } = place;
  const { name, milliseconds, leave, comeBack } = absence;
  const load = new Load(url, ledger, first);
  await sleep(BEFORE_MILLISECONDS);
  await betweenSyncs();
  await leave(redis);
  await sleep(milliseconds);
  const [live, ready] = await Promise.all(['live', 'ready'].map((probe) => health(url, probe)));
  await comeBack(redis);
  const recovery = await load.untilTaken(LONGEST_RECOVERY_MILLISECONDS);
  await sleep(1_000);
  await load.stop();
  load.judge(trial, name);
  trial.measured(`${name}: takes again after`, `${recovery} ms`);
  trial.expect(
    recovery < LONGEST_RECOVERY_MILLISECONDS,
    `${name}: it takes again when Redis is back`,
  );
  trial.expect(live === 200, `${name}: it is alive meanwhile: ${live}`);
  trial.expect(ready === 503, `${name}: and says that it is not ready: ${ready}`);
  ledger.judge(trial, await readCollection(url), name);
}

/**
 * With `everysec` Redis answers before it writes while a sync is under way, which begins with each
 * second of its clock: what it answers then goes with it. Whoever wants none of that takes `always`.
 */
async function betweenSyncs(): Promise<void> {
  while (Date.now() % 1_000 < 400 || Date.now() % 1_000 > 700) await sleep(20);
}

async function health(url: string, probe: string): Promise<number> {
  return (await fetch(`${url}/__admin/health/${probe}`)).status;
}
