import test from 'ava';
import { createFolder } from '../support/folder.ts';
import { program, startCommand } from '../support/program.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const LENGTH = 8 * 1024 * 1024;

/** Bodies within the default limit whose values would take some hundred megabytes, by media type. */
const CROWDED: readonly (readonly [type: string, body: string])[] = [
  ['application/json', `[${fill('{},')}{}]`],
  ['application/xml', `<a>${fill('<b/>')}</a>`],
  ['application/xml', `<a>${fill('b<b c=""/>')}</a>`],
  [FORM, fill('a&')],
  [FORM, fill('a[b][c]&')],
  ['application/x-ndjson', fill('{}\n')],
  ['text/event-stream', fill('id\n\n')],
  [MULTIPART, `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n[${fill('{},')}{}]\r\n--b--`],
];

function fill(part: string): string {
  return part.repeat(Math.floor(LENGTH / part.length));
}

/** A document with an operation for bodies of these media types, for texts, and for no body. */
function documentFor(types: readonly string[]): string {
  const responses = { 204: { description: 'ok' } };
  const taking = (names: readonly string[], type: string | readonly string[]) => {
    const content = names.map((name) => [name.split(';')[0], { schema: { type } }] as const);
    return { post: { requestBody: { content: Object.fromEntries(content) }, responses } };
  };
  const paths = {
    '/bodies': taking(types, ['object', 'array']),
    '/texts': taking(['text/plain'], 'string'),
    '/nothing': { post: { responses } },
  };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
}

test('a body whose values do not fit into a small heap is refused, and the mock lives on', async (t) => {
  const api = documentFor(CROWDED.map(([type]) => type));
  const folder = await createFolder(t, { 'api.json': api });
  const words = ['--max-old-space-size=256', program, 'api.json', '--port', '0', '--no-watch'];
  const running = startCommand(t, process.execPath, words, { folder });
  const url = await running.url();
  const post = (path: string, type: string, body: string): Promise<Response> =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body });
  for (const [type, body] of CROWDED) {
    const response = await post('/bodies', type, body);
    t.is(response.status, 413, type);
    t.regex(await response.text(), /has room for \d+ MB.*--max-old-space-size/, type);
  }
  const values = fill('{},');
  for (const [path, type, body] of [
    ['/__admin/fixtures', 'application/json', `{"rules":[${values}{}]}`],
    ['/__admin/fixtures', 'application/yaml', fill('- \n')],
    ['/__admin/mappings', 'application/json', `{"request":[${values}{}]}`],
  ] as const) {
    t.is((await post(path, type, body)).status, 413, path);
  }
  // A rule that reads bodies reads also those that no operation declares.
  const rule = '{"name":"a","match":{"body":{"x":1}},"answer":{"status":204}}';
  t.is((await post('/__admin/fixtures', 'application/json', rule)).status, 201);
  t.is((await post('/nothing', 'application/json', `[${values}{}]`)).status, 204);
  t.is((await post('/texts', 'text/plain', fill('text '))).status, 204);
  t.is((await running.end()).code, 0);
});
