import test from 'ava';
import { operations } from '../../src/control/control.ts';
import { createMock } from '../../src/index.ts';
import { createControlClient, readControlContract } from '../support/control.ts';
import { createPlant } from '../support/plants.ts';

test('the document and the code of the control API have the same operations', async (t) => {
  const contract = await readControlContract();
  t.deepEqual(contract.operations.map(({ id }) => id).sort(), [...operations.keys()].sort());
});

const STUB = '11111111-2222-4333-8444-555555555555';
const mapping = {
  id: STUB,
  name: 'a stub',
  request: { method: 'POST', url: '/plants' },
  response: { status: 200, jsonBody: { name: 'Stub' } },
  scenarioName: 'order',
  requiredScenarioState: 'Started',
  newScenarioState: 'Shipped',
  metadata: { tag: 'a' },
};
const rule = {
  match: { operationId: 'createPlant', body: { tag: 'cactus' } },
  answer: { fail: 503 },
};

/** Method, path, body and the status that is expected: together they ask every operation. */
const tour: readonly (readonly [string, string, unknown, number])[] = [
  ['GET', '/health', undefined, 200],
  ['GET', '/health/live', undefined, 200],
  ['GET', '/health/ready', undefined, 200],
  ['GET', '/version', undefined, 200],
  ['GET', '/settings', undefined, 200],
  ['GET', '/operations', undefined, 200],
  ['GET', '/operations/createPlant', undefined, 200],
  ['GET', '/operations/createPots', undefined, 404],
  ['GET', '/operations/createPlant/request', undefined, 200],
  ['GET', '/openapi.yaml', undefined, 200],
  ['GET', '/openapi.json', undefined, 200],
  ['GET', '/openapi.json?document=2', undefined, 404],
  ['GET', '/control-api.yaml', undefined, 200],
  ['GET', '/control-api.json', undefined, 200],
  ['POST', '/fixtures', { name: 'mine', ...rule }, 201],
  ['POST', '/fixtures', { name: 'mine', ...rule }, 409],
  ['POST', '/fixtures', { rules: [rule, { name: 'two', ...rule }] }, 201],
  ['POST', '/fixtures', { name: 'bad', answer: { status: 202 } }, 422],
  ['GET', '/validation', undefined, 200],
  ['PUT', '/validation', { validate: 'structure' }, 200],
  ['PUT', '/validation', { validate: null }, 200],
  ['PUT', '/validation', { validate: 'none' }, 422],
  ['GET', '/fixtures', undefined, 200],
  ['GET', '/fixtures/schema', undefined, 200],
  ['GET', '/fixtures/mine', undefined, 200],
  ['GET', '/fixtures/nobody', undefined, 404],
  ['PUT', '/fixtures/mine', rule, 200],
  ['PUT', '/fixtures/other', rule, 201],
  ['PUT', '/fixtures/mine/enabled', { enabled: false }, 200],
  ['PUT', '/fixtures/nobody/enabled', { enabled: false }, 404],
  ['DELETE', '/fixtures/other', undefined, 204],
  ['DELETE', '/fixtures/other', undefined, 404],
  ['POST', '/fail', { operationId: 'createPlant', status: 503, times: 2 }, 201],
  ['POST', '/fail', { operationId: 'nobody', status: 503 }, 422],
  ['POST', '/fail', { method: 'POST', path: '/plants', fault: 'EMPTY_RESPONSE' }, 201],
  ['POST', '/fail', { delay: '2s' }, 201],
  ['POST', '/fixtures/off', undefined, 204],
  ['DELETE', '/fixtures', undefined, 204],
  ['PUT', '/state', { plants: [{ id: 1, name: 'Fern' }] }, 200],
  ['PUT', '/state', { trees: [] }, 404],
  ['GET', '/state', undefined, 200],
  ['POST', '/state', { plants: [{ id: 9, name: 'Moss' }] }, 204],
  ['POST', '/state', { plants: [{ id: 9 }] }, 422],
  ['POST', '/state', { trees: [] }, 404],
  ['PUT', '/state/plants', [{ id: 1, name: 'Fern' }], 200],
  ['PUT', '/state/plants', [{ id: 1 }], 422],
  ['GET', '/state/plants', undefined, 200],
  ['GET', '/state/trees', undefined, 404],
  ['PUT', '/state/plants/2', { id: 2, name: 'Ivy' }, 201],
  ['PUT', '/state/plants/2', { id: 2, name: 'Oak' }, 200],
  ['PUT', '/state/plants/2', { id: 3, name: 'Oak' }, 422],
  ['GET', '/state/plants/2', undefined, 200],
  ['GET', '/state/plants/3', undefined, 404],
  ['DELETE', '/state/plants/2', undefined, 204],
  ['DELETE', '/state/plants', undefined, 204],
  ['DELETE', '/state', undefined, 204],
  ['GET', '/clock', undefined, 200],
  ['PUT', '/clock', { now: '2030-01-01T00:00:00Z', isFrozen: true }, 200],
  ['PUT', '/clock', { now: 'noon' }, 422],
  ['POST', '/clock/advance', { by: '5m' }, 200],
  ['POST', '/clock/advance', { milliseconds: 1 }, 200],
  ['POST', '/clock/advance', { by: 'soon' }, 422],
  ['PUT', '/snapshots/before', undefined, 201],
  ['PUT', '/snapshots/before', undefined, 200],
  ['GET', '/snapshots', undefined, 200],
  ['GET', '/snapshots/before', undefined, 200],
  ['GET', '/snapshots/after', undefined, 404],
  ['POST', '/snapshots/before/restore', undefined, 204],
  ['POST', '/sessions/tour/fork', { to: 'other', snapshot: 'before' }, 201],
  ['POST', '/sessions/tour/fork', { to: 'tour' }, 422],
  ['POST', '/sessions/nobody/fork', { to: 'other' }, 404],
  ['DELETE', '/snapshots/before', undefined, 204],
  ['POST', '/callbacks/shipped', { url: 'http://localhost:8080/hooks' }, 404],
  ['POST', '/callbacks/shipped', { url: 'nowhere' }, 422],
  ['GET', '/sessions', undefined, 200],
  ['GET', '/sessions/other', undefined, 200],
  ['GET', '/sessions/nobody', undefined, 404],
  ['PUT', '/sessions/third', { seed: 7, now: '2030-01-01T00:00:00Z' }, 201],
  ['PUT', '/sessions/third', undefined, 200],
  ['PUT', '/sessions/a%20b', undefined, 422],
  ['DELETE', '/sessions/third', undefined, 204],
  ['GET', '/journal', undefined, 200],
  ['GET', '/summary', undefined, 200],
  ['GET', '/coverage', undefined, 200],
  ['GET', '/coverage?of=session&format=html', undefined, 200],
  ['GET', '/coverage?of=nobody', undefined, 422],
  ['GET', '/pact?consumer=web', undefined, 200],
  ['GET', '/verdict', undefined, 200],
  ['GET', '/verdict?rules=retry-after&set=retry-after.slack=5', undefined, 200],
  ['GET', '/verdict?also=nothing', undefined, 422],
  ['GET', '/journal?operationId=createPlant&status=200&since=0&limit=5', undefined, 200],
  ['GET', '/journal?unmatched=true', undefined, 200],
  ['GET', '/journal/1', undefined, 200],
  ['GET', '/journal/999', undefined, 404],
  ['GET', '/journal/unmatched', undefined, 200],
  ['GET', '/journal/unmatched/near-misses', undefined, 200],
  ['POST', '/journal/find', { match: { operationId: 'createPlant' }, status: 200 }, 200],
  ['POST', '/journal/find', { match: { operationId: 'nobody' } }, 422],
  ['POST', '/journal/count', {}, 200],
  ['POST', '/journal/verify', { match: { operationId: 'createPlant' }, exactly: 7 }, 200],
  ['POST', '/journal/verify', { inOrder: [{ operationId: 'createPlant' }] }, 200],
  ['POST', '/journal/verify', { exactly: 1, atLeast: 1 }, 422],
  ['POST', '/journal/wait', { times: 99, within: '1ms' }, 200],
  ['POST', '/journal/wait', { within: '2h' }, 422],
  ['POST', '/mappings', mapping, 201],
  ['POST', '/mappings', { request: { url: '/trees' } }, 422],
  ['GET', '/mappings', undefined, 200],
  ['GET', `/mappings/${STUB}`, undefined, 200],
  ['GET', '/mappings/nobody', undefined, 404],
  ['PUT', `/mappings/${STUB}`, mapping, 200],
  ['POST', '/mappings/import', { mappings: [mapping] }, 200],
  ['POST', '/mappings/find-by-metadata', { matchesJsonPath: '$.tag' }, 200],
  ['POST', '/mappings/remove-by-metadata', { equalToJson: { tag: 'b' } }, 200],
  ['GET', '/mappings/unmatched', undefined, 200],
  ['GET', '/scenarios', undefined, 200],
  ['PUT', '/scenarios/order/state', { state: 'Shipped' }, 200],
  ['PUT', '/scenarios/order/state', { state: 'Lost' }, 422],
  ['PUT', '/scenarios/nothing/state', undefined, 404],
  ['POST', '/scenarios/reset', undefined, 200],
  ['GET', '/requests', undefined, 200],
  ['POST', '/requests/count', { method: 'POST' }, 200],
  ['POST', '/requests/find', { urlPathPattern: '/pl.*' }, 200],
  ['GET', '/requests/unmatched', undefined, 200],
  ['GET', '/requests/unmatched/near-misses', undefined, 200],
  ['GET', '/requests/1', undefined, 200],
  ['GET', '/requests/nobody', undefined, 404],
  ['POST', '/near-misses/request', { url: '/plants', method: 'GET' }, 200],
  ['POST', '/near-misses/request-pattern', { url: '/plant', method: 'GET' }, 200],
  ['POST', '/requests/near-misses/request', { url: '/plants', method: 'GET' }, 200],
  ['POST', '/requests/near-misses/request-pattern', { url: '/plants', method: 'GET' }, 200],
  ['DELETE', `/mappings/${STUB}`, undefined, 200],
  ['DELETE', `/mappings/${STUB}`, undefined, 404],
  ['DELETE', '/mappings/unmatched', undefined, 200],
  ['DELETE', '/mappings', undefined, 200],
  ['POST', '/mappings/remove', { id: 'none' }, 200],
  ['POST', '/mappings/reset', undefined, 200],
  ['POST', '/mappings/save', undefined, 501],
  ['POST', '/settings', { fixedDelay: 5 }, 200],
  ['POST', '/settings', { fixedDelay: 0 }, 200],
  ['POST', '/shutdown', undefined, 501],
  ['POST', '/recordings/start', undefined, 501],
  ['POST', '/recordings/stop', undefined, 501],
  ['GET', '/recordings/status', undefined, 200],
  ['POST', '/recordings/snapshot', undefined, 501],
  ['POST', '/requests/remove-by-metadata', { matchesJsonPath: '$.tag' }, 200],
  ['POST', '/requests/remove', { url: '/plant' }, 200],
  ['DELETE', '/requests/1', undefined, 200],
  ['POST', '/requests/reset', undefined, 200],
  ['DELETE', '/requests', undefined, 200],
  ['DELETE', '/journal', undefined, 204],
  ['POST', '/reset', { only: ['clock', 'random'] }, 204],
  ['POST', '/reset', undefined, 204],
  ['POST', '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, 406],
  ['DELETE', '/mcp', undefined, 405],
  ['DELETE', '/sessions', undefined, 204],
];

test('every response of the control API conforms to its document', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const client = await createControlClient(mock, 'tour');
  const headers = { 'mock-session': 'tour' };
  const asked = new Set(['streamEvents']);
  for (const [method, path, body, status] of tour) {
    if (path === '/journal') {
      await mock.fetch('/plants', createPlant());
      await mock.fetch('/plants', {
        ...createPlant(),
        headers: { ...createPlant().headers, ...headers },
      });
      await mock.fetch('/plant', { headers });
    }
    const answer = await client.ask(method, path, body);
    asked.add(answer.operationId);
    const said = `${method} ${path}: ${answer.text.slice(0, 500)}`;
    t.is(answer.response.status, status, said);
    t.deepEqual(answer.complaints, [], said);
  }
  t.deepEqual([...asked].sort(), [...operations.keys()].sort());
});

