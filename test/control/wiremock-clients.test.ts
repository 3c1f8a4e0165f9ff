import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import captain from 'wiremock-captain';
import restClient from 'wiremock-rest-client';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

const { DelayType, EndpointFeature, MatchingAttributes, WireMock, WireMockAPI, WireMockFault } =
  captain;
const { WireMockRestClient } = restClient;

/** The base URL of a running mock, as WireMock's clients want it: with a slash at its end. */
async function startMock(t: ExecutionContext, session = ''): Promise<string> {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  return session === '' ? `${url}/` : `${url}/__session/${session}/`;
}

async function send(base: string, plant: unknown = { id: 1, name: 'Fern' }): Promise<Response> {
  return await fetch(new URL('plants', base), createPlant(plant));
}

/** A client that fails on an answer that it does not like would end the process. */
function connect(base: string) {
  return new WireMockRestClient(base, { logLevel: 'silent', continueOnFailure: true });
}

for (const session of ['', 'abc']) {
  const where = session === '' ? 'without a session' : 'in a session';

  test(`wiremock-captain stubs an operation, reads its requests and removes everything (${where})`, async (t) => {
    const base = await startMock(t, session);
    const wireMock = new WireMock(base);
    const stub = await wireMock.register(
      { method: 'POST', endpoint: '/plants', body: { name: 'Fern', id: 1 } },
      { status: 200, body: { name: 'Stub' } },
      { requestIgnoreExtraElements: true },
    );
    t.deepEqual(await (await send(base)).json(), { name: 'Stub' });
    t.deepEqual(await (await send(base, { id: 2, name: 'Ivy' })).json(), { name: 'Ivy' });
    t.is((await wireMock.getRequestsForAPI('POST', '/plants')).length, 2);
    t.is((await wireMock.getAllMappings()).length, 1);
    t.like(await wireMock.getMapping(stub.id), { id: stub.id, request: { url: '/plants' } });
    t.is((await wireMock.deleteMapping(stub.id)).status, 200);
    t.deepEqual(await (await send(base)).json(), { name: 'Fern' });
    await wireMock.clearAll();
    t.deepEqual(await wireMock.getAllRequests(), []);
    t.deepEqual(await wireMock.getAllMappings(), []);
  });

  test(`wiremock-rest-client stubs an operation, counts its requests and resets (${where})`, async (t) => {
    const base = await startMock(t, session);
    const client = connect(base);
    const stub = await client.mappings.createMapping({
      request: { method: 'POST', urlPath: '/plants', bodyPatterns: [{ contains: 'Fern' }] },
      response: { status: 400, jsonBody: { error: 503, message: 'later' } },
    });
    t.is((await send(base)).status, 400);
    t.is((await send(base, { id: 2, name: 'Ivy' })).status, 200);
    const pattern = { method: 'POST', url: '/plants' };
    t.like(await client.requests.getCount(pattern), { count: 2 });
    t.is((await client.mappings.getAllMappings()).meta?.total, 1);
    t.like(await client.mappings.getMapping(stub.id ?? ''), { id: stub.id });
    await client.global.resetAll();
    t.like(await client.requests.getCount(pattern), { count: 0 });
    t.is((await client.mappings.getAllMappings()).meta?.total, 0);
    t.is((await send(base)).status, 200);
  });
}

test('a WireMock client sees only its own session', async (t) => {
  const base = await startMock(t);
  const [one, two] = ['one', 'two'].map((id) => `${base}__session/${id}/`);
  const wireMock = new WireMock(one ?? '');
  await wireMock.register(
    { method: 'POST', endpoint: '/plants' },
    { status: 200, body: { name: 'Stub' } },
  );
  t.deepEqual(await (await send(one ?? '')).json(), { name: 'Stub' });
  t.deepEqual(await (await send(two ?? '')).json(), { name: 'Fern' });
  t.is((await new WireMock(two ?? '').getAllRequests()).length, 1);
  t.deepEqual(await new WireMock(base).getAllMappings(), []);
});

