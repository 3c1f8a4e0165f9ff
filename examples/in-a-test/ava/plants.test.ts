import test from 'ava';
import { createMock } from 'coldframe';
import { addPlant } from '../plant-client.mjs';
import type { PlantStore } from '../plant-store.d.ts';

const fern = { id: 2, name: 'Fern' };

// With the types of the document, a wrong name does not compile.
const mock = await createMock<PlantStore>();

test('a plant is created', async (t) => {
  const session = mock.session();
  t.deepEqual(await addPlant(fern, { fetch: session.fetch }), { name: 'Fern' });
  t.deepEqual(await session.state.plants.all(), [fern]);
});

test('an id is stored exactly', async (t) => {
  const session = mock.session();
  await session.state.plants.seed([{ id: 9223372036854775807n, name: 'Bristlecone pine' }]);
  t.deepEqual(await session.state.plants.get(9223372036854775807n), {
    id: 9223372036854775807n,
    name: 'Bristlecone pine',
  });
});

test('the client retries with the same plant when the store fails twice', async (t) => {
  const session = mock.session();
  await session.createPlant.failNext(503, { times: 2 });
  await addPlant(fern, { fetch: session.fetch });
  const calls = await session.createPlant.calls();
  t.deepEqual(
    calls.map(({ body }) => body),
    [fern, fern, fern],
  );
});

test('the client reports that it must slow down', async (t) => {
  const session = mock.session();
  await session.createPlant.answerNext({ status: 400, example: 'tooManyRequests' });
  await t.throwsAsync(addPlant(fern, { fetch: session.fetch }), {
    message: 'Too many requests, try again in a moment',
  });
});

test('the client reports a broken connection', async (t) => {
  const session = mock.session();
  await session.createPlant.breakNext('CONNECTION_RESET_BY_PEER');
  await t.throwsAsync(addPlant(fern, { fetch: session.fetch }), { message: 'fetch failed' });
});
