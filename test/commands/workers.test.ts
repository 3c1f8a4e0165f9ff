import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createFolder } from '../support/folder.ts';
import { run, start, startMock } from '../support/program.ts';
import { shareRedis } from '../support/redis-server.ts';

const redis = shareRedis(test);

function create(url: string, id: number): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer t',
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ id, name: 'Fern' }),
  });
}

// Each starts several processes: all at once they would wait for each other.
test.serial(
  'several workers are one mock with one start message, port, state and end',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'coldframe-workers-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const portFile = join(folder, 'port');
    const store = `${redis().url}?namespace=workers`;
    const coverageFile = join(folder, 'coverage.json');
    const files = ['--port-file', portFile, '--coverage-file', coverageFile];
    const words = ['--store', store, '--workers', '2', ...files];
    const { running, url } = await startMock(t, words);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, id) => create(url, id)));
    t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const numbers = answers.map(({ headers }) => Number(headers.get('mock-request-id')));
    t.is(new Set(numbers).size, 30);
    const plants = (await (await fetch(`${url}/__admin/state/plants`)).json()) as unknown[];
    t.is(plants.length, 30);
    t.is((await readFile(portFile, 'utf8')).trim(), new URL(url).port);
    const { code, stdout } = await running.end();
    t.is(code, 0);
    t.is(stdout.match(/"event":"listening"/g)?.length, 1);
    t.is(stdout.match(/"event":"request"/g)?.length, 30, 'each request is logged once, whole');
    const { sums } = JSON.parse(await readFile(coverageFile, 'utf8'));
    t.deepEqual(sums.operations, { covered: 1, total: 1 });
    t.deepEqual((await readdir(folder)).sort(), ['coverage.json', 'port']);
  },
);

for (const [who, words] of [
  ['a mock', []],
  ['workers', ['--workers', '2']],
] as const) {
  test.serial(`a port in use ends ${who} on a Redis with a remedy`, async (t) => {
    const { url } = await startMock(t);
    const store = `${redis().url}?namespace=taken`;
    const ended = await run(t, ['--store', store, ...words, '--port', new URL(url).port]);
    t.is(ended.code, 1);
    t.regex(ended.stderr, /^coldframe: .*EADDRINUSE.*--port.*\n$/);
  });
}

/** Takes the first port that the supervisor finds free before a worker can. */
const TAKE_PORT = `
import cluster from 'node:cluster';
import { createServer, Server } from 'node:net';
const { close } = Server.prototype;
if (cluster.isPrimary) Server.prototype.close = function (done) {
  const { port, address } = this.address();
  Server.prototype.close = close;
  const taker = createServer().unref();
  return close.call(this, () => taker.listen(port, address, done));
};`;

test.serial('workers whose free port another program takes get another one', async (t) => {
  const folder = await createFolder(t, { 'take-port.mjs': TAKE_PORT });
  const store = `${redis().url}?namespace=taken-free`;
  const environment = { NODE_OPTIONS: `--import ${join(folder, 'take-port.mjs')}` };
  const words = ['--store', store, '--workers', '2'];
  const { running, url } = await startMock(t, words, { environment });
  t.is((await create(url, 1)).status, 200);
  const { code, stderr } = await running.end();
  t.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});

test.serial('a worker that dies is replaced, and its stored resources remain', async (t) => {
  const store = `${redis().url}?namespace=replaced`;
  const { running, url } = await startMock(t, ['--store', store, '--workers', '2']);
  t.is((await create(url, 1)).status, 200);
  const [worker] = await childrenOf(running.child.pid);
  if (worker === undefined) throw new Error('there is no worker');
  process.kill(worker, 'SIGKILL');
  await running.logged('worker-replaced');
  t.is((await create(url, 2)).status, 200);
  const plants = (await (await fetch(`${url}/__admin/state/plants`)).json()) as unknown[];
  t.is(plants.length, 2);
  t.is((await running.end()).code, 0);
});