test('wiremock-captain matches requests and moves scenarios', async (t) => {
  const base = await startMock(t);
  const api = new WireMockAPI(base, '/plants', 'POST', {
    requestEndpointFeature: EndpointFeature.UrlPathPattern,
  });
  const step = async (required: string, next: string, name: string): Promise<unknown> =>
    api.register(
      { headers: { 'X-Trace': '^t-\\d+$' } },
      { status: 200, body: { name } },
      {
        scenario: {
          scenarioName: 'growth',
          requiredScenarioState: required,
          newScenarioState: next,
        },
        requestHeaderFeatures: { 'X-Trace': MatchingAttributes.Matches },
      },
    );
  await step('Started', 'Sprout', 'Seed');
  await step('Sprout', 'Sprout', 'Sprout');
  const { headers, ...rest } = createPlant();
  const traced = { ...rest, headers: { ...headers, 'x-trace': 't-1' } };
  const names: unknown[] = [];
  for (const init of [traced, createPlant(), traced, traced]) {
    names.push(await (await fetch(new URL('plants', base), init)).json());
  }
  t.deepEqual(names, [{ name: 'Seed' }, { name: 'Fern' }, { name: 'Sprout' }, { name: 'Sprout' }]);
  t.like(await api.getAllScenarios(), [{ name: 'growth', state: 'Sprout' }]);
  await api.resetAllScenarios();
  t.like(await api.getAllScenarios(), [{ name: 'growth', state: 'Started' }]);
});

test('wiremock-captain breaks connections and delays responses', async (t) => {
  const base = await startMock(t);
  const wireMock = new WireMock(base);
  const request = { method: 'POST', endpoint: '/plants' } as const;
  const answer = { status: 200, body: { name: 'Late' } };
  const late = await wireMock.register(request, answer, {
    responseDelay: { type: DelayType.FIXED, constantDelay: 50 },
  });
  const started = performance.now();
  t.deepEqual(await (await send(base)).json(), { name: 'Late' });
  t.true(performance.now() - started >= 45);
  await wireMock.deleteMapping(late.id);
  await wireMock.register(request, answer, { fault: WireMockFault.EMPTY_RESPONSE });
  await t.throwsAsync(send(base), { message: 'fetch failed' });
});

test('wiremock-captain finds and removes mappings by their metadata', async (t) => {
  const base = await startMock(t);
  const wireMock = new WireMock(base);
  for (const team of ['a', 'b']) {
    await wireMock.register(
      { method: 'POST', endpoint: '/plants', metadata: { team } },
      { status: 200, body: { name: team } },
    );
  }
  const byPath = MatchingAttributes.MatchesJsonPath;
  const found = await wireMock.findMappingByMetadata(
    { expression: '$.team', equalTo: 'a' },
    byPath,
  );
  t.like(found, [{ metadata: { team: 'a' } }]);
  await wireMock.removeMappingByMetadata({ expression: '$.team', equalTo: 'a' }, byPath);
  t.like(await wireMock.getAllMappings(), [{ metadata: { team: 'b' } }]);
});

