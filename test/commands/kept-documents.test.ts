import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { openKeptDocuments } from '../../src/commands/kept-documents.ts';
import type { Contract } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { createResources } from '../../src/resources/resources.ts';
import { createFolder } from '../support/folder.ts';
import { changeKept } from '../support/kept-file.ts';
import { startMock } from '../support/program.ts';

/** A document of more than a million characters, with letters of one to four bytes. */
function writeLarge(): string {
  const example = `é€🌱 ${'x'.repeat(10_000)}`;
  const content = { 'application/json': { schema: { type: 'string' }, example } };
  const get = { responses: { 200: { description: 'ok', content } } };
  const paths = Object.fromEntries(
    Array.from({ length: 110 }, (_, index) => [`/plants/${index}/é`, { get }]),
  );
  return JSON.stringify({ openapi: '3.1.0', info: { title: '🌱', version: '1' }, paths });
}

async function createPlace(t: ExecutionContext, text = writeLarge(), name = 'api.json') {
  const folder = await createFolder(t, { [name]: text });
  const cache = join(folder, 'cache');
  const outlines = join(cache, 'coldframe/outlines');
  /** Reads the document as the program does at its start, or as the check of it does. */
  const read = async (isCheck = false, document = name) => {
    const documents = openKeptDocuments(cache, isCheck);
    const loaded = await loadContract({ document: join(folder, document) }, documents);
    await documents?.keepFound();
    return loaded;
  };
  return { folder, cache, outlines, read };
}

/** Waits until a start has kept a file in a folder, and returns its path. */
async function keptFile(folder: string): Promise<string> {
  for (;;) {
    const [name] = await readdir(folder).catch(() => []);
    if (name?.endsWith('.tmp') === false) return join(folder, name);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('the outline of a large document is kept, and the next start reads the same with it', async (t) => {
  const { outlines, read } = await createPlace(t);
  const before = (await read()).contract;
  const kept = await keptFile(outlines);
  const after = (await read()).contract;
  t.is(after.title, '🌱');
  t.deepEqual(after.operations, before.operations);
  t.deepEqual(after.document.root, before.document.root);
  // The outline in the file is what the start takes.
  await changeKept(kept, (text) => {
    const outline = JSON.parse(text);
    return JSON.stringify({ ...outline, json: { ...outline.json, parts: [] } });
  });
  await t.throwsAsync(() => read());
});

test('operations that are kept are the same, also behind references and below servers', async (t) => {
  const { paths, ...document } = JSON.parse(writeLarge()) as Record<string, object>;
  const named = { operationId: 'listPots', summary: 'Lists the pots', responses: {} };
  const mixed = {
    ...document,
    openapi: '3.2.0',
    paths: {
      ...paths,
      '/pots': { get: named, post: { operationId: '', summary: 7 } },
      '/shared': { $ref: '#/components/pathItems/Shared', delete: { responses: {} } },
      '/below': { servers: [{ url: '/v2' }], get: { servers: [{ url: '/v3' }], responses: {} } },
      '/copied': { additionalOperations: { COPY: { responses: {} } } },
      '/elsewhere': { get: { $ref: '#/paths/~1pots/get' }, put: null },
      '/missing': { $ref: '#/components/pathItems/Missing' },
    },
    components: { pathItems: { Shared: { put: { summary: 'Shared', responses: {} } } } },
  };
  const { outlines, read } = await createPlace(t, JSON.stringify(mixed));
  const before = (await read()).contract;
  const kept = await keptFile(outlines);
  const after = (await read()).contract;
  t.deepEqual(
    after.operations.slice(110).map(({ id, summary, pointer }) => [id, summary, pointer]),
    [
      ['listPots', 'Lists the pots', '/paths/~1pots/get'],
      ['POST /pots', undefined, '/paths/~1pots/post'],
      ['DELETE /shared', undefined, '/paths/~1shared/delete'],
      ['PUT /shared', 'Shared', '/components/pathItems/Shared/put'],
      ['GET /below', undefined, '/paths/~1below/get'],
      ['COPY /copied', undefined, '/paths/~1copied/additionalOperations/COPY'],
      ['listPots', 'Lists the pots', '/paths/~1pots/get'],
      ['PUT /elsewhere', undefined, '/paths/~1elsewhere/put'],
    ],
  );
  t.deepEqual(after.operations, before.operations);
  t.deepEqual(after.faults, before.faults);
  t.is(after.faults.length, 1);
  for (const base of ['', '/v2', '/v3']) t.truthy(after.route(`${base}/pots`, 'GET'));
  t.is(after.route('/v4/pots', 'GET'), undefined);
  // The operations in the file are what the start takes.
  await changeKept(kept, (text) => text.replace('"Lists the pots"', '"Lists all pots"'));
  t.is((await read()).contract.operations[110]?.summary, 'Lists all pots');
});

test('a large document is served as an overlay changes it, also at the next start', async (t) => {
  const { folder, outlines } = await createPlace(t);
  const update = { '/plants': { get: { operationId: 'added', responses: {} } } };
  const actions = [
    { target: '$.paths', update },
    { target: "$.paths['/plants/3/é']", remove: true },
  ];
  const overlay = join(folder, 'overlay.json');
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: {}, actions }));
  const document = join(folder, 'api.json');
  const kept = openKeptDocuments(join(folder, 'cache'));
  for (const _ of ['first', 'next']) {
    const { contract } = await loadContract({ document, overlay: [overlay] }, kept);
    t.is(contract.operations.length, 110);
    t.is(contract.route('/plants', 'GET')?.methods.get('GET')?.id, 'added');
    t.is(contract.route('/plants/3/%C3%A9', 'GET'), undefined);
    await kept?.keepFound();
    await keptFile(outlines);
  }
});