test.serial('workers that are killed during the start do not end it', async (t) => {
  const store = `${redis().url}?namespace=early`;
  const running = start(t, ['--no-watch', '--port', '0', '--store', store, '--workers', '2']);
  for (let killed = 0; killed < 2; killed++) {
    let children: readonly number[] = [];
    while (children.length === 0) children = await childrenOf(running.child.pid);
    for (const worker of children) process.kill(worker, 'SIGKILL');
    await running.logged('worker-not-started', killed + 1);
  }
  t.is((await create(await running.url(), 1)).status, 200);
  t.is((await running.end()).code, 0);
});

test.serial('a mock whose workers all die responds on its port again', async (t) => {
  const store = `${redis().url}?namespace=all`;
  const { running, url } = await startMock(t, ['--store', store, '--workers', '2']);
  for (const worker of await childrenOf(running.child.pid)) process.kill(worker, 'SIGKILL');
  await running.logged('worker-replaced', 2);
  const respond = (): Promise<number> => create(url, 1).then(({ status }) => status, respond);
  t.is(await respond(), 200);
  t.is((await running.end()).code, 0);
});

test.serial('a signal to workers and supervisor, as Ctrl+C sends it, drains once', async (t) => {
  const folder = await createFolder(t, { 'slow.yaml': SLOW });
  const words = ['--fixtures', join(folder, 'slow.yaml'), '--workers', '2'];
  const store = `${redis().url}?namespace=together`;
  const { running, url } = await startMock(t, [...words, '--store', store]);
  await running.logged('workers');
  const response = create(url, 1);
  await sleep(500);
  for (const worker of await childrenOf(running.child.pid)) process.kill(worker, 'SIGINT');
  t.is((await running.end('SIGINT')).code, 0);
  t.is((await response).status, 200);
});

test.serial('several workers without a shared store are refused with a remedy', async (t) => {
  const { code, stderr } = await run(t, ['--workers', '2', '--port', '0']);
  t.is(code, 2);
  t.is(
    stderr,
    'coldframe: --workers needs a shared store, such as --store redis://localhost:6379\n',
  );
});

test.serial('workers with an invalid document exit at once and report it once', async (t) => {
  const words = ['--store', redis().url, '--workers', '3', '--port', '0', 'no-such-file.yaml'];
  const { code, stderr } = await run(t, words);
  t.is(code, 1);
  t.is(stderr.match(/no-such-file\.yaml/g)?.length, 1);
});

test.serial(
  'an invalid store prevents the start with one line that lists the valid ones',
  async (t) => {
    const { code, stderr } = await run(t, ['--store', 'papyrus', '--port', '0']);
    t.is(code, 1);
    t.regex(stderr, /^coldframe: "papyrus" is no store: .*redis:\/\/.*\n$/);
  },
);

test.serial('the content of a file store remains after a restart, in every session', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-file-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const words = ['--store', `file:${join(folder, 'state.db')}`];
  const first = await startMock(t, words);
  t.is((await create(first.url, 1)).status, 200);
  t.is((await create(`${first.url}/__session/named`, 2)).status, 200);
  const taken = await fetch(`${first.url}/__admin/snapshots/then`, { method: 'PUT' });
  t.is(taken.status, 201);
  t.is((await create(first.url, 3)).status, 200);
  t.is((await first.running.end()).code, 0);
  const second = await startMock(t, words);
  const listed = await fetch(`${second.url}/__admin/sessions`);
  const { sessions } = (await listed.json()) as {
    sessions: { id: string; resources: Record<string, number> }[];
  };
  t.deepEqual(
    sessions.map(({ id, resources }) => [id, resources['plants']]),
    [
      ['default', 2],
      ['named', 1],
    ],
  );
  const restored = await fetch(`${second.url}/__admin/snapshots/then/restore`, { method: 'POST' });
  t.is(restored.status, 204);
  const plants = (await (await fetch(`${second.url}/__admin/state/plants`)).json()) as unknown[];
  t.is(plants.length, 1);
  t.is((await second.running.end()).code, 0);
});

const SLOW = `
rules:
  - name: slow
    answer: { fixedDelayMilliseconds: 1500 }
`;

/** Linux tells whose child a process is. */
async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
