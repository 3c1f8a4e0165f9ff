// How a consumer of the plant store tests what it does when the store fails. Node runs it as it
// stands, also while other tests use the same mock:
//
//   docker compose run --rm retry-test
//   PLANTS_URL=http://127.0.0.1:4010 node --test examples/compose/retry.test.mts    (Node 24)

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const mock = process.env['PLANTS_URL'] ?? 'http://127.0.0.1:4010';

/** The client under test can be given a URL and nothing else, so the session is in the URL. */
const plants = `${mock}/__session/${process.env['MOCK_SESSION'] ?? 'retry-test'}`;

/** The client under test: it tries again while the store is unavailable, three times in all. */
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

/** Asks the control API, in the session of these tests. */
async function ask(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${plants}/__admin${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path} was answered with ${response.status}`);
  return response.status === 204 ? undefined : response.json();
}

/** @throws with what came in its place, unless createPlant was called so often */
async function verifyCalls(exactly: number): Promise<void> {
  const expected = { match: { operationId: 'createPlant' }, exactly };
  const answer = (await ask('/journal/verify', expected)) as { verified: boolean; message: string };
  assert.ok(answer.verified, answer.message);
}

const fern = { id: 1, name: 'Fern' };

beforeEach(() => ask('/reset', {}));

test('the client gets through when the store fails twice', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 503, times: 2 });
  assert.deepEqual(await addPlant(fern), { name: 'Fern' });
  await verifyCalls(3);
});

test('the client gives up when the store fails three times', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 503, times: 3 });
  await assert.rejects(addPlant(fern), /unavailable/);
  await verifyCalls(3);
});

test('the client does not try again when it must slow down', async () => {
  await ask('/fail', { operationId: 'createPlant', status: 400, example: 'tooManyRequests' });
  await assert.rejects(addPlant(fern), /Too many requests/);
  await verifyCalls(1);
});