test('a large document in Swagger 2.0 is the same at the next start', async (t) => {
  const { openapi: _, ...document } = JSON.parse(writeLarge());
  // This version has no operations for TRACE.
  const trace = { responses: {} };
  document.paths['/pots'] = { get: { operationId: 'listPots', responses: {} }, trace };
  const swagger = JSON.stringify({ swagger: '2.0', ...document, basePath: '/v2' });
  const { outlines, read } = await createPlace(t, swagger);
  const before = (await read()).contract;
  await keptFile(outlines);
  const after = (await read()).contract;
  t.deepEqual(after.operations, before.operations);
  const { methods } = after.route('/v2/pots', 'GET') ?? {};
  t.deepEqual([...(methods?.keys() ?? [])], ['GET']);
});

/** A large document with plants that are created and read. */
function writePlants(changes: object = {}): string {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'ok', content } };
  const document = JSON.parse(writeLarge());
  Object.assign(document.paths, {
    '/plants': { post: { operationId: 'createPlant', requestBody: { content }, responses } },
    '/plants/{id}': { get: { operationId: 'getPlant', responses }, ...changes },
  });
  return JSON.stringify(document);
}

function meaningOf(contract: Contract, id = 'getPlant', resources = createResources(contract)) {
  const operation = contract.operation(id);
  return operation && resources.meaningOf(operation);
}

test('what operations mean is kept when all is inferred, and the next start reads it', async (t) => {
  const { cache, read } = await createPlace(t, writePlants());
  const first = (await read()).contract;
  const resources = createResources(first);
  while (resources.inferNext());
  const kept = await keptFile(join(cache, 'coldframe/meanings'));
  const next = (await read()).contract;
  const restored = createResources(next);
  t.false(restored.inferNext());
  t.is(meaningOf(next, 'getPlant', restored)?.type.name, 'plants');
  t.is(meaningOf(next, 'createPlant', restored)?.kind, 'create');
  t.is(meaningOf(next, 'GET /plants/7/é', restored), undefined);
  t.deepEqual(
    restored.explain().map(({ reason }) => reason),
    resources.explain().map(({ reason }) => reason),
  );
  // The meanings in the file are what the start takes.
  await changeKept(kept, (text) => text.replaceAll('"name":"plants"', '"name":"sprouts"'));
  t.is(meaningOf((await read()).contract)?.type.name, 'sprouts');
});

test('kept meanings are not those of a document with an overlay, or beside another', async (t) => {
  const { folder, cache, read } = await createPlace(t, writePlants());
  const resources = createResources((await read()).contract);
  while (resources.inferNext());
  const kept = await keptFile(join(cache, 'coldframe/meanings'));
  await changeKept(kept, (text) => text.replaceAll('"name":"plants"', '"name":"sprouts"'));
  t.is(meaningOf((await read()).contract)?.type.name, 'sprouts');
  const document = join(folder, 'api.json');
  const documents = openKeptDocuments(cache);
  const action = { target: '$.info', update: { title: 'Another' } };
  const overlay = join(folder, 'overlay.json');
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: {}, actions: [action] }));
  const changed = await loadContract({ document, overlay: [overlay] }, documents);
  t.is(meaningOf(changed.contract)?.type.name, 'plants');
  const twice = await loadContract({ document: [`/a=${document}`, `/b=${document}`] }, documents);
  t.not(meaningOf(twice.contract)?.type.name, 'sprouts');
});

