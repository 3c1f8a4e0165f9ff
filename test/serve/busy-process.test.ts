import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import { openRaw, rawCreate } from '../support/raw-socket.ts';

/** Longer than the head of a request may take. */
const BUSY_MILLISECONDS = 12_500;

test('a request that arrived in time is answered, however late the process reads it', async (t) => {
  const mock = await createMock();
  const { port } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  const connection = await openRaw(t, port);
  await sleep(100);
  connection.send(rawCreate('{"id":1,"name":"Fern"}'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MILLISECONDS);
  t.is((await connection.answer()).status, 200);
});
