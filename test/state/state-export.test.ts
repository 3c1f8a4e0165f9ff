import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json/value.ts';
import { Problem } from '../../src/base/problem.ts';
import type { Console, Invocation } from '../../src/commands/console.ts';
import { runState } from '../../src/commands/state.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { UsageError } from '../../src/settings/options.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';
import { GARDEN } from '../support/garden.ts';
import { invocation } from '../support/invocation.ts';
import { exactNumberTexts, safeJsonTexts } from '../support/json-texts.ts';
import { fc } from '../support/properties.ts';
import { shareRedis } from '../support/redis-server.ts';

const redis = shareRedis(test);

/** Things of any form, known by a name of any form, and leaves that each thing has of its own. */
const THINGS = `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        '404': { description: None }
  /things/{id}/leaves:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Leaf' } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Leaf' } } } }
      responses: { '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Leaf' } } } } }
  /me:
    get:
      responses: { '200': { description: Me, content: { application/json: { schema: { $ref: '#/components/schemas/Me' } } } } }
    put:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Me' } } } }
      responses: { '200': { description: Me, content: { application/json: { schema: { $ref: '#/components/schemas/Me' } } } } }
components:
  schemas:
    Thing: { type: object, properties: { id: {}, name: {} } }
    Leaf: { type: object, properties: { color: {} } }
    Me: { type: object, required: [name], properties: { name: {} } }
`;

const YAML = { headers: { accept: 'application/yaml' } };

async function exportOf(mock: Mock): Promise<string> {
  const response = await mock.fetch('/__admin/state', YAML);
  assert.equal(response.status, 200);
  return response.text();
}

/** Any object, its numbers beyond those of a double too. */
const objects = fc
  .oneof(
    safeJsonTexts,
    exactNumberTexts.map((text) => `{"number":${text}}`),
  )
  .map((text) => {
    const value = parseJson(text);
    return isJsonObject(value) ? value : ({ value } as JsonObject);
  });

const ids = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer());
const tricky = fc.constantFrom<JsonObject>(
  { $key: 1, $resource: { a: 1 } },
  { $key: 1 },
  { '<<': { a: 1 }, '? ': '- ' },
  { '': '\u0085\u2028\ufeff\u007f\ud800', '#': ' # ' },
  { null: null, yes: 'no', '1e3': '0x1F', '~': '~' },
);

const states = fc.record({
  things: fc.uniqueArray(
    fc.tuple(ids, fc.oneof(objects, tricky)).map(([id, value]) => ({ ...value, id })),
    { selector: ({ id }) => id, comparator: (a, b) => a === b, maxLength: 6 },
  ),
  // A key may be said once.
  leaves: fc
    .array(fc.oneof(objects, tricky), { maxLength: 4 })
    .map((all) => all.filter((one, index) => !('$resource' in one) || all.indexOf(one) === index)),
  owner: fc.string({ minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text)),
  me: fc.option(objects),
});

test('a mock that starts with an export has the same state, byte for byte', async (t) => {
  const folder = await createFolder(t, { 'things.yaml': THINGS });
  const document = join(folder, 'things.yaml');
  const seed = join(folder, 'seed.yaml');
  const one = await createMock({ document });
  t.teardown(() => one.close());
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(states, async ({ things, leaves, owner, me }) => {
        const body = {
          things: things as unknown as JsonObject[],
          [`things/${encodeURIComponent(owner.replaceAll(/\p{Cs}/gu, '?'))}/leaves`]: leaves,
          ...(me !== null && { me: { ...me, name: 'Ada' } }),
        };
        const put = await one.fetch('/__admin/state', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: stringifyJson(body as unknown as JsonObject),
        });
        assert.equal(put.status, 200, await put.clone().text());
        const text = await exportOf(one);
        await writeFile(seed, text);
        const other = await createMock({ document, fixtures: [seed] });
        try {
          assert.equal(await exportOf(other), text);
          const shown = await (await other.fetch('/__admin/state')).text();
          assert.equal(shown, await put.text());
        } finally {
          await other.close();
        }
      }),
      { numRuns: 60 },
    ),
  );
});

/** A hundred plants that say which state they are of. */
function stateOf(mark: number): JsonObject {
  const plants = [...Array(100).keys()].map((id) => ({ id, name: `of ${mark}` }));
  return { plants, gardens: [{ id: 1, name: `of ${mark}` }] };
}

