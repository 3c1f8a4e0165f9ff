import { createMock } from 'coldframe';
import { test as base, expect } from 'vitest';
import { addPlant } from '../plant-client.mjs';
import type { PlantStore } from '../plant-store.d.ts';

const fern = { id: 2, name: 'Fern' };

const mock = await createMock<PlantStore>();

/** Gives each test a session, and drops it afterwards. */
const test = base.extend<{ session: ReturnType<typeof mock.session> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from here.
  session: async ({}, use) => {
    const session = mock.session();
    await use(session);
    await session.close();
  },
});

test.concurrent('a plant is created', async ({ session }) => {
  expect(await addPlant(fern, { fetch: session.fetch })).toEqual({ name: 'Fern' });
  expect(await session.state.plants.all()).toEqual([fern]);
});

test.concurrent('the client retries when the store fails twice', async ({ session }) => {
  await session.createPlant.failNext(503, { times: 2 });
  expect(await addPlant(fern, { fetch: session.fetch })).toEqual({ name: 'Fern' });
  expect(await session.createPlant.count()).toBe(3);
});

test.concurrent('a slow store does not slow down the test', async ({ session }) => {
  await session.createPlant.delayNext('1h');
  const answer = addPlant(fern, { fetch: session.fetch });
  const isThere = answer.then(() => true);
  while (!(await Promise.race([isThere, session.clock.advance('1h').then(() => false)])));
  expect(await answer).toEqual({ name: 'Fern' });
});