test('meanings are kept of a document without references to files, whatever its texts look like', async (t) => {
  const get = { responses: { 200: { description: "$ref: 'other.json'" } } };
  const { cache, read } = await createPlace(t, writePlants({ parameters: [], put: get }));
  const { contract } = await read();
  const resources = createResources(contract);
  while (resources.inferNext());
  t.regex(await keptFile(join(cache, 'coldframe/meanings')), /[0-9a-f]{64}$/);
});

for (const exists of [true, false]) {
  test(`meanings are not kept of a document that refers to a file which ${exists ? 'exists' : 'is missing'}`, async (t) => {
    const put = { responses: { 200: { $ref: './other.json#/ok' } } };
    const { folder, cache, read } = await createPlace(t, writePlants({ put }));
    if (exists) await writeFile(join(folder, 'other.json'), '{"ok":{"description":"ok"}}');
    const resources = createResources((await read()).contract);
    while (resources.inferNext());
    await t.throwsAsync(access(join(cache, 'coldframe/meanings')), { code: 'ENOENT' });
  });
}

test('meanings are not kept of a document that overrides some', async (t) => {
  const operation = { responses: {}, 'x-coldframe': { does: 'nothing' } };
  const { cache, read } = await createPlace(t, writePlants({ delete: operation }));
  const { contract } = await read();
  const resources = createResources(contract);
  while (resources.inferNext());
  t.is(meaningOf(contract, 'DELETE /plants/{id}', resources), undefined);
  await t.throwsAsync(access(join(cache, 'coldframe/meanings')), { code: 'ENOENT' });
});

const DAMAGE: readonly (readonly [what: string, damage: (file: Buffer) => Buffer])[] = [
  ['empty', () => Buffer.alloc(0)],
  ['another JSON value', () => Buffer.from('{}')],
  ['half of it', (file) => file.subarray(0, file.length / 2)],
  ['zeros', (file) => Buffer.alloc(file.length)],
  ['changed in one byte', (file) => file.fill('7', file.length >> 1, (file.length >> 1) + 1)],
];

for (const [what, damage] of DAMAGE) {
  test(`a start serves the same where all that is kept is ${what}, and keeps it again`, async (t) => {
    const { cache, read } = await createPlace(t, writePlants());
    const start = async () => {
      const { contract } = await read();
      const resources = createResources(contract);
      while (resources.inferNext());
      return { contract, resources };
    };
    const before = await start();
    const kinds = ['outlines', 'meanings'].map((kind) => join(cache, 'coldframe', kind));
    const kept = await Promise.all(kinds.map(keptFile));
    const whole = await Promise.all(kept.map((file) => readFile(file)));
    for (const file of kept) await writeFile(file, damage(await readFile(file)));
    const after = await start();
    t.deepEqual(after.contract.operations, before.contract.operations);
    t.is(meaningOf(after.contract, 'getPlant', after.resources)?.type.name, 'plants');
    for (const [index, file] of kept.entries()) {
      while (!whole[index]?.equals(await readFile(file))) await new Promise(setImmediate);
    }
    t.pass();
  });

  test(`a large YAML document is parsed where its kept value is ${what}`, async (t) => {
    const { cache, read } = await createPlace(t, writeLargeYaml(), 'api.yaml');
    const first = (await read()).contract;
    await read(true);
    const kept = await keptFile(join(cache, 'coldframe/values'));
    await writeFile(kept, damage(await readFile(kept)));
    t.deepEqual((await read()).contract.operations, first.operations);
  });
}

test('what is kept of one document is not taken for another', async (t) => {
  const { folder, outlines, read } = await createPlace(t);
  await writeFile(join(folder, 'other.json'), writePlants());
  await read();
  const kept = await keptFile(outlines);
  const content = await readFile(kept);
  const { operations } = (await read(false, 'other.json')).contract;
  let names: string[] = [];
  while (names.length < 2) names = (await readdir(outlines)).filter((one) => !/tmp$/.test(one));
  for (const name of names) await writeFile(join(outlines, name), content);
  t.deepEqual((await read(false, 'other.json')).contract.operations, operations);
});

test('an outline that cannot be read is found again, and that of a changed document, too', async (t) => {
  const { folder, outlines, read } = await createPlace(t);
  await read();
  await writeFile(await keptFile(outlines), '{"json":');
  t.is((await read()).contract.operations.length, 110);
  await writeFile(join(folder, 'api.json'), writeLarge().replace('"title":"', '"title":"new '));
  t.is((await read()).contract.title, 'new 🌱');
});

