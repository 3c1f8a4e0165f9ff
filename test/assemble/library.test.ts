import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createMock, DiagnosticError, type Mock, problems } from '../../src/index.ts';
import { untilCalled } from '../support/calls.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

async function stateOf(mock: Mock): Promise<unknown> {
  return (await mock.fetch('/__admin/state')).json();
}

test('a mock responds in process to a path, a URL and a Request', async (t) => {
  const mock = await createMock();
  const inputs = ['/plants', 'http://api.test/plants', new URL('http://localhost/plants')];
  for (const input of inputs) {
    const response = await mock.fetch(input, createPlant());
    t.is(response.status, 200);
    t.deepEqual(await response.json(), { name: 'Fern' });
  }
  const request = new Request('http://api.test/plants', createPlant({ id: 2, name: 'Ivy' }));
  t.deepEqual(await (await mock.fetch(request)).json(), { name: 'Ivy' });
});

test('a resource that is created in process has a URL at the host of the request', async (t) => {
  const pot = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      url: { type: 'string', format: 'uri', readOnly: true },
    },
  };
  const content = { 'application/json': { schema: pot } };
  const responses = { 200: { description: 'A pot', content } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = {
    '/pots': { post: { requestBody: { content }, responses } },
    '/pots/{id}': { parameters: [id], get: { responses } },
  };
  const info = { title: 'Pots', version: '1' };
  const mock = await createMock({ document: { openapi: '3.1.0', info, paths } });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  for (const [target, url] of [
    ['http://pots.test:8080/pots', 'http://pots.test:8080/pots/1'],
    ['/pots', 'http://localhost/pots/2'],
  ] as const) {
    t.like(await (await mock.fetch(target, init)).json(), { url });
  }
});

test('a response in process is a standard Response with header fields', async (t) => {
  const mock = await createMock();
  const response = await mock.fetch('/plants', createPlant());
  t.true(response instanceof Response);
  t.is(response.headers.get('content-type'), 'application/json');
  t.is(response.headers.get('mock-source'), 'state');
  t.is(response.headers.get('mock-request-id'), '1');
  t.deepEqual(await response.clone().json(), await response.json());
});

test('a response is the same in process and over a socket', async (t) => {
  const mock = await createMock();
  const { url } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  for (const plant of [
    { id: 1, name: 'Fern' },
    { id: 'x' },
    '{"id":9223372036854775808,"name":""}',
    '{',
  ]) {
    const inProcess = await mock.fetch('/plants', createPlant(plant));
    const overSocket = await fetch(`${url}/plants`, createPlant(plant));
    t.is(inProcess.status, overSocket.status);
    t.is(await inProcess.text(), await overSocket.text());
    t.is(inProcess.headers.get('mock-source'), overSocket.headers.get('mock-source'));
  }
});

test('two mocks in one process share nothing', async (t) => {
  const [first, second] = await Promise.all([createMock(), createMock({ uniqueIds: true })]);
  await first.fetch('/plants', createPlant());
  t.deepEqual(await stateOf(first), { plants: [{ id: 1, name: 'Fern' }] });
  t.deepEqual(await stateOf(second), { plants: [] });
  const answer = await second.fetch('/plants', createPlant({ id: 1, name: 'Ivy' }));
  t.is(answer.headers.get('mock-request-id'), '1');
  t.is((await second.fetch('/plants', createPlant())).status, 400);
  t.is((await first.fetch('/plants', createPlant())).status, 200);
  await second.reset();
  t.deepEqual(await stateOf(first), { plants: [{ id: 1, name: 'Fern' }] });
});

test('two mocks have separate counts and random numbers', async (t) => {
  const options = { fixture: ['fail-first-two'], seed: 7 };
  const [first, second] = await Promise.all([createMock(options), createMock(options)]);
  const statuses = async (mock: Mock): Promise<number[]> => {
    const answers: number[] = [];
    for (let round = 0; round < 3; round++) {
      answers.push((await mock.fetch('/plants', createPlant())).status);
    }
    return answers;
  };
  t.deepEqual(await statuses(first), [400, 400, 200]);
  t.deepEqual(await statuses(second), [400, 400, 200]);
});

test('the same random seed gives the same responses, another seed different ones', async (t) => {
  const generate = async (seed: string): Promise<string> => {
    const mock = await createMock({ seed, dynamic: true });
    const answers = [];
    for (let round = 0; round < 3; round++) {
      answers.push(await (await mock.fetch('/plants', createPlant())).text());
    }
    return answers.join('\n');
  };
  t.is(await generate('a'), await generate('a'));
  t.not(await generate('a'), await generate('b'));
});

test('a reset restores state, counts and call numbers', async (t) => {
  const mock = await createMock({ fixture: ['fail-first-two'] });
  const first = async (): Promise<readonly unknown[]> => {
    const answer = await mock.fetch('/plants', createPlant());
    return [answer.status, answer.headers.get('mock-request-id')];
  };
  t.deepEqual(await first(), [400, '1']);
  t.deepEqual(await first(), [400, '2']);
  t.deepEqual(await first(), [200, '3']);
  await mock.reset();
  t.deepEqual(await stateOf(mock), { plants: [] });
  t.deepEqual(await first(), [400, '1']);
});

