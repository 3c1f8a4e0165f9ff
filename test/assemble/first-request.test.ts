import test from 'ava';
import { createMock } from '../../src/index.ts';
import { openRaw } from '../support/raw-socket.ts';

/** Returns a document with so many collections that what its operations mean takes some turns. */
function describeCollections(count: number) {
  const thing = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const ok = (schema: object) => ({ 200: { description: 'OK', ...content(schema) } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const paths = Array.from({ length: count }, (_, index) => [
    [
      `/things-${index}`,
      {
        get: { parameters: [limit], responses: ok({ type: 'array', items: thing }) },
        post: { requestBody: { required: true, ...content(thing) }, responses: ok(thing) },
      },
    ],
    [
      `/things-${index}/{id}`,
      {
        parameters: [id],
        get: { responses: ok(thing) },
        delete: { responses: { 204: { description: '' } } },
      },
    ],
  ]);
  const info = { title: 'Things', version: '1' };
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths.flat()) };
}

for (const [kind, target, status] of [
  ['a first request', '/things-7', 200],
  ['a first request that is refused', '/things-7?limit=many', 422],
] as const) {
  test(`the control API and other operations respond while ${kind} infers what all of them mean`, async (t) => {
    const document = describeCollections(300);
    const paths = {
      ...document.paths,
      '/ping': { get: { responses: { 204: { description: '' } } } },
    };
    const mock = await createMock({ document: { ...document, paths } });
    t.teardown(() => mock.close());
    // It loads the code of the control API.
    await mock.fetch('/__admin/health');
    const ended: string[] = [];
    const send = async (path: string) => {
      const response = await mock.fetch(path);
      ended.push(path);
      return response.status;
    };
    const statuses = await Promise.all([target, '/ping', '/__admin/health'].map(send));
    t.deepEqual(statuses, [status, 204, 200]);
    t.deepEqual(ended.at(-1), target);
  });
}

test('a client that ends its side gets a first response that waits for what operations mean', async (t) => {
  const mock = await createMock({ document: describeCollections(100) });
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0 });
  const connection = await openRaw(t, port);
  connection.socket.end('GET /things-7 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  t.is((await connection.answer()).status, 200);
  t.true(await connection.closed());
});

test('requests that wait for what operations mean are handled in their order', async (t) => {
  const mock = await createMock({ document: describeCollections(100) });
  t.teardown(() => mock.close());
  const [before, deleted, after] = await Promise.all([
    mock.fetch('/things-7'),
    mock.fetch('/things-7/1', { method: 'DELETE' }),
    mock.fetch('/things-7'),
  ]);
  const idsOf = async (response: Response) =>
    ((await response.json()) as { id: number }[]).map(({ id }) => id);
  t.deepEqual(await idsOf(before), [1, 2, 3]);
  t.is(deleted.status, 204);
  t.deepEqual(await idsOf(after), [2, 3]);
});
