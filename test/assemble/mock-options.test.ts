import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { createMock, type Log, type MockOptions } from '../../src/index.ts';
import { createFolder, saveFile } from '../support/folder.ts';

const pets = (path = '/pets') => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    [path]: {
      get: {
        operationId: 'listPets',
        responses: {
          200: { description: 'All pets', content: { 'application/json': { example: [] } } },
        },
      },
    },
  },
});

test('an unknown setting is refused with the one that was meant', async (t) => {
  const options: object = { fixure: ['slow-api'] };
  await t.throwsAsync(createMock(options), {
    name: 'UsageError',
    message: 'createMock: there is no setting "fixure"; did you mean "fixture"?',
  });
});

test('a setting with a value that it cannot have is refused', async (t) => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ port: 'http' }, /^createMock: port must be a whole number up to 65535, got "http"$/],
    [{ cors: 'maybe' }, /^createMock: cors must be true or false, got "maybe"$/],
    [{ mode: 'static' }, /^createMock: mode must be one of stateful, example, got "static"$/],
    [{ document: 7 }, /^createMock: document must be a path, a URL or an OpenAPI document$/],
    [{ log: 'loud' }, /^createMock: log must be pretty, json, silent or a Log, got "loud"$/],
  ];
  for (const [options, message] of refused) {
    await t.throwsAsync(createMock(options), { name: 'UsageError', message });
  }
});

test('all clocks cannot stop on a day that does not exist', async (t) => {
  const message = /^frozenAt must be a moment .*, got "2026-02-31T12:00:00Z"$/;
  await t.throwsAsync(createMock({ frozenAt: '2026-02-31T12:00:00Z' }), { message });
});

test('a list of one needs no brackets, and undefined counts as missing', async (t) => {
  const mock = await createMock({ fixture: 'slow-api', document: undefined, token: [] });
  t.deepEqual(
    mock.fixtures.filter(({ isEnabled }) => isEnabled).map(({ name }) => name),
    ['slow-api'],
  );
});

test('a document can be an object that the program has parsed', async (t) => {
  const mock = await createMock({ document: pets() });
  t.is(mock.contract.title, 'Pets');
  t.is((await mock.fetch('/pets')).status, 200);
  const settings: unknown = await (await mock.fetch('/__admin/settings')).json();
  t.like(settings, { settings: { extended: { document: pets() } } });
  await mock.reload();
  t.is((await mock.fetch('/pets')).status, 200);
});

test('a fault of a parsed document names its pointer', async (t) => {
  const paths = { '/a': { get: { responses: { 200: { $ref: '#/components/missing' } } } } };
  const document = { ...pets(), paths };
  await t.throwsAsync(createMock({ document, strict: true }), {
    message: /document-1\.json:1:\d+ error: .*\/paths\/~1a\/get/s,
  });
  const circular: Record<string, unknown> = pets();
  circular['x-self'] = circular;
  await t.throwsAsync(createMock({ document: circular }), {
    message: /^createMock: the document is no JSON: it contains itself; pass it as it was before/,
  });
});

test('a document can be a URL of a file or of the web', async (t) => {
  const folder = await createFolder(t, { 'pets.json': JSON.stringify(pets()) });
  const file = pathToFileURL(join(folder, 'pets.json'));
  const server = createServer((_, response) => response.end(JSON.stringify(pets('/web'))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const mock = await createMock({ document: [file, new URL(`http://127.0.0.1:${port}/a.json`)] });
  t.deepEqual(
    mock.contract.operations.map(({ path }) => path),
    ['/pets', '/web'],
  );
  t.is((await createMock({ document: file.href })).contract.title, 'Pets');
});

test('a mock that watches serves a document that was saved', async (t) => {
  const folder = await createFolder(t, { 'pets.json': JSON.stringify(pets()) });
  const file = join(folder, 'pets.json');
  const events: string[] = [];
  const log: Log = {
    exchange() {},
    info: (event) => events.push(event),
    warn() {},
    error: (event) => events.push(event),
    flush() {},
  };
  const mock = await createMock({ document: file, watch: true, log });
  t.teardown(() => mock.close());
  await saveFile(file, JSON.stringify(pets('/cats')));
  while (events.length === 0) await sleep(20);
  t.deepEqual(events, ['reloaded']);
  t.is((await mock.fetch('/cats')).status, 200);
  await saveFile(file, '{');
  while (events.length === 1) await sleep(20);
  t.deepEqual(events, ['reloaded', 'not reloaded; the mock keeps serving the previous version']);
});

test('a mock without watch keeps what it has read', async (t) => {
  const folder = await createFolder(t, { 'pets.json': JSON.stringify(pets()) });
  const file = join(folder, 'pets.json');
  const mock = await createMock({ document: file });
  await saveFile(file, JSON.stringify(pets('/cats')));
  await sleep(500);
  t.is((await mock.fetch('/cats')).status, 404);
});

test.serial('a mock can log as the command line does', async (t) => {
  const lines: string[] = [];
  const { log } = console;
  t.teardown(() => {
    console.log = log;
  });
  console.log = (text: string) => lines.push(...text.split('\n'));
  const serve = async (options: MockOptions): Promise<string> => {
    const mock = await createMock(options);
    await mock.fetch('/plants', { headers: { authorization: 'Bearer token' } });
    await mock.close();
    return lines.splice(0).join('\n');
  };
  t.regex(await serve({ log: 'pretty' }), /GET \/plants/);
  t.like(JSON.parse(await serve({ log: 'json' })), { event: 'request', target: '/plants' });
  t.is(await serve({ log: 'json', verboseLevel: 'warn' }), '');
  t.is(await serve({ log: 'silent' }), '');
  t.is(await serve({}), '');
});