/** Reads a stream of events until it has so many, comments passed over. */
async function readEvents(response: Response, count: number): Promise<Map<string, string>[]> {
  const events: Map<string, string>[] = [];
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (events.length < count) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => !line.startsWith(':'));
      if (lines.length > 0) events.push(new Map(lines.map(readLine)));
    }
  }
  await reader?.cancel();
  return events;
}

function readLine(line: string): readonly [string, string] {
  const end = line.indexOf(': ');
  return [line.slice(0, end), line.slice(end + 2)];
}

for (const transport of ['in process', 'over a socket'] as const) {
  test(`an event stream has every event of its session and no others (${transport})`, async (t) => {
    const mock = await createMock();
    t.teardown(() => mock.close());
    const { url } = await mock.listen({ port: 0 });
    const ask = (path: string, init: RequestInit = {}, session = 'a'): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('mock-session', session);
      const sent = { ...init, headers };
      return transport === 'in process' ? mock.fetch(path, sent) : fetch(url + path, sent);
    };
    const stream = await ask('/__admin/events');
    t.is(stream.headers.get('content-type'), 'text/event-stream');
    await ask('/plants', createPlant(), 'b');
    await ask('/plants', createPlant());
    await ask('/__admin/fail', { method: 'POST', body: '{"status": 503}' });
    await ask('/__admin/clock', { method: 'PUT', body: '{"isFrozen": true}' });
    await ask('/__admin/state', { method: 'DELETE' });
    await ask('/__admin/snapshots/s', { method: 'PUT' });
    await ask('/__admin/reset', { method: 'POST' });
    const events = await readEvents(stream, 6);
    t.deepEqual(
      events.map((event) => event.get('event')),
      ['exchange', 'fixtures', 'clock', 'state', 'snapshot', 'reset'],
    );
    const data = events.map((event) => JSON.parse(event.get('data') ?? ''));
    t.like(data[0], { session: 'a', number: 1, operationId: 'createPlant' });
    t.like(data[1], { session: 'a', change: 'added', names: ['fail-1'] });
  });
}

