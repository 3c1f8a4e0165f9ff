import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createServer as createViteServer } from 'vite';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

async function listen(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a mock is the request listener of a server of one’s own', async (t) => {
  const mock = await createMock();
  const url = await listen(t, mock.handler);
  const created = await fetch(`${url}/plants`, createPlant());
  t.is(created.headers.get('mock-source'), 'state');
  t.deepEqual(await created.json(), { name: 'Fern' });
  t.deepEqual(await mock.session('default').state['plants']?.all(), [{ id: 1, name: 'Fern' }]);
  t.is((await fetch(`${url}/nowhere`)).status, 404);
  t.is((await fetch(`${url}/__admin/health`)).status, 200);
});

test('a rule breaks the connection of a server of one’s own', async (t) => {
  const mock = await createMock();
  const url = await listen(t, mock.handler);
  await mock.session('default').operation('createPlant').breakNext('CONNECTION_RESET_BY_PEER');
  await t.throwsAsync(fetch(`${url}/plants`, createPlant()), { message: 'fetch failed' });
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
});

test('middleware passes on what the mock does not have, and nothing else', async (t) => {
  const mock = await createMock();
  const url = await listen(t, (request, response) =>
    mock.handler(request, response, () => response.end('the next one')),
  );
  const read = async (path: string, init?: RequestInit) =>
    (await fetch(`${url}${path}`, init)).text();
  t.is(await read('/plants', createPlant()), '{"name":"Fern"}');
  t.is(await read('/'), 'the next one');
  t.is(await read('/plants/7/leaves'), 'the next one');
  t.regex(await read('/plants', { method: 'DELETE' }), /"error":405/);
  t.regex(await read('/__admin/version'), /version/);
  t.is(await read('/__session/a/plants', createPlant()), '{"name":"Fern"}');
});

test('middleware takes a body that a body parser has read', async (t) => {
  const mock = await createMock();
  const parsed = async (body: unknown, type: string): Promise<string> => {
    const url = await listen(t, async (request, response) => {
      for await (const _ of request);
      const next = (error?: unknown) => response.end(String(error));
      mock.handler(Object.assign(request, { body }), response, next);
    });
    const headers = { authorization: 'Bearer token', 'content-type': type };
    const init = { method: 'POST', headers, body: 'read elsewhere' };
    return (await fetch(`${url}/plants`, init)).text();
  };
  const fern = { id: 1, name: 'Fern' };
  t.is(await parsed(fern, 'application/json'), '{"name":"Fern"}');
  t.is(await parsed(JSON.stringify(fern), 'application/json'), '{"name":"Fern"}');
  t.is(await parsed(Buffer.from(JSON.stringify(fern)), 'application/json'), '{"name":"Fern"}');
  t.regex(await parsed(fern, 'application/x-www-form-urlencoded'), /before body parsers/);
});

test('Vite serves the pages and the mock the API', async (t) => {
  const root = await createFolder(t, {
    'index.html': '<!doctype html><title>Shop</title>',
    'notes.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          post: {
            requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
            responses: {
              201: {
                description: 'Created',
                headers: { Location: { schema: { type: 'string' } } },
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
              },
            },
          },
        },
        '/notes/{id}': {
          get: {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            responses: {
              200: {
                description: 'A note',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: { Note: { type: 'object', properties: { id: { type: 'integer' } } } },
      },
    }),
  });
  const mock = await createMock({ document: `${root}/notes.json` });
  const server = await createViteServer({
    configFile: false,
    root,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0, hmr: false, ws: false },
    plugins: [
      {
        name: 'mock',
        configureServer({ middlewares }) {
          middlewares.use('/api', mock.handler);
          middlewares.use(mock.handler);
        },
      },
    ],
  });
  t.teardown(() => server.close());
  await server.listen();
  const url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  t.regex(await (await fetch(url)).text(), /<title>Shop/);
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text": "Water the fern"}',
  };
  t.is((await fetch(`${url}/notes`, init)).status, 201);
  const created = await fetch(`${url}/api/notes`, init);
  const location = created.headers.get('location') ?? '';
  t.regex(location, /^\/api\/notes\/\d+$/);
  t.like(await (await fetch(url + location)).json(), { id: Number(location.split('/').at(-1)) });
});
