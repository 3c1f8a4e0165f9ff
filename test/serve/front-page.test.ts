import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { createMock, type MockOptions } from '../../src/index.ts';
import { browser } from '../support/browser.ts';
import { findProgram, testWith } from '../support/needs.ts';

const run = promisify(execFile);
const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Cats & <script>alert(1)</script>', version: '"1"' },
  paths: {
    '/cats/{name}': {
      get: {
        summary: '<img src=x onerror=alert(1)>',
        parameters: [{ ...name, example: `O'Malley <b>` }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

async function listen(t: ExecutionContext, options: MockOptions): Promise<string> {
  const mock = await createMock({ ...options, port: 0 });
  t.teardown(() => mock.close());
  return (await mock.listen()).url;
}

test('a browser that opens the mock sees what runs here', async (t) => {
  const url = await listen(t, { document });
  const response = await fetch(url, html);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(response.headers.get('mock-source'), 'front-page');
  const page = await response.text();
  t.regex(page, /<code><b>GET<\/b> \/cats\/\{name\}<\/code>/);
  for (const path of ['openapi.yaml', 'openapi.json', 'state?shown=true', 'journal', 'settings']) {
    t.true(page.includes(`href="${url}/__admin/${path}"`), path);
    t.is((await fetch(`${url}/__admin/${path}`)).status, 200, path);
  }
});

test('the page escapes what the document says, and has no script', async (t) => {
  const page = await (await fetch(await listen(t, { document }), html)).text();
  t.notRegex(page, /<script|<img|<b>(?!GET)/);
  t.regex(page, /Cats &#38; &#60;script&#62;/);
});

testWith(findProgram('curl'))('the commands on the page are accepted', async (t) => {
  const page = await (await fetch(await listen(t, { document }), html)).text();
  const [, escaped = ''] = /<pre>(.*?)<\/pre>/s.exec(page) ?? [];
  const command = escaped.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  t.regex((await run('sh', ['-c', command])).stdout, /^HTTP\/1\.1 200 /);
});

test('other clients still get a refusal, and the page is in no journal', async (t) => {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  t.is((await mock.fetch('/', html)).status, 200);
  t.is((await mock.fetch('/')).status, 404);
  t.is((await mock.fetch('/', { ...html, method: 'POST' })).status, 404);
  t.is((await mock.fetch('/cats', html)).status, 404);
  t.is((await mock.session('default').journal.list()).length, 3);
});

test('a document with a path / responds itself', async (t) => {
  const paths = { '/': { get: { responses: { 204: { description: 'ok' } } } } };
  const mock = await createMock({ document: { ...document, paths } });
  t.teardown(() => mock.close());
  t.is((await mock.fetch('/', html)).status, 204);
});

test('without a control API, the page has no links to it', async (t) => {
  const mock = await createMock({ document, admin: false });
  t.teardown(() => mock.close());
  t.notRegex(await (await mock.fetch('/', html)).text(), /__admin/);
  t.is(await (await mock.fetch('/', { ...html, method: 'HEAD' })).text(), '');
});

testWith(browser)('a browser shows the page', async (t) => {
  const url = await listen(t, { document });
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const { stdout } = await run(browser ?? '', [...flags, '--dump-dom', url]);
  t.regex(stdout, /<h1>Cats &amp; &lt;script&gt;alert\(1\)&lt;\/script&gt; "1"<\/h1>/);
  t.regex(stdout, /<li><code><b>GET<\/b>/);
});
