import test from 'ava';
import { createProgramMock } from '../../src/assemble/mock.ts';
import { createMock } from '../../src/index.ts';
import { openRaw } from '../support/raw-socket.ts';

/** Returns a document with so many collections that what its operations mean takes some turns. */
function describeCollections(count: number, ...more: readonly string[]) {
  const thing = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const ok = (schema: object) => ({ 200: { description: 'OK', ...content(schema) } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const query = ['limit', ...more].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'integer' },
  }));
  const paths = Array.from({ length: count }, (_, index) => [
    [
      `/things-${index}`,
      {
        get: { parameters: query, responses: ok({ type: 'array', items: thing }) },
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

const REFUSED = '/things-7?limit=many';

test('refusals, the control API and other operations respond while a first request infers what all of them mean', async (t) => {
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
  const targets = ['/things-7', REFUSED, '/ping', '/__admin/health'];
  t.deepEqual(await Promise.all(targets.map(send)), [200, 422, 204, 200]);
  t.is(ended.at(-1), '/things-7');
});

test('a rule responds before it is known what operations mean', async (t) => {
  const mock = await createMock({ document: describeCollections(300) });
  t.teardown(() => mock.close());
  await mock.session('default').operation('GET /things-7').failNext(503);
  const ended: number[] = [];
  const send = async (path: string) => ended.push((await mock.fetch(path)).status);
  await Promise.all(['/things-8', '/things-7'].map(send));
  t.deepEqual(ended, [503, 200]);
});

test('coverage has requests that came before it was known what operations mean, and their further pages', async (t) => {
  const mock = await createProgramMock({ document: describeCollections(300, 'page') });
  t.teardown(() => mock.close());
  await mock.session('default').operation('GET /things-8').answerNext({ status: 200, body: [] });
  t.is((await mock.fetch(REFUSED)).status, 422);
  t.deepEqual(await (await mock.fetch('/things-8?page=2')).json(), []);
  t.true(mock.isPreparing);
  t.is((await mock.fetch('/things-9')).status, 200);
  const { operations } = await mock.coverage();
  const covered = operations
    .flatMap(({ path, items }) => items.map((item) => ({ ...item, path })))
    .filter(({ path, covered: isCovered }) => isCovered && path !== '/things-9');
  t.deepEqual(
    covered.map(({ path, group, name }) => `${path}: ${group} ${name}`),
    [
      '/things-7: operations called',
      '/things-8: operations called',
      '/things-8: responses 200',
      '/things-8: parameters query limit omitted',
      '/things-8: parameters query page sent',
      '/things-8: pages a further page',
    ],
  );
});

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
