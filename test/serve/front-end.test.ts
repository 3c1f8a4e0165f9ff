import test, { type ExecutionContext } from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import type { MockOptions } from '../../src/assemble/mock-interface.ts';
import { browser, runInPage } from '../support/browser.ts';
import { testWith } from '../support/needs.ts';
import { createPlant } from '../support/plants.ts';

async function listen(t: ExecutionContext, options: MockOptions = {}): Promise<string> {
  const mock = await createMock(options);
  const { url } = await mock.listen({ port: 0 });
  t.teardown(() => void mock.close());
  return url;
}

const testInPage = testWith(browser);

/** The request of a front end: JSON, a token and the browser's credentials, from another origin. */
function createScript(url: string, plant: unknown, ...more: readonly string[]): string {
  return `
    const response = await fetch(${JSON.stringify(`${url}/plants`)}, {
      method: 'POST',
      credentials: 'include',
      headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json', ${more.join(', ')} },
      body: ${JSON.stringify(JSON.stringify(plant))},
    });
    return {
      status: response.status,
      source: response.headers.get('Mock-Source'),
      id: response.headers.get('Mock-Request-Id'),
      body: await response.text(),
    };`;
}

testInPage(
  'a page of another origin creates a plant with credentials and reads the response',
  async (t) => {
    const url = await listen(t);
    const seen = await runInPage(t, createScript(url, { id: 1, name: 'Fern' }));
    t.deepEqual(seen, { status: 200, source: 'state', id: '1', body: '{"name":"Fern"}' });
  },
);

testInPage('a page can read the reason of a refusal', async (t) => {
  const url = await listen(t);
  const seen = await runInPage(t, createScript(url, { id: 'x', name: 'Fern' }));
  t.like(seen, { status: 400, source: 'refusal; problem=INVALID_REQUEST' });
  t.regex(JSON.stringify(seen), /body\/id must be an int64/);
});

testInPage('a page can request an example, a rule and an unknown path', async (t) => {
  const url = await listen(t);
  const preferred = await runInPage(
    t,
    createScript(url, { id: 1, name: 'a' }, "Prefer: 'example=withoutTag'"),
  );
  t.like(preferred, { status: 200, body: '{"name":"Fern"}' });
  const failing = createScript(url, { id: 1, name: 'a' }, "'Mock-Fixture': 'fail-first-two'");
  t.like(await runInPage(t, failing), { status: 400, source: 'fixture; name=fail-first-two' });
  const lost = createScript(url, {}).replace('/plants', '/plans');
  t.like(await runInPage(t, lost), { status: 404, source: 'refusal; problem=PATH_NOT_FOUND' });
});

testInPage('a page of this machine reads and resets the state', async (t) => {
  const url = await listen(t);
  await fetch(`${url}/plants`, createPlant());
  const script = `
    const before = await (await fetch('${url}/__admin/state')).json();
    const reset = await fetch('${url}/__admin/reset', { method: 'POST' });
    const put = await fetch('${url}/__admin/state/plants', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '[{"id":2,"name":"Ivy"}]',
    });
    return { before, reset: reset.status, put: await put.json() };`;
  const seen = await runInPage(t, script);
  t.deepEqual(seen, {
    before: { plants: [{ id: 1, name: 'Fern' }] },
    reset: 204,
    put: [{ id: 2, name: 'Ivy' }],
  });
});

testInPage('with CORS disabled, a page reads nothing', async (t) => {
  const url = await listen(t, { cors: false });
  const seen = await runInPage(t, createScript(url, { id: 1, name: 'Fern' }));
  t.regex(String(seen), /^error: TypeError/);
});

async function assertFields(t: ExecutionContext, url: string): Promise<void> {
  const origin = 'http://localhost:5173';
  const preflight = await fetch(`${url}/plants`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-origin'), origin);
  t.is(preflight.headers.get('access-control-allow-credentials'), 'true');
  t.is(preflight.headers.get('access-control-allow-headers'), 'authorization,content-type');
  t.regex(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
}

test('the CORS fields are those that a browser requires', async (t) => {
  await assertFields(t, await listen(t));
});

test('a foreign page can read responses without the browser’s credentials', async (t) => {
  const url = await listen(t);
  const request = createPlant();
  const headers = { ...request.headers, origin: 'https://example.com' };
  const answer = await fetch(`${url}/plants`, { ...request, headers });
  t.is(answer.headers.get('access-control-allow-origin'), '*');
  t.is(answer.headers.get('access-control-allow-credentials'), null);
  const reset = await fetch(`${url}/__admin/reset`, { method: 'POST', headers });
  t.is(reset.status, 403);
  t.is((await fetch(`${url}/__admin/state`)).status, 200);
});