test('wiremock-captain gets the reason for a refused mapping', async (t) => {
  const base = await startMock(t);
  const wireMock = new WireMock(base);
  const refusal = await wireMock.register({ method: 'GET', endpoint: '/trees' }, { status: 200 });
  t.regex(JSON.stringify(refusal), /"code":10,.*"detail":"the document has no GET on \/trees/);
});

test('wiremock-rest-client reads requests, near misses and scenarios', async (t) => {
  const base = await startMock(t);
  const client = connect(base);
  await client.mappings.createMapping({
    request: { method: 'POST', url: '/plants', bodyPatterns: [{ equalToJson: '{"name":"Oak"}' }] },
    response: { status: 200, jsonBody: { name: 'Oak' } },
    scenarioName: 'growth',
    newScenarioState: 'Tree',
  });
  await send(base);
  await fetch(new URL('plant', base));
  const all = await client.requests.getAllRequests();
  t.is(all.requests.length, 2);
  const [last] = all.requests;
  t.like(await client.requests.getRequest(last.id), { request: { url: '/plant' } });
  t.like(await client.requests.getUnmatchedRequests(), { requests: [{ url: '/plant' }] });
  const misses = await client.requests.getUnmatchedNearMisses();
  t.like(misses, { nearMisses: [{ request: { url: '/plant' } }] });
  t.notRegex(JSON.stringify(misses), /reasons/, 'which strict models do not know');
  const near = await client.requests.getNearMissesByRequest({ url: '/plants', method: 'POST' });
  t.like(near, { nearMisses: [{ stubMapping: { request: { url: '/plants' } } }] });
  const nearest = await client.requests.getNearMissesByRequestPattern({
    url: '/plan',
    method: 'POST',
  });
  t.like(nearest, {
    nearMisses: [{ request: { url: '/plants' } }, { request: { url: '/plant' } }],
  });
  await client.scenarios.setScenarioState('growth', 'Tree');
  t.like(await client.scenarios.getAllScenarios(), { scenarios: [{ state: 'Tree' }] });
  await client.scenarios.resetScenario('growth');
  t.like(await client.scenarios.getAllScenarios(), { scenarios: [{ state: 'Started' }] });
  await client.requests.deleteAllRequests();
  t.like(await client.requests.getAllRequests(), { meta: { total: 0 } });
});

test('wiremock-rest-client sets a global delay', async (t) => {
  const base = await startMock(t);
  const client = connect(base);
  await client.global.updateGlobalSettings({ fixedDelay: 50 });
  const started = performance.now();
  t.is((await send(base)).status, 200);
  t.true(performance.now() - started >= 45);
  await client.global.updateGlobalSettings({ fixedDelay: 0 });
  t.like(await client.mappings.getAllMappings(), { meta: { total: 0 } });
});

test('unsupported features are refused without breaking a WireMock client', async (t) => {
  const base = await startMock(t);
  const client = connect(base);
  for (const refused of [
    await client.mappings.saveAllMappings(),
    await client.global.shutdown(),
    await client.recordings.startRecording({ targetBaseUrl: 'http://localhost' }),
  ]) {
    t.like(refused, { errors: [{ code: 501, title: 'This is not supported' }] });
  }
  t.like(await client.recordings.getRecordingStatus(), { status: 'NeverStarted' });
});

const stub = (response: object) => ({ request: { method: 'GET', urlPath: '/plants' }, response });

const garden = {
  openapi: '3.1.0',
  info: { title: 'Garden', version: '1' },
  paths: {
    '/plants': {
      get: {
        operationId: 'listPlants',
        responses: {
          200: {
            description: 'Plants',
            content: { 'application/json': { schema: { type: 'array' } }, 'image/png': {} },
          },
        },
      },
    },
  },
};

test('a folder of WireMock has stub mappings, and bodies for them and for those of clients', async (t) => {
  const pixels = '\u0001\u0002\u0003';
  const folder = await createFolder(t, {
    'mappings/one.json': JSON.stringify(stub({ status: 200, bodyFileName: 'list.json' })),
    'mappings/more/two.json': JSON.stringify({
      mappings: [{ ...stub({ status: 404 }), priority: 9 }],
    }),
    '__files/list.json': '["Fern"]',
    '__files/fern.png': pixels,
  });
  const mock = await createMock({ document: garden, wiremock: folder });
  t.teardown(() => mock.close());
  const read = async () => (await mock.fetch('/plants')).text();
  const ask = (method: string, path: string, body?: object) =>
    mock.fetch(`/__admin${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  t.is(await read(), '["Fern"]');
  const listed = (await (await ask('GET', '/mappings')).json()) as { mappings: { id: string }[] };
  t.is(listed.mappings.length, 2);
  for (const { id } of listed.mappings) t.regex(id, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  const headers = { 'Content-Type': 'image/png' };
  const picture = stub({ status: 200, headers, bodyFileName: 'fern.png' });
  t.is((await ask('POST', '/mappings', picture)).status, 201);
  t.is(await read(), pixels);
  const missing = await ask('POST', '/mappings', stub({ bodyFileName: '../mappings/one.json' }));
  t.is(missing.status, 422);
  t.regex(await missing.text(), /response.bodyFileName: the file .* cannot be read/);
  await ask('DELETE', '/mappings');
  t.is(await read(), '[]');
  await ask('POST', '/mappings/reset');
  t.is(await read(), '["Fern"]');
  await writeFile(join(folder, '__files/list.json'), '["Ivy"]');
  await mock.reload();
  t.is(await read(), '["Ivy"]');
  t.true([...mock.stamps.keys()].includes(join(folder, '__files')));
});

test('everything wrong with the stub mappings of a folder is named with its file', async (t) => {
  const folder = await createFolder(t, {
    'mappings/a.json': JSON.stringify({ ...stub({ status: 200 }), customMatcher: {}, port: 1 }),
    'mappings/b.json': JSON.stringify(stub({ status: 201 })),
    'mappings/c.json': JSON.stringify(stub({ status: 200, bodyFileName: 'none.json' })),
    'mappings/d.json': '{',
  });
  const error = await t.throwsAsync(createMock({ document: garden, wiremock: folder }));
  for (const complaint of [
    /a\.json:1:1 error: port is unknown/,
    /b\.json:1:1 error: response.status: listPlants does not declare the status 201/,
    /c\.json:1:1 error: response.bodyFileName: the file "none.json" cannot be read/,
    /d\.json:1:2 error/,
  ]) {
    t.regex(error?.message ?? '', complaint);
  }
});