test('an event stream of all sessions has their creation and removal', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const stream = await mock.fetch('/__admin/events?all=true&event=session,exchange');
  await mock.fetch('/plants', { headers: { 'mock-session': 'made' } });
  await mock.fetch('/__admin/sessions/made', { method: 'DELETE' });
  const events = await readEvents(stream, 3);
  const told = events.map((event) => [event.get('event'), JSON.parse(event.get('data') ?? '')]);
  t.like(told, [
    ['session', { session: 'made', change: 'made' }],
    ['exchange', { session: 'made', number: 1 }],
    ['session', { session: 'made', change: 'dropped', reason: 'request' }],
  ]);
});

test('a slow reader of events gets the number of lost ones', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const stream = await mock.fetch('/__admin/events');
  const name = 'Fern'.repeat(10_000);
  for (let id = 0; id < 20; id++) await mock.fetch('/plants', createPlant({ id, name }));
  const reader = stream.body?.getReader();
  let text = '';
  while (!text.includes('event: dropped')) {
    text += Buffer.from((await reader?.read())?.value ?? []).toString('utf8');
  }
  const kept = text.match(/event: exchange/g)?.length ?? 0;
  const lost = Number(/event: dropped\ndata: \{"count":(\d+)\}/.exec(text)?.[1]);
  t.is(kept + lost, 20);
  t.true(kept > 0 && lost > 0);
  await reader?.cancel();
});

