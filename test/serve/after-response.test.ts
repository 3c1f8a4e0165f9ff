import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { createMock, type Log } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { openRaw, rawCreate } from '../support/raw-socket.ts';

/** Waits for a response in a thread of its own, and says so by a shared number. */
const CLIENT = `
const { connect } = require('node:net');
const { workerData } = require('node:worker_threads');
const socket = connect(workerData.port, '127.0.0.1', () => socket.write(workerData.request));
socket.once('data', () => {
  Atomics.store(workerData.seen, 0, 1);
  Atomics.notify(workerData.seen, 0);
  socket.destroy();
});`;

/** Breaks the connection after half of the body. */
const CUT = `
rules:
  - name: cut
    enabled: false
    match: { operationId: createPlant }
    answer: { fault: CLOSE_MID_BODY }
`;

interface Journal {
  readonly requests: readonly { readonly request: { readonly body: string } }[];
}

const LONGEST_WAIT = 10_000;

function createLog(exchange: Log['exchange']): Log {
  return { exchange, info() {}, warn() {}, error() {}, flush() {} };
}

for (const [kind, body, delay] of [
  ['response', '{"id":1,"name":"Fern"}', 0],
  ['refusal', '{"id":1}', 0],
  ['delayed response', '{"id":1,"name":"Fern"}', 20],
] as const) {
  test(`a client has its ${kind} before the log is written`, async (t) => {
    const seen = new Int32Array(new SharedArrayBuffer(4));
    const waits: string[] = [];
    const log = createLog(() => waits.push(Atomics.wait(seen, 0, 0, LONGEST_WAIT)));
    const mock = await createMock({ log });
    if (delay > 0) await mock.session('default').operation('createPlant').delayNext(delay);
    const { port } = await mock.listen({ port: 0 });
    t.teardown(() => mock.close());
    const workerData = { port, request: rawCreate(body), seen };
    await once(new Worker(CLIENT, { eval: true, workerData }), 'exit');
    t.is(waits.length, 1);
    t.not(waits[0], 'timed-out');
  });
}

// The responses of few requests are written one by one, those of many together.
for (const count of [3, 40]) {
  test(`${count} clients have their responses and the journal has them all, though the log fails`, async (t) => {
    const log = createLog(() => {
      throw new Error('the disk is full');
    });
    const mock = await createMock({ log });
    const { port } = await mock.listen({ port: 0 });
    t.teardown(() => mock.close());
    const connections = await Promise.all(Array.from({ length: count }, () => openRaw(t, port)));
    // In the second round, the mock has accepted all connections and reads them in one turn.
    for (const round of [1, 2]) {
      for (const [index, connection] of connections.entries()) {
        connection.send(rawCreate(JSON.stringify({ id: round * count + index, name: 'Fern' })));
      }
      for (const connection of connections) t.is((await connection.answer()).status, 200);
    }
    const journal = await (await mock.fetch('/__admin/requests')).json();
    t.like(journal, { meta: { total: 2 * count } });
  });
}

test('the journal has a request once its client has the response', async (t) => {
  const mock = await createMock({ log: 'silent' });
  const { port } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  const connection = await openRaw(t, port);
  for (let count = 1; count <= 20; count++) {
    connection.send(rawCreate(JSON.stringify({ id: count, name: 'Fern' })));
    await connection.answer();
    t.like(await (await mock.fetch('/__admin/requests')).json(), { meta: { total: count } });
  }
});

for (const count of [1, 20]) {
  test(`the journal has ${count + 1} requests that come at once in their order, also beside a fault`, async (t) => {
    const folder = await createFolder(t, { 'cut.yaml': CUT });
    const mock = await createMock({ log: 'silent', fixtures: [join(folder, 'cut.yaml')] });
    const { port } = await mock.listen({ port: 0 });
    t.teardown(() => mock.close());
    const connection = await openRaw(t, port);
    const bodies = Array.from({ length: count + 1 }, (_, id) => `{"id":${id},"name":"Fern"}`);
    const creates = bodies.map((body, id) =>
      rawCreate(body, ...(id === count ? ['Mock-Fixture: cut'] : [])),
    );
    connection.send(Buffer.concat(creates));
    t.true(await connection.closed());
    const journal = (await (await mock.fetch('/__admin/requests')).json()) as Journal;
    t.deepEqual(
      journal.requests.map(({ request }) => request.body),
      bodies.toReversed(),
    );
  });
}