for (const kind of ['memory', 'file', 'redis'] as const) {
  test(`an export and a read of the whole state are of one moment, in ${kind}`, async (t) => {
    const folder = await createFolder(t, { 'garden.yaml': GARDEN });
    const stores = {
      memory: 'memory',
      file: `file:${join(folder, 'state.db')}`,
      redis: `${redis().url}?namespace=export`,
    };
    const mock = await createMock({ document: join(folder, 'garden.yaml'), store: stores[kind] });
    t.teardown(() => mock.close());
    const put = async (mark: number): Promise<void> => {
      const response = await mock.fetch('/__admin/state', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: stringifyJson(stateOf(mark)),
      });
      t.is(response.status, 200);
      await response.text();
    };
    await put(0);
    const writing = (async () => {
      for (let mark = 1; mark <= 6; mark++) await put(mark);
    })();
    const seen = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const text =
        round % 2 === 0 ? await exportOf(mock) : await (await mock.fetch('/__admin/state')).text();
      const marks = text.match(/of \d+/g) ?? [];
      t.is(marks.length, 101, kind);
      t.is(new Set(marks).size, 1, `${kind}: ${[...new Set(marks)].join()}`);
      seen.add(marks[0] ?? '');
    }
    await writing;
    t.true(seen.size >= 1);
    const { snapshots } = (await (await mock.fetch('/__admin/snapshots')).json()) as {
      readonly snapshots: readonly unknown[];
    };
    t.deepEqual(snapshots, []);
  });
}

/** Returns a mock with more plants than one part of an export has. */
async function createLarge(t: ExecutionContext, store: string, documentFolder: string) {
  const document = join(documentFolder, 'garden.yaml');
  const open = async (): Promise<Mock> => {
    const mock = await createMock({ document, store });
    t.teardown(() => mock.close());
    return mock;
  };
  const mock = await open();
  const plants = Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'Fern' }));
  await mock.session('large').state.add({ plants });
  const response = await mock.fetch('/__session/large/__admin/state', YAML);
  const reader = response.body?.getReader();
  assert(reader !== undefined);
  const first = Buffer.from((await reader.read()).value ?? []).toString();
  const readRest = async (): Promise<string> => {
    let text = first;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += Buffer.from(value).toString();
    }
  };
  return { mock, open, readRest };
}

test('an export of a file is of one moment while others open the file and change it', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const { mock, open, readRest } = await createLarge(t, `file:${folder}/state.db`, folder);
  const other = await open();
  await other.session('large').state.collection('plants').clear();
  await mock.fetch('/__admin/sessions/large', { method: 'DELETE' });
  const exported = await readRest();
  t.is(exported.match(/Fern/g)?.length, 5_000);
});

test('an export that is cut short fails', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const { mock, readRest } = await createLarge(t, `${redis().url}?namespace=short`, folder);
  await mock.fetch('/__admin/sessions/large', { method: 'DELETE' });
  await t.throwsAsync(readRest, { instanceOf: Problem });
});

test('a large state is read in parts or as a file, and refused otherwise', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const many = 100_001;
  const mock = await createMock({ document: join(folder, 'garden.yaml') });
  t.teardown(() => mock.close());
  const { state } = mock.session('default');
  for (let from = 1; from <= many; from += 25_000) {
    const length = Math.min(25_000, many - from + 1);
    const plants = Array.from({ length }, (_, index) => ({ id: from + index, name: 'Fern' }));
    await state.add({ plants });
  }
  for (const path of ['/__admin/state', '/__admin/state/plants']) {
    const response = await mock.fetch(path);
    t.is(response.status, 422);
    t.regex(await response.text(), /problem:TOO_MANY_AT_ONCE.*100001 resources/);
  }
  const part = await mock.fetch('/__admin/state/plants?limit=2&offset=99999');
  t.is(part.headers.get('x-total-count'), String(many));
  t.deepEqual(await part.json(), [
    { id: 100_000, name: 'Fern' },
    { id: 100_001, name: 'Fern' },
  ]);
  t.is((await state.collection('plants').all()).length, many);
  const text = await state.export();
  t.is(text.split('\n').length, many + 5);
  t.true(text.endsWith('    - { "id": 100001, "name": "Fern" }\n'));
});

test('a test reads, puts and removes a singleton', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const mock = await createMock({ document: join(folder, 'garden.yaml') });
  t.teardown(() => mock.close());
  const me = mock.session().state.collection('me');
  t.deepEqual(await me.get(), await (await mock.fetch('/me')).json());
  await me.put('it', { name: 'Ada' });
  t.deepEqual(await me.get(), { name: 'Ada' });
  t.deepEqual(await me.get('it'), { name: 'Ada' });
  await me.clear();
  t.is(await me.get(), undefined);
});

/** Takes what a command writes. */
function createConsole(folder: string) {
  const written: string[] = [];
  const complaints: string[] = [];
  const console: Console = {
    environment: {},
    nodeVersion: '20.19.0',
    folder,
    isTerminal: false,
    hasColor: false,
    write: (text) => void written.push(text),
    writeError: (text) => void complaints.push(text),
    cacheFolder: undefined,
    importFile: () => Promise.resolve({}),
    availableMemory: () => 0,
    openFiles: undefined,
    writeLog: () => {},
    ended: new Promise(() => {}),
    onUncaught: () => {},
    endGroup: () => {},
    exitSoon: () => {},
  };
  return { console, text: () => written.join(''), complaint: () => complaints.join('') };
}

const CALL: Partial<Invocation> = { operands: ['export'] };

const SEED = 'resources: { plants: [{ id: 1, name: Fern }] }';