test('an event stream and a wait end when the mock closes', async (t) => {
  const mock = await createMock();
  const stream = await mock.fetch('/__admin/events');
  const wait = mock.fetch('/__admin/journal/wait', { method: 'POST', body: '{"within": "60s"}' });
  const text = stream.text();
  // The wait has to have begun.
  await new Promise((resolve) => setImmediate(resolve));
  await mock.close();
  t.regex(await text, /^: listening/);
  t.like(await (await wait).json(), { verified: false });
});

test('a wait ends as soon as the expected request comes', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const wait = mock.fetch('/__admin/journal/wait', {
    method: 'POST',
    body: '{"match": {"operationId": "createPlant"}, "times": 2, "within": "60s"}',
  });
  await mock.fetch('/plants', createPlant());
  await mock.fetch('/plants', createPlant({ id: 2, name: 'Ivy' }));
  t.like(await (await wait).json(), { verified: true, count: 2 });
});

test('a client that reconnects to the events gets the number of missed ones', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  for (let id = 1; id <= 3; id++) await mock.fetch('/plants', createPlant({ id, name: 'Fern' }));
  const again = await mock.fetch('/__admin/events', { headers: { 'last-event-id': '1' } });
  const [first] = await readEvents(again, 1);
  t.is(first?.get('event'), 'dropped');
  t.is(first?.get('data'), '{"count":2}');
  t.is(first?.get('id'), '3');
});

