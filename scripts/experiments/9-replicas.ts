import { gardens } from './gardens.ts';
import { isSuccess, type Plant, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { conduct, type Trial } from './support.ts';

const REPLICAS = 3;
const WRITERS = 4;

await conduct('9: several replicas on one Redis', async (trial) => {
  if (!trial.hasCommand('redis-server')) return;
  const redis = await trial.startRedis();
  const mocks = Array.from({ length: REPLICAS }, () =>
    trial.startMock([gardens, '--store', redis.url]),
  );
  const urls = (await Promise.all(mocks)).map(({ url }) => url);
  const count = trial.isShort ? 100 : 1_000;
  await createSame(trial, urls, count);
  await numberNotes(trial, urls, count);
  await increment(trial, urls, trial.isShort ? 20 : 100);
  await countFailures(trial, urls);
});

/** Every replica is asked for the same ids: one is told yes, all others no. */
async function createSame(trial: Trial, urls: readonly string[], count: number): Promise<void> {
  const winners = new Map<number, string[]>();
  const statuses = new Map<number, number>();
  const requests: string[] = [];
  const write = async (url: string, replica: number): Promise<void> => {
    const line = new Pipeline(url);
    for (let id = 1; id <= count; id++) {
      const body = JSON.stringify({ id, name: `of replica ${replica}` });
      const reply = await line.send('/plants', { method: 'POST', body });
      const status = reply?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      requests.push(reply?.field('mock-request-id') ?? '');
      if (isSuccess(reply)) winners.set(id, [...(winners.get(id) ?? []), `of replica ${replica}`]);
    }
    line.close();
  };
  await Promise.all(urls.map(write));
  for (const [status, times] of statuses) trial.measured(`answered ${status}`, times);
  const isOne = winners.size === count && [...winners.values()].every(({ length }) => length === 1);
  trial.expect(isOne, `each of ${count} ids was created once`);
  const refused = statuses.get(409) ?? 0;
  trial.expect(
    refused === count * (urls.length - 1),
    `all others were refused with 409: ${refused}`,
  );
  const shown = await Promise.all(urls.map((url) => readCollection(url)));
  const isAgreed = shown.every(
    (plants) =>
      plants.length === count && plants.every(({ id, name }) => winners.get(id)?.[0] === name),
  );
  trial.expect(isAgreed, 'all replicas show what was created, and whose it is');
  trial.expect(
    new Set(requests).size === requests.length,
    `all ${requests.length} requests have numbers of their own`,
  );
}

/** The store gives the keys. */
async function numberNotes(trial: Trial, urls: readonly string[], count: number): Promise<void> {
  const given = new Map<string, string>();
  let created = 0;
  const write = async (url: string, writer: number): Promise<void> => {
    const line = new Pipeline(url);
    for (let note = 0; note < count / WRITERS; note++) {
      const text = `note ${note} of ${writer}`;
      const body = JSON.stringify({ text });
      const reply = await line.send('/notes', { method: 'POST', body });
      const id = /"id":(\d+)/.exec(reply?.body ?? '')?.[1];
      if (!isSuccess(reply) || id === undefined) continue;
      created++;
      given.set(id, text);
    }
    line.close();
  };
  await Promise.all(
    Array.from({ length: urls.length * WRITERS }, (_, writer) =>
      write(urls[writer % urls.length] ?? '', writer),
    ),
  );
  const wanted = Math.floor(count / WRITERS) * urls.length * WRITERS;
  trial.expect(created === wanted, `all ${wanted} notes were taken: ${created}`);
  trial.expect(given.size === created, `their numbers are ${given.size} different ones`);
  const lines = urls.map((url) => new Pipeline(url));
  let wrong = 0;
  for (const [id, text] of given) {
    const reply = await lines[Number(id) % lines.length]?.send(`/notes/${id}`);
    if (!reply?.body.includes(`"${text}"`)) wrong++;
  }
  for (const line of lines) line.close();
  trial.expect(wrong === 0, `every replica shows each as it was written: ${wrong} are not`);
}

/** Read, add one, write where nobody wrote since: no addition is lost. */
async function increment(trial: Trial, urls: readonly string[], times: number): Promise<void> {
  const path = '/plants/1';
  let refused = 0;
  const grow = async (url: string): Promise<void> => {
    const line = new Pipeline(url);
    for (let done = 0; done < times; ) {
      const read = await line.send(path);
      const plant = JSON.parse(read?.body ?? '{}') as Plant;
      const body = JSON.stringify({ ...plant, height: (plant.height ?? 0) + 1 });
      const fields = { 'if-match': read?.field('etag') ?? '' };
      const reply = await line.send(path, { method: 'PUT', body, fields });
      if (isSuccess(reply)) done++;
      else if (reply?.status === 412) refused++;
      else throw new Error(`${reply?.status} ${reply?.body}`);
    }
    line.close();
  };
  await Promise.all(urls.map(grow));
  const line = new Pipeline(urls[0] ?? '');
  const { height } = JSON.parse((await line.send(path))?.body ?? '{}') as Plant;
  line.close();
  trial.measured('refused with 412, and tried again', refused);
  const wanted = times * urls.length;
  trial.expect(height === wanted, `${wanted} additions with If-Match add up: ${height}`);
}

/** A rule that fails so many requests counts those of all replicas. */
async function countFailures(trial: Trial, urls: readonly string[]): Promise<void> {
  const times = 25;
  const body = JSON.stringify({ operationId: 'createNote', status: 503, times });
  await fetch(`${urls[0]}/__admin/fail`, { method: 'POST', body });
  const replies = await Promise.all(
    Array.from({ length: times * 4 }, async (_, index) => {
      const line = new Pipeline(urls[index % urls.length] ?? '');
      const reply = await line.send('/notes', { method: 'POST', body: '{"text":"again"}' });
      line.close();
      return reply;
    }),
  );
  const failed = replies.filter((reply) => reply?.status === 503).length;
  const taken = replies.filter(isSuccess).length;
  trial.expect(
    failed === times && taken === times * 3,
    `a rule for ${times} requests failed ${failed} of all replicas, ${taken} were taken`,
  );
}
