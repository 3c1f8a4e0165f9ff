import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMock } from 'coldframe';
import { addPlant } from '../plant-client.mjs';

const fern = { id: 2, name: 'Fern' };

const mock = await createMock();
await mock.listen({ port: 0 });
after(() => mock.close());

// Each test has its own session, so they run concurrently.
const side = { concurrency: true };

test('a plant is created over the network', side, async () => {
  const session = mock.session();
  assert.deepEqual(await addPlant(fern, { url: session.url }), { name: 'Fern' });
  assert.deepEqual(await session.state.plants.all(), [fern]);
});

test('a plant is created in process, without a port', side, async () => {
  const session = mock.session();
  assert.deepEqual(await addPlant(fern, { fetch: session.fetch }), { name: 'Fern' });
  assert.deepEqual(await session.state.plants.all(), [fern]);
});

test('the client reports what is wrong with a plant', side, async () => {
  const session = mock.session();
  await assert.rejects(addPlant({ id: '2' }, { fetch: session.fetch }), {
    message: 'body/name is required but missing; body/id must be an int64, got the string "2"',
  });
  assert.deepEqual(await session.state.plants.all(), []);
});

test('the client retries when the store fails twice', side, async () => {
  const session = mock.session();
  await session.createPlant.failNext(503, { times: 2 });
  assert.deepEqual(await addPlant(fern, { fetch: session.fetch }), { name: 'Fern' });
  assert.equal(await session.createPlant.count(), 3);
});

test('the client gives up when the store fails three times', side, async () => {
  const session = mock.session();
  await session.createPlant.failNext(503, { times: 3 });
  await assert.rejects(addPlant(fern, { fetch: session.fetch }), /unavailable/);
  await session.journal.verify({ operationId: 'createPlant', exactly: 3 });
  assert.deepEqual(await session.state.plants.all(), []);
});
