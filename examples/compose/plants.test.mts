// Tests a consumer of the plant store against the mock. Run it with Node.js:
//
//   docker compose run --rm consumer-test
//   PLANTS_URL=http://127.0.0.1:4010 node --test examples/compose/plants.test.mts    (Node 24)

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const plants = process.env['PLANTS_URL'] ?? 'http://127.0.0.1:4010';

/** Isolates these tests from other users of the mock. */
const session = { 'mock-session': process.env['MOCK_SESSION'] ?? 'plants-test' };

/** Sends the body as text, because a JavaScript number cannot represent every int64. */
function create(body: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${plants}/plants`, {
    method: 'POST',
    headers: {
      ...session,
      authorization: 'Bearer any',
      'content-type': 'application/json',
      ...fields,
    },
    body,
  });
}

async function readState(): Promise<string> {
  const response = await fetch(`${plants}/__admin/state/plants`, { headers: session });
  assert.equal(response.status, 200);
  return response.text();
}

beforeEach(async () => {
  const response = await fetch(`${plants}/__admin/reset`, { method: 'POST', headers: session });
  assert.equal(response.status, 204);
});

test('a created plant is stored with its exact id', async () => {
  const response = await create('{"id":9223372036854775807,"name":"Fern","tag":"shade"}');
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { name: 'Fern', tag: 'shade' });
  assert.equal(await readState(), '[{"id":9223372036854775807,"name":"Fern","tag":"shade"}]');
});

test('an invalid plant is refused with every reason and is not stored', async () => {
  const response = await create('{"id":"twelve"}');
  assert.equal(response.status, 400);
  const { error, message } = (await response.json()) as { error: number; message: string };
  assert.equal(error, 422);
  assert.match(message, /name/);
  assert.match(message, /id/);
  assert.equal(await readState(), '[]');
});

test('a create without a token is refused', async () => {
  const response = await create('{"id":1,"name":"Fern"}', { authorization: '' });
  assert.equal(response.status, 400);
  assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  assert.equal(await readState(), '[]');
});

test('a failure acts only on the request that names it', async () => {
  const body = '{"id":1,"name":"Fern"}';
  const failed = await create(body, { 'mock-fixture': 'fail-first-two' });
  assert.equal(failed.status, 400);
  assert.equal(((await failed.json()) as { error: number }).error, 503);
  assert.equal(await readState(), '[]');

  const answered = await create(body);
  assert.equal(answered.status, 200);
  assert.equal(await readState(), '[{"id":1,"name":"Fern"}]');
});

test('a reset empties the store', async () => {
  await create('{"id":1,"name":"Fern"}');
  await fetch(`${plants}/__admin/reset`, { method: 'POST', headers: session });
  assert.equal(await readState(), '[]');
});
