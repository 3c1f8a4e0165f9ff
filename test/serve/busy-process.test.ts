import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import { openRaw, rawCreate } from '../support/raw-socket.ts';

/** Longer than the head of a request may take. */
const BUSY_MILLISECONDS = 12_500;

test('after a long turn, a request that arrived in time is answered, and an incomplete one is refused', async (t) => {
  const mock = await createMock();
  const { port } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  const connection = await openRaw(t, port);
  const slow = await openRaw(t, port);
  slow.send('GET /plants HTTP/1.1\r\nX-Slow: a');
  await sleep(100);
  connection.send(rawCreate('{"id":1,"name":"Fern"}'));
  slow.send('b');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MILLISECONDS);
  t.is((await connection.answer()).status, 200);
  const drip = setInterval(() => slow.send('c'), 100);
  t.teardown(() => clearInterval(drip));
  t.is((await slow.answer()).status, 408);
});
