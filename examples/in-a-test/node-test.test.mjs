import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { createMock } from 'coldframe';

/** The client under test: it creates a plant, and tries again while the store is unavailable. */
async function addPlant(plant, { url = '', fetch = globalThis.fetch }) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify(plant),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    if (answer.error !== 503 || attempt === 3) throw new Error(answer.message);
  }
}

const fern = { id: 2, name: 'Fern' };

const mock = await createMock();
const { url } = await mock.listen({ port: 0 });

afterEach(() => mock.reset());
after(() => mock.close());

async function storedPlants() {
  const response = await mock.fetch('/__admin/state/plants');
  return response.json();
}

test('a plant is created over the network', async () => {
  assert.deepEqual(await addPlant(fern, { url }), { name: 'Fern' });
});

test('a plant that is created in process, without a port, is in the store', async () => {
  await addPlant(fern, { fetch: mock.fetch });
  assert.deepEqual(await storedPlants(), [fern]);
});

test('the client says what is wrong with a plant', async () => {
  await assert.rejects(addPlant({ id: '2' }, { fetch: mock.fetch }), {
    message: 'body/name is required but missing; body/id must be an int64, got the string "2"',
  });
  assert.deepEqual(await storedPlants(), []);
});

test('the client gets through when the store fails twice', async () => {
  const failing = await createMock({ fixture: ['fail-first-two'] });
  assert.deepEqual(await addPlant(fern, { fetch: failing.fetch }), { name: 'Fern' });
});