async function startGarden(t: ExecutionContext) {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN, 'seed.yaml': SEED });
  const document = join(folder, 'garden.yaml');
  const mock = await createMock({ document, emptyState: 'nothing' });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  return { folder, document, mock, url, seed: join(folder, 'seed.yaml') };
}

test('the command exports and imports the state of any session of a running mock', async (t) => {
  const { folder, mock, url, seed } = await startGarden(t);
  const { console, text, complaint } = createConsole(folder);
  const call = { ...CALL, url, session: 'a1' };
  t.is(
    await runState(invocation(defaultSettings, console, { ...call, operands: ['import', seed] })),
    0,
  );
  t.is(await runState(invocation(defaultSettings, console, { ...call, out: 'out.yaml' })), 0);
  const written = await readFile(join(folder, 'out.yaml'), 'utf8');
  t.regex(
    written,
    /^# Resources.*\nresources:\n {2}plants:\n {4}- \{ "id": 1, "name": "Fern" \}\n$/s,
  );
  t.is(await runState(invocation(defaultSettings, console, call)), 0);
  t.is(text(), written);
  t.deepEqual(await mock.session('a1').state.collection('plants').all(), [{ id: 1, name: 'Fern' }]);
  t.deepEqual(await mock.session('a2').state.collection('plants').all(), []);
  t.is(complaint(), '');
});

test('an import replaces resources, or adds them on request', async (t) => {
  const { folder, mock, url, seed } = await startGarden(t);
  const { console } = createConsole(folder);
  const { state } = mock.session('default');
  const call = { ...CALL, url, operands: ['import', seed] };
  await state.seed({ plants: [{ id: 2, name: 'Ivy' }] });
  t.is(await runState(invocation(defaultSettings, console, { ...call, adds: true })), 0);
  t.is((await state.collection('plants').all()).length, 2);
  t.is(await runState(invocation(defaultSettings, console, call)), 0);
  t.deepEqual(await state.collection('plants').all(), [{ id: 1, name: 'Fern' }]);
});

test('an invalid imported file is reported with positions and changes nothing', async (t) => {
  const { folder, mock, url } = await startGarden(t);
  const { console, complaint } = createConsole(folder);
  const file = join(folder, 'wrong.yaml');
  const call = { ...CALL, url, operands: ['import', file] };
  await writeFile(file, 'resources:\n  gardens/1/beds:\n    - { size: 3 }\n    - { size: 99 }\n');
  await t.throwsAsync(runState(invocation(defaultSettings, console, call)), {
    instanceOf: DiagnosticError,
    message: /wrong\.yaml:4:15 error: .*size must be at most 9, got 99/,
  });
  await writeFile(file, 'rules: []\n');
  await t.throwsAsync(runState(invocation(defaultSettings, console, call)), {
    instanceOf: DiagnosticError,
    message: /must have the member "resources"/,
  });
  await writeFile(file, 'resources: { trees: [] }\n');
  t.is(await runState(invocation(defaultSettings, console, call)), 1);
  t.regex(complaint(), /wrong\.yaml: there is no collection "trees", there is gardens/);
  t.is((await (await mock.fetch('/__admin/state')).text()).includes('99'), false);
});

test('a document is exported as a new mock has it, a store as it is', async (t) => {
  const { folder, document, seed } = await startGarden(t);
  const { console, text } = createConsole(folder);
  const settings = { ...defaultSettings, document, store: `file:${join(folder, 'state.db')}` };
  const made = { ...defaultSettings, document, populate: 3 };
  t.is(await runState(invocation(made, console, { ...CALL, hasDocument: true })), 0);
  t.is(text().match(/^ {4}- /gm)?.length, 9);
  t.is(await runState(invocation(settings, console, { ...CALL, operands: ['import', seed] })), 0);
  const again = createConsole(folder);
  t.is(await runState(invocation(settings, again.console, CALL)), 0);
  t.true(again.text().endsWith('    - { "id": 1, "name": "Fern" }\n'), again.text());
});

test('the command reports missing arguments and a missing mock', async (t) => {
  const { folder, seed } = await startGarden(t);
  const { console, complaint } = createConsole(folder);
  const attempt = (call: Partial<Invocation>) =>
    runState(invocation({ ...defaultSettings, port: 9 }, console, { ...CALL, ...call }));
  await t.throwsAsync(attempt({ operands: [] }), {
    instanceOf: UsageError,
    message: /export or/,
  });
  await t.throwsAsync(attempt({ operands: ['import'] }), {
    instanceOf: UsageError,
    message: /a file/,
  });
  await t.throwsAsync(attempt({ url: 'nowhere' }), { instanceOf: UsageError, message: /--url/ });
  await t.throwsAsync(attempt({ operands: ['import', seed], hasDocument: true }), {
    instanceOf: UsageError,
    message: /--url of a running mock/,
  });
  t.is(await attempt({}), 1);
  t.regex(complaint(), /^coldframe: .+\n$/);
});