test('port 0 picks a free port and reports it', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const [first, second] = [await mock.listen({ port: 0 }), await mock.listen({ port: 0 })];
  t.not(first.port, second.port);
  t.is(first.url, `http://localhost:${first.port}`);
  await fetch(`${first.url}/plants`, createPlant());
  const state = await fetch(`${second.url}/__admin/state`);
  t.deepEqual(await state.json(), { plants: [{ id: 1, name: 'Fern' }] }, 'one mock, two ports');
});

test('a port in use is reported with the system error', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0 });
  await t.throwsAsync(mock.listen({ port }), { code: 'EADDRINUSE' });
});

test('close finishes open requests and accepts no more', async (t) => {
  const folder = await createFolder(t, {
    'slow.yaml': 'rules:\n  - name: slower\n    answer: { fixedDelayMilliseconds: 500 }\n',
  });
  const mock = await createMock({ fixtures: [join(folder, 'slow.yaml')] });
  const { url } = await mock.listen({ port: 0 });
  const answer = fetch(`${url}/plants`, createPlant());
  await untilCalled(mock.fetch);
  const closed = mock.close();
  t.is((await answer).status, 200);
  await t.throwsAsync(fetch(`${url}/plants`, createPlant()), { message: 'fetch failed' });
  const soon = await Promise.race([closed.then(() => 'closed'), sleep(3_000, 'it waits')]);
  t.is(soon, 'closed');
  await mock.close();
});

test('a closed mock can listen again and still responds in process', async (t) => {
  const mock = await createMock();
  await mock.listen({ port: 0 });
  await mock.close();
  t.is((await mock.fetch('/plants', createPlant())).status, 200);
  const { url } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
});

test('the global Request and Response are unchanged', async (t) => {
  const describe = () =>
    ['Request', 'Response', 'Headers', 'fetch'].map((name) => {
      // Node.js replaces a getter by its value when it is first read.
      Reflect.get(globalThis, name);
      return Object.getOwnPropertyDescriptor(globalThis, name);
    });
  const before = describe();
  const mock = await createMock();
  const { url } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  await (await fetch(`${url}/plants`, createPlant())).text();
  await (await fetch(`${url}/__admin/health`)).text();
  await mock.fetch('/plants', createPlant());
  t.deepEqual(describe(), before);
});

for (const [fixture, code] of [
  ['dropped-connection', 'ECONNRESET'],
  ['empty-response', 'UND_ERR_SOCKET'],
] as const) {
  test(`${fixture} breaks the connection in process and over a socket`, async (t) => {
    const mock = await createMock();
    const { url } = await mock.listen({ port: 0 });
    t.teardown(() => mock.close());
    const request = createPlant();
    const headers = { ...request.headers, 'mock-fixture': fixture };
    for (const call of [
      () => mock.fetch('/plants', { ...request, headers }),
      () => fetch(`${url}/plants`, { ...request, headers }),
    ]) {
      const error = await t.throwsAsync(call(), { instanceOf: TypeError, message: 'fetch failed' });
      t.is((error.cause as { code?: unknown } | undefined)?.code, code);
    }
    t.is((await mock.fetch('/plants', request)).status, 200, 'the next one is answered');
  });
}

test('a missing document is reported with its path and a remedy', async (t) => {
  const error = await t.throwsAsync(createMock({ document: 'nowhere/api.yaml' }), {
    instanceOf: DiagnosticError,
    message: /^nowhere\/api\.yaml:1:1 error: the document cannot be read: there is no such file/,
  });
  t.like(error.diagnostics[0], { file: 'nowhere/api.yaml', severity: 'error' });
  t.truthy(error.diagnostics[0]?.remedy);
});

test('an invalid document and a missing fixture file are reported', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': 'openapi: 3.0.0' });
  await t.throwsAsync(createMock({ document: join(folder, 'api.yaml') }), {
    instanceOf: DiagnosticError,
  });
  await t.throwsAsync(createMock({ fixture: ['unknown'] }), {
    message: /there is no fixture "unknown"/,
  });
});

test('undefined settings count as missing', async (t) => {
  const options: Record<string, unknown> = { document: undefined, port: undefined };
  const mock = await createMock(options);
  t.is(mock.contract.title, 'Plant Store');
  t.true(mock.fixtures.some(({ name, isEnabled }) => name === 'slow' && !isEnabled));
  t.true(Object.keys(problems).includes('INVALID_REQUEST'));
});

test('changing a request or response afterwards does not affect the store', async (t) => {
  const mock = await createMock();
  const plant = { id: 1, name: 'Fern', extra: { a: [1] } };
  await mock.fetch('/plants', createPlant(plant));
  plant.extra.a.push(2);
  t.deepEqual(await stateOf(mock), { plants: [{ id: 1, name: 'Fern', extra: { a: [1] } }] });
});