test('a large document with a fault is refused at each start, and has no outline', async (t) => {
  const { outlines, read } = await createPlace(t, `${writeLarge().slice(0, -1)},`);
  for (const _ of ['first', 'second']) {
    await t.throwsAsync(() => read(), { message: /expected a key in double quotes, got the end/ });
  }
  await t.throwsAsync(access(outlines), { code: 'ENOENT' });
});

/**
 * A YAML document of more than a million characters, with numbers that no double holds. With aliases,
 * it is parsed as a whole.
 */
function writeLargeYaml(hasAliases = false): string {
  const long = `é€🌱 ${'x'.repeat(10_000)}`;
  const paths = Array.from({ length: 110 }, (_, index) => {
    const [anchor, alias] = hasAliases ? [`&long${index}`, `*long${index}`] : ['', '2'];
    return `  /plants/${index}/é:
    get:
      responses:
        '200':
          description: ${anchor} ${long}
          content:
            application/json:
              schema: { type: object, const: { "__proto__": 1, "1": ${alias}, "0": 12345678901234567890.10 } }
`;
  });
  return `openapi: 3.1.0\ninfo: { title: 🌱, version: 1.0 }\npaths:\n${paths.join('')}`;
}

for (const hasAliases of [true, false]) {
  const by = hasAliases ? 'the check of one with aliases' : 'its start';
  const text = writeLargeYaml(hasAliases);

  test(`the value of a large YAML document is kept by ${by}, and is the same`, async (t) => {
    const { folder, cache, outlines, read } = await createPlace(t, text, 'api.yaml');
    const first = (await read()).contract;
    if (hasAliases) {
      await t.throwsAsync(access(outlines), { code: 'ENOENT' });
      await read(true);
    }
    const second = (await read()).contract;
    t.deepEqual(second.operations, first.operations);
    t.is(stringifyJson(second.document.root), stringifyJson(first.document.root));
    const { pointer } = first.operations[7] as Operation;
    t.deepEqual(second.document.whereIs(pointer), first.document.whereIs(pointer));
    // The value in the file is what the start takes.
    const values = join(cache, 'coldframe/values');
    const [name = ''] = await readdir(values);
    await changeKept(join(values, name), (kept) => kept.replace('"title":"🌱"', '"title":"🌲"'));
    t.is((await read()).contract.title, '🌲');
    // The same text as JSON is another document.
    await writeFile(join(folder, 'api.json'), text);
    await t.throwsAsync(() => read(false, 'api.json'), { message: /expected a value, got "o"/ });
    await rm(values, { recursive: true });
    t.is((await read()).contract.title, '🌱');
  });

  test(`a mock keeps the value of a large YAML document by ${by}, and the next one serves it`, async (t) => {
    const { folder, cache } = await createPlace(t, text, 'api.yaml');
    const environment = { XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
    const target = '/plants/7/%C3%A9';
    const first = await startMock(t, ['api.yaml'], { folder, environment });
    const answer = await (await fetch(first.url + target)).text();
    t.regex(answer, /12345678901234567890\.10/);
    await keptFile(join(cache, 'coldframe/values'));
    await first.running.end();
    const second = await startMock(t, ['api.yaml'], { folder, environment });
    t.is(await (await fetch(second.url + target)).text(), answer);
  });
}

test('a mock keeps the value of a large YAML document again when it is gone', async (t) => {
  const { folder, cache } = await createPlace(t, writeLargeYaml(true), 'api.yaml');
  const environment = { XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
  const values = join(cache, 'coldframe/values');
  const first = await startMock(t, ['api.yaml'], { folder, environment });
  await keptFile(join(cache, 'coldframe/checks'));
  await first.running.end();
  await rm(values, { recursive: true });
  await startMock(t, ['api.yaml'], { folder, environment });
  t.truthy(await keptFile(values));
});

test('a mock keeps the outline of a large document, unless --no-cache is given', async (t) => {
  const { folder, cache, outlines } = await createPlace(t);
  const environment = { XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
  const { running } = await startMock(t, ['api.json', '--no-cache'], { folder, environment });
  await running.end();
  await t.throwsAsync(access(outlines), { code: 'ENOENT' });
  await startMock(t, ['api.json'], { folder, environment });
  t.regex(await keptFile(outlines), /[0-9a-f]{64}$/);
  const second = await startMock(t, ['api.json'], { folder, environment });
  const response = await fetch(`${second.url}/plants/7/%C3%A9`);
  t.regex(String(await response.json()), /^é€🌱 x/);
});
