// Tests how a consumer of the plant store reacts to failures, while other tests use the same mock.
// Run it with Node.js:
//
//   docker compose run --rm retry-test
//   PLANTS_URL=http://127.0.0.1:4010 node --test examples/compose/retry.test.mts    (Node 24)

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const mock = process.env['PLANTS_URL'] ?? 'http://127.0.0.1:4010';

/** The client under test accepts only a URL, so the session is in the URL. */
const plants = `${mock}/__session/${process.env['MOCK_SESSION'] ?? 'retry-test'}`;

/** The client under test: it makes up to three attempts while the store is unavailable. */
async function addPlant(plant: { id: number; name: string }): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${plants}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify(plant),
    });
    const answer = (await response.json()) as { error?: number; message?: string };
    if (response.ok) return answer;
    if (answer.error !== 503 || attempt === 3) throw new Error(answer.message);
  }
}

/** Calls the control API in the session of these tests. */
async function ask(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${plants}/__admin${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path} responded with ${response.status}`);
  return response.status === 204 ? undefined : response.json();
}

/** Fails with the actual calls unless createPlant was called this often. */
async function verifyCalls(exactly: number): Promise<void> {
  const expected = { match: { operationId: 'createPlant' }, exactly };
  const answer = (await ask('/journal/verify', expected)) as { verified: boolean; message: string };
  assert.ok(answer.verified, answer.message);
}

const fern = { id: 1, name: 'Fern' };

beforeEach(() => ask('/reset', {}));

test('the client retries when the store fails twice', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 503, times: 2 });
  assert.deepEqual(await addPlant(fern), { name: 'Fern' });
  await verifyCalls(3);
});

test('the client gives up when the store fails three times', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 503, times: 3 });
  await assert.rejects(addPlant(fern), /unavailable/);
  await verifyCalls(3);
});

test('the client does not retry when it must slow down', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 400, example: 'tooManyRequests' });
  await assert.rejects(addPlant(fern), /Too many requests/);
  await verifyCalls(1);
});
