import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/assemble/mock.ts';
import { createFolder } from '../support/folder.ts';
import { startRedis } from '../support/redis-server.ts';

const SCHEMA = '{ $ref: "#/components/schemas/Plant" }';

const plants = `
openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    post:
      requestBody: { required: true, content: { application/json: { schema: ${SCHEMA} } } }
      responses: { "201": { description: Added, content: { application/json: { schema: ${SCHEMA} } } } }
  /plants/{plantId}:
    parameters: [{ name: plantId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: One, content: { application/json: { schema: ${SCHEMA} } } } } }
    patch:
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } } } }
      responses: { "200": { description: One, content: { application/json: { schema: ${SCHEMA} } } } }
components:
  schemas:
    Plant:
      type: object
      required: [name]
      properties: { id: { type: integer }, name: { type: string }, notes: { type: object } }
`;

/** Milliseconds; a machine that is busy with tests is no store that is away. */
const PATIENT = 30_000;

const stores: readonly (readonly [name: string, open: (t: ExecutionContext) => Promise<string>])[] =
  [
    ['memory', async () => 'memory'],
    ['a file', async (t) => `file:${join(await createFolder(t), 'state.db')}`],
    ['Redis', async (t) => (await startRedis(t)).url],
  ];

async function startMock(
  t: ExecutionContext,
  open: (t: ExecutionContext) => Promise<string>,
  options: { readonly uniqueIds?: boolean } = {},
): Promise<Mock> {
  const folder = await createFolder(t, { 'api.yaml': plants });
  const store = await open(t);
  const document = join(folder, 'api.yaml');
  const mock = await createMock({ document, store, storeTimeout: PATIENT, ...options });
  t.teardown(() => mock.close());
  return mock;
}

async function send(
  mock: Mock,
  method: string,
  path: string,
  body: unknown,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await mock.fetch(path, {
    method,
    headers: { 'content-type': type, ...fields },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** @returns what comes of so many requests that are all sent at once */
function atOnce<Result>(count: number, send: (index: number) => Promise<Result>) {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

for (const [name, open] of stores) {
  test(`none of a hundred concurrent changes is lost: ${name}`, async (t) => {
    const mock = await startMock(t, open);
    await send(mock, 'POST', '/plants', { id: 7, name: 'Fern', notes: {} });
    const answers = await atOnce(100, (index) =>
      send(mock, 'PATCH', '/plants/7', { notes: { [`n${index}`]: index } }),
    );
    t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const { text } = await send(mock, 'GET', '/plants/7', undefined);
    const { notes } = JSON.parse(text) as { notes: Record<string, number> };
    t.is(Object.keys(notes).length, 100);
  });

  test(`a hundred concurrent creates get a hundred keys: ${name}`, async (t) => {
    const mock = await startMock(t, open);
    const answers = await atOnce(100, () => send(mock, 'POST', '/plants', { name: 'Fern' }));
    const keys = answers.map(({ text }) => (JSON.parse(text) as { id: number }).id);
    t.deepEqual(
      keys.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });

  test(`fifty concurrent requests with one Idempotency-Key create one resource: ${name}`, async (t) => {
    const mock = await startMock(t, open);
    const fields = { 'idempotency-key': '"a"' };
    const answers = await atOnce(50, () => send(mock, 'POST', '/plants', { name: 'Fern' }, fields));
    t.deepEqual(new Set(answers.map(({ text }) => text)), new Set([answers[0]?.text]));
    const kept = await mock.fetch('/__admin/state/plants');
    t.is(((await kept.json()) as unknown[]).length, 1);
  });

  test(`of twenty concurrent creates with one key, one succeeds with unique ids: ${name}`, async (t) => {
    const mock = await startMock(t, open, { uniqueIds: true });
    const answers = await atOnce(20, (index) =>
      send(mock, 'POST', '/plants', { id: 7, name: `Fern ${index}` }),
    );
    const made = answers.filter(({ status }) => status === 201);
    t.is(made.length, 1);
    const read = await send(mock, 'GET', '/plants/7', undefined);
    t.is(read.text, made[0]?.text ?? '');
  });
}