test('an event stream above the limit is refused', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const streams: Response[] = [];
  for (let count = 0; count < 101; count++) streams.push(await mock.fetch('/__admin/events'));
  const last = streams.pop();
  t.is(last?.status, 429);
  t.like(await last?.json(), { type: 'urn:coldframe:problem:TOO_MANY_LISTENERS' });
  await Promise.all(streams.map((stream) => stream.body?.cancel()));
  const next = await mock.fetch('/__admin/events');
  t.is(next.status, 200);
  await next.body?.cancel();
});

test('a closing mock is not ready, but alive until it is closed', async (t) => {
  const mock = await createMock();
  t.is((await mock.fetch('/__admin/health/ready')).status, 200);
  await mock.close();
  const ready = await mock.fetch('/__admin/health/ready');
  t.is(ready.status, 503);
  t.like(await ready.json(), { type: 'urn:coldframe:problem:CLOSING' });
  t.is((await mock.fetch('/__admin/health/live')).status, 200);
});

test('a refused request creates no session', async (t) => {
  const mock = await createMock({ adminToken: 'sesame' });
  t.teardown(() => mock.close());
  const token = { authorization: 'Bearer sesame' };
  for (const headers of [
    { origin: 'https://evil.example', ...token },
    { host: 'evil.example', ...token },
    {},
  ]) {
    const response = await mock.fetch('/__session/new/__admin/state', { headers });
    t.true([401, 403].includes(response.status), String(response.status));
  }
  const sessions = await mock.fetch('/__admin/sessions', { headers: token });
  t.like(await sessions.json(), { total: 1 });
});

test('with a separate port for the control API, the port of the document has only health', async (t) => {
  const mock = await createMock({ adminPort: 0 });
  t.teardown(() => mock.close());
  const { url, adminUrl } = await mock.listen({ port: 0 });
  t.is((await fetch(`${url}/__admin/state`)).status, 404);
  t.is((await fetch(`${url}/__admin/health`)).status, 200);
  t.is((await fetch(`${adminUrl}/__admin/state`)).status, 200);
  t.is((await fetch(`${adminUrl}/plants`, createPlant())).status, 404);
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
});

test('settings are shown without secrets', async (t) => {
  const mock = await createMock({ adminToken: 'sesame', token: ['secret-1', 'secret-2'] });
  t.teardown(() => mock.close());
  const headers = { authorization: 'Bearer sesame' };
  const text = await (await mock.fetch('/__admin/settings', { headers })).text();
  t.false(/sesame|secret-/.test(text));
  const extended = { token: ['[redacted]', '[redacted]'], port: 4010 };
  t.like(JSON.parse(text), { settings: { extended } });
});

test('used-up failures are removed, so that any number can follow', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const client = await createControlClient(mock, 'many');
  const headers = { 'mock-session': 'many' };
  for (let count = 0; count < 1100; count++) {
    const { response } = await client.ask('POST', '/fail', { status: 503 });
    if (response.status !== 201) t.fail(`${count}: ${response.status}`);
    await mock.fetch('/plants', { method: 'POST', headers });
  }
  const { text } = await client.ask('GET', '/fixtures');
  t.is(text.match(/"origin":"api"/g)?.length, 1);
});
