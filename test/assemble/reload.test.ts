import { execFileSync } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import { watchFiles } from '../../src/assemble/watch.ts';
import { stampAll } from '../../src/document/read.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { createFolder, saveFile } from '../support/folder.ts';
import { GARDEN } from '../support/garden.ts';
import { installPackage } from '../support/installed.ts';
import { createPlant, documentOf } from '../support/plants.ts';
import { type Running, startCommand, startMock } from '../support/program.ts';

interface Served {
  readonly folder: string;
  readonly url: string;
  readonly running: Running;
}

/** A program that serves `api.yaml` of a folder and watches it. */
async function serve(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Served> {
  const folder = await createFolder(t, files);
  const { running, url } = await startMock(t, ['api.yaml', ...words], { folder });
  return { folder, url, running };
}

async function versionAt(url: string): Promise<string> {
  const response = await fetch(`${url}/version`);
  const { version } = (await response.json()) as { version?: string };
  return version ?? `status ${response.status}`;
}

/**
 * Asks until the version is the wanted one.
 *
 * @param previous the version that may still be served before it: a reload can be over before the
 *   first request
 * @returns all other versions that were served
 */
async function untilVersion(
  url: string,
  wanted: string,
  previous?: string,
): Promise<readonly string[]> {
  const others = new Set<string>();
  for (let round = 0; round < 300; round++) {
    const version = await versionAt(url);
    if (version === wanted) return [...others];
    if (version !== previous) others.add(version);
    await sleep(20);
  }
  throw new Error(`never ${wanted}, but ${[...others].join(', ')}`);
}

test('a saved document is served at once', async (t) => {
  const { folder, url, running } = await serve(t, { 'api.yaml': documentOf('one') });
  t.is(await versionAt(url), 'one');
  await writeFile(join(folder, 'api.yaml'), documentOf('two'));
  t.deepEqual(await untilVersion(url, 'two', 'one'), []);
  t.like(await running.logged('reloaded'), { operations: 1 });
});

test('the log names twenty operations that came or went, and counts the others', async (t) => {
  const { folder, url, running } = await serve(t, { 'api.yaml': documentOf('one') });
  t.is(await versionAt(url), 'one');
  const responses = { 204: { description: 'none' } };
  const more = Array.from({ length: 40 }, (_, index) => [`/more-${index}`, { get: { responses } }]);
  const info = { title: 'More', version: 'two' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(more) };
  await writeFile(join(folder, 'api.yaml'), JSON.stringify(document));
  const { changes, operations } = await running.logged('reloaded');
  t.is(operations, 40);
  t.deepEqual((changes as readonly string[]).slice(18), [
    '+ GET /more-18',
    '+ GET /more-19',
    '… and 21 more',
  ]);
});

test('a save during a reload is loaded too', async (t) => {
  const folder = await createFolder(t, { 'a.txt': 'first' });
  const file = join(folder, 'a.txt');
  const read: string[] = [];
  let stamps = await stampAll([file]);
  const stop = watchFiles(
    () => stamps,
    async () => {
      stamps = await stampAll([file]);
      read.push(await readFile(file, 'utf8'));
      if (read.length === 1) await writeFile(file, 'third');
    },
  );
  t.teardown(stop);
  await sleep(250);
  await writeFile(file, 'second');
  for (let round = 0; round < 200 && read.length < 2; round++) await sleep(20);
  t.deepEqual(read, ['second', 'third']);
});

test('an invalid saved document changes nothing and is logged with file and line', async (t) => {
  const { folder, url, running } = await serve(t, { 'api.yaml': documentOf('one') });
  const file = join(folder, 'api.yaml');
  await saveFile(file, `${documentOf('two')}paths: {}\n`);
  const event = 'not reloaded; the mock keeps serving the previous version';
  const { diagnostics } = await running.logged(event);
  t.like(diagnostics, [{ severity: 'error', file: 'api.yaml', position: { line: 13 } }]);
  t.is(await versionAt(url), 'one');
  await saveFile(file, 'openapi: 3.0.0\n');
  t.like((await running.logged(event, 2))['diagnostics'], [{ position: { line: 1, column: 1 } }]);
  t.is(await versionAt(url), 'one');
  await saveFile(file, documentOf('three'));
  await untilVersion(url, 'three');
  t.is(await versionAt(url), 'three');
});

/**
 * Writes a file as a slow editor does: ten bytes, twenty milliseconds, ten bytes.
 *
 * @returns the longest pause between two pieces: a busy machine makes longer ones
 */
async function writeSlowly(path: string, text: string): Promise<number> {
  const file = await open(path, 'w');
  let last = performance.now();
  let longest = 0;
  for (let at = 0; at < text.length; at += 10) {
    await file.write(text.slice(at, at + 10));
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    await sleep(20);
  }
  await file.close();
  return longest;
}

/** After a longer one a file may be taken to be whole. */
const LONGEST_PAUSE_MILLISECONDS = 150;

test.serial('a document that is written in parts is never served incomplete', async (t) => {
  const post = ['    post:', "      responses: { '204': { description: done } }"];
  const { folder, url } = await serve(t, { 'api.yaml': documentOf('version-0', ...post) });
  for (let round = 1; round <= 5; round++) {
    const written = writeSlowly(join(folder, 'api.yaml'), documentOf(`version-${round}`, ...post));
    const others = await untilVersion(url, `version-${round}`, `version-${round - 1}`);
    const pause = await written;
    t.is((await fetch(`${url}/version`, { method: 'POST' })).status, 204);
    if (pause > LONGEST_PAUSE_MILLISECONDS) continue;
    t.deepEqual(others, []);
    return;
  }
  t.fail('the machine is too busy to write without pauses');
});

test('a document that is replaced by a rename is reloaded, repeatedly', async (t) => {
  const { folder, url } = await serve(t, { 'api.yaml': documentOf('zero') });
  for (const version of ['one', 'two', 'three']) {
    await writeFile(join(folder, 'next.yaml'), documentOf(version));
    await rename(join(folder, 'next.yaml'), join(folder, 'api.yaml'));
    await untilVersion(url, version);
  }
  t.is(await versionAt(url), 'three');
});

test('a deleted document stays served and is reloaded when it reappears', async (t) => {
  const { folder, url, running } = await serve(t, { 'api.yaml': documentOf('one') });
  await rm(join(folder, 'api.yaml'));
  await running.logged('not reloaded; the mock keeps serving the previous version');
  t.is(await versionAt(url), 'one');
  await writeFile(join(folder, 'api.yaml'), documentOf('two'));
  await untilVersion(url, 'two');
});

test('a pipe in place of a document is reported, and ends neither reloading nor the program', async (t) => {
  const files = { 'api.yaml': documentOf('one'), 'rules.yaml': 'rules: []\n' };
  const { folder, url, running } = await serve(t, files, '--fixtures', 'rules.yaml');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const event = 'not reloaded; the mock keeps serving the previous version';
  for (const [count, name, text] of [
    [1, 'api.yaml', documentOf('two')],
    [2, 'rules.yaml', 'rules: []\n'],
  ] as const) {
    await replaceByPipe(folder, name);
    const { diagnostics } = await running.logged(event, count);
    t.regex(JSON.stringify(diagnostics), /it is a pipe, a socket or a device/);
    await saveFile(join(folder, name), text);
    await running.logged('reloaded', count);
  }
  t.is(await versionAt(url), 'two');
  await replaceByPipe(folder, 'api.yaml');
  await running.logged(event, 3);
  t.is((await running.end()).code, 0);
});

/** Replaces a file at once: a mock that looks in between reports a missing file. */
async function replaceByPipe(folder: string, name: string): Promise<void> {
  await symlink('pipe', join(folder, 'link'));
  await rename(join(folder, 'link'), join(folder, name));
}

test('a folder behind a symbolic link is replaced as in Kubernetes', async (t) => {
  const folder = await createFolder(t, {
    'v1/api.yaml': documentOf('one'),
    'v2/api.yaml': documentOf('two'),
  });
  await symlink('v1', join(folder, 'data'));
  await symlink(join('data', 'api.yaml'), join(folder, 'api.yaml'));
  const { url } = await startMock(t, ['api.yaml'], { folder });
  t.is(await versionAt(url), 'one');
  await symlink('v2', join(folder, 'data.new'));
  await rename(join(folder, 'data.new'), join(folder, 'data'));
  t.deepEqual(await untilVersion(url, 'two', 'one'), []);
});

test('a hundred saves in a second end with the last one', async (t) => {
  const { folder, url } = await serve(t, { 'api.yaml': documentOf('first') });
  for (let round = 0; round < 100; round++) {
    await writeFile(join(folder, 'api.yaml'), documentOf(`save-${round}`));
    await sleep(8);
  }
  const others = await untilVersion(url, 'save-99');
  t.true(others.every((version) => /^(?:first|save-\d+)$/.test(version)));
});

function rulesOf(status: number): string {
  return `rules:\n  - name: fails\n    answer: { status: ${status}, offContract: true }\n`;
}

test('a ConfigMap of Kubernetes is a folder of fixture files, and its update is loaded', async (t) => {
  // As the kubelet mounts it: links into a hidden folder, behind a link that an update turns.
  const volume = {
    'api.yaml': documentOf('one'),
    'rules/..one/fails.yaml': rulesOf(418),
    'rules/..one/more/other.yaml': rulesOf(418).replace('fails', 'other'),
    'rules/..two/fails.yaml': rulesOf(599),
    'rules/..two/more/other.yaml': rulesOf(599).replace('fails', 'other'),
    'rules/.draft.yaml': 'rules: [not yet]\n',
  };
  const folder = await createFolder(t, volume);
  const rules = join(folder, 'rules');
  await symlink('..one', join(rules, '..data'));
  for (const name of ['fails.yaml', 'more']) await symlink(`..data/${name}`, join(rules, name));
  await symlink('fails.yaml', join(rules, 'fails-again.yaml'));
  await symlink('.', join(rules, 'circle'));

  const words = ['api.yaml', '--fixtures', 'rules', '--fixtures', 'rules/fails.yaml'];
  const { url } = await startMock(t, words, { folder });
  const list = async (): Promise<string> => {
    const { fixtures } = (await (await fetch(`${url}/__admin/fixtures`)).json()) as {
      fixtures: readonly { readonly name: string }[];
    };
    return fixtures
      .map(({ name }) => name)
      .filter((name) => /fails|other/.test(name))
      .join();
  };
  t.is(await list(), 'fails,other');
  t.is((await fetch(`${url}/version`)).status, 418);

  await symlink('..two', join(rules, '..data.new'));
  await rename(join(rules, '..data.new'), join(rules, '..data'));
  await rm(join(rules, '..one'), { recursive: true });
  for (let round = 0; round < 300; round++) {
    if ((await fetch(`${url}/version`)).status === 599) break;
    await sleep(20);
  }
  t.is((await fetch(`${url}/version`)).status, 599);
  t.is(await list(), 'fails,other');
});

test('a saved fixture file is loaded, an invalid one changes nothing, a new one is found', async (t) => {
  const files = { 'api.yaml': documentOf('one'), 'rules/a.yaml': rulesOf(418) };
  const { folder, url, running } = await serve(t, files, '--fixtures', 'rules');
  const statusAt = async (): Promise<number> => (await fetch(`${url}/version`)).status;
  const until = async (status: number): Promise<void> => {
    for (let round = 0; round < 300 && (await statusAt()) !== status; round++) await sleep(20);
  };
  t.is(await statusAt(), 418);
  await saveFile(join(folder, 'rules/a.yaml'), rulesOf(599));
  await until(599);
  t.is(await statusAt(), 599);
  await saveFile(join(folder, 'rules/a.yaml'), 'rules:\n  - nme: a\n');
  const event = 'not reloaded; the mock keeps serving the previous version';
  t.regex(JSON.stringify(await running.logged(event)), /rules\/a\.yaml.*"line":2/);
  t.is(await statusAt(), 599);
  await saveFile(join(folder, 'rules/a.yaml'), 'rules: []\n');
  await until(200);
  t.is(await statusAt(), 200);
  await mkdir(join(folder, 'rules/more'));
  await saveFile(join(folder, 'rules/more/b.yaml'), rulesOf(598));
  await until(598);
  t.is(await statusAt(), 598);
});

// A folder without a file of its own may get one at any time.
const lateFiles = {
  'a fixture file in a folder that was empty': {
    option: ['--fixtures', 'rules'],
    existing: 'rules/empty/.keep',
    added: 'rules/empty/late.yaml',
    text: rulesOf(598),
  },
  'a fixture file in a folder that had only folders': {
    option: ['--fixtures', 'rules'],
    existing: 'rules/outer/inner/none.yaml',
    added: 'rules/outer/late.yaml',
    text: rulesOf(598),
  },
  'a stub mapping in a folder that was empty': {
    option: ['--wiremock', '.'],
    existing: 'mappings/empty/.keep',
    added: 'mappings/empty/late.json',
    text: '{"request":{"urlPath":"/version"},"response":{"status":598}}',
  },
};

for (const [what, { option, existing, added, text }] of Object.entries(lateFiles)) {
  test(`${what} at the start is loaded`, async (t) => {
    const files = { 'api.yaml': documentOf('one'), [existing]: 'rules: []\n' };
    const { folder, url } = await serve(t, files, ...option);
    const statusAt = async (): Promise<number> => (await fetch(`${url}/version`)).status;
    t.is(await statusAt(), 200);
    await saveFile(join(folder, added), text);
    for (let round = 0; round < 300 && (await statusAt()) !== 598; round++) await sleep(20);
    t.is(await statusAt(), 598);
  });
}

test('a saved body file is loaded, and an invalid one changes nothing', async (t) => {
  const files = {
    'api.yaml': documentOf('one'),
    'rules/a.yaml':
      'rules:\n  - name: told\n    answer: { status: 200, bodyFile: __files/a.json }\n',
    'rules/__files/a.json': '{ "version": "from a file" }',
  };
  const { folder, url, running } = await serve(t, files, '--fixtures', 'rules');
  t.is(await versionAt(url), 'from a file');
  const file = join(folder, 'rules/__files/a.json');
  await saveFile(file, '{ "version": "saved" }');
  t.deepEqual(await untilVersion(url, 'saved', 'from a file'), []);
  await saveFile(file, '{\n  "version": saved }');
  const event = 'not reloaded; the mock keeps serving the previous version';
  t.like(await running.logged(event), {
    diagnostics: [{ file: 'rules/__files/a.json', position: { line: 2, column: 14 } }],
  });
  t.is(await versionAt(url), 'saved');
  await rm(file);
  t.regex(
    JSON.stringify(await running.logged(event, 2)),
    /the file \\"__files\/a\.json\\" cannot be read/,
  );
  t.is(await versionAt(url), 'saved');
  await saveFile(file, '{ "version": "back" }');
  t.deepEqual(await untilVersion(url, 'back', 'saved'), []);
});

test('a body file that appears after its rule is loaded, and so is a new fixture file', async (t) => {
  const files = {
    'api.yaml': documentOf('one'),
    'rules/deep/a.yaml': 'rules: []\n',
  };
  const { folder, url, running } = await serve(t, files, '--fixtures', 'rules');
  const rule = 'rules:\n  - name: told\n    answer: { status: 200, bodyFile: __files/a.json }\n';
  await saveFile(join(folder, 'rules/deep/b.yaml'), rule);
  await running.logged('not reloaded; the mock keeps serving the previous version');
  t.is(await versionAt(url), 'one');
  await mkdir(join(folder, 'rules/deep/__files'));
  await running.logged('not reloaded; the mock keeps serving the previous version', 2);
  await saveFile(join(folder, 'rules/deep/__files/a.json'), '{ "version": "late" }');
  await untilVersion(url, 'late');
  t.is(await versionAt(url), 'late');
});

/** A mock whose fixture file can be written anew, with a session that has added a rule. */
async function serveWithAdded(t: ExecutionContext) {
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one'),
    'rules.yaml': rulesOf(418),
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'rules.yaml')],
  });
  const add = (rule: unknown) =>
    mock.fetch('/__session/with-rules/__admin/fixtures', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rule),
    });
  const statusAt = async (id?: string): Promise<number> => {
    const path = id === undefined ? '/version' : `/__session/${id}/version`;
    return (await mock.fetch(path)).status;
  };
  return { folder, mock, add, statusAt };
}

const added = {
  name: 'mine',
  match: { operationId: 'readVersion' },
  times: 3,
  answer: { status: 420, offContract: true },
};

test('rules that a session has added survive a reload with their counts', async (t) => {
  const { folder, mock, add, statusAt } = await serveWithAdded(t);
  t.is((await add(added)).status, 201);
  t.deepEqual(
    [await statusAt('with-rules'), await statusAt(), await statusAt('other')],
    [420, 418, 418],
  );
  await writeFile(join(folder, 'rules.yaml'), rulesOf(419));
  await mock.reload();
  t.deepEqual(
    [await statusAt('with-rules'), await statusAt(), await statusAt('other')],
    [420, 419, 419],
  );
  t.deepEqual([await statusAt('with-rules'), await statusAt('with-rules')], [420, 419]);
});

test('an invalid fixture file leaves the rules of every session unchanged', async (t) => {
  const { folder, mock, add, statusAt } = await serveWithAdded(t);
  t.is((await add(added)).status, 201);
  for (const broken of ['rules:\n  - nme: a\n', 'rules: [', rulesOf(99), '']) {
    await writeFile(join(folder, 'rules.yaml'), broken);
    await t.throwsAsync(mock.reload(), { name: 'DiagnosticError' });
    t.is(await statusAt(), 418);
  }
  t.is(await statusAt('with-rules'), 420);
});

test('a reload removes only the added rules that the new document does not allow', async (t) => {
  const { folder, mock, add, statusAt } = await serveWithAdded(t);
  const other = { name: 'other', priority: 9, answer: { status: 421, offContract: true } };
  t.is((await add({ rules: [added, other] })).status, 201);
  await writeFile(join(folder, 'rules.yaml'), 'rules: []\n');
  t.is(await statusAt('with-rules'), 420);
  const renamed = documentOf('two').replace('readVersion', 'tellVersion');
  await writeFile(join(folder, 'api.yaml'), renamed);
  await mock.reload();
  t.is(await statusAt('with-rules'), 421);
  t.is(await statusAt(), 200);
});

test('created resources and counts of rules survive a reload', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': await readFile(defaultDocument, 'utf8'),
    'rules.yaml':
      'rules:\n  - name: second-fails\n    after: 1\n    times: 1\n    answer: { status: 400 }\n',
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'rules.yaml')],
    uniqueIds: true,
  });
  t.is((await mock.fetch('/plants', createPlant())).status, 200);
  await mock.reload();
  t.is((await mock.fetch('/plants', createPlant({ id: 2, name: 'b' }))).status, 400);
  await mock.reload();
  t.is((await mock.fetch('/plants', createPlant({ id: 3, name: 'c' }))).status, 200);
  t.is((await mock.fetch('/plants', createPlant())).status, 400, 'the id is taken still');
});

test('what is edited of the plant store acts, at the start and while the mock runs', async (t) => {
  const folder = await createFolder(t, { 'package.json': '{}' });
  await installPackage(folder);
  const installed = join(folder, 'node_modules/coldframe');
  const edit = async (name: string, before: string, after: string): Promise<void> => {
    const file = join(installed, name);
    await saveFile(file, (await readFile(file, 'utf8')).replaceAll(before, after));
  };
  const program = join(installed, 'dist/main.js');
  const startInstalled = () => startCommand(t, process.execPath, [program, '--port', '0']);
  const statusAt = async (url: string, plant = createPlant()): Promise<number> =>
    (await fetch(`${url}/plants`, plant)).status;

  const running = startInstalled();
  const url = await running.url();
  t.is(await statusAt(url), 200);
  await edit('fixtures/plant-store/fail-first-two.yaml', 'enabled: false', 'enabled: true');
  await running.logged('reloaded');
  t.is(await statusAt(url), 400);
  await running.end();

  const anonymous = { ...createPlant(), headers: { 'content-type': 'application/json' } };
  const threeAt = async (url: string) => {
    const [first, second] = [await statusAt(url), await statusAt(url)];
    return [first, second, await statusAt(url, anonymous)];
  };
  const second = startInstalled();
  t.deepEqual(await threeAt(await second.url()), [400, 400, 400]);
  await second.end();

  await edit('spec/plant-store.openapi.yaml', '  - bearerAuth: []', '  - {}');
  t.deepEqual(await threeAt(await startInstalled().url()), [400, 400, 200]);
});

test('--no-watch does not reload', async (t) => {
  const { folder, url } = await serve(t, { 'api.yaml': documentOf('one') }, '--no-watch');
  await writeFile(join(folder, 'api.yaml'), documentOf('two'));
  await sleep(1_000);
  t.is(await versionAt(url), 'one');
});

test('a request during a reload is answered by the version that received it', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one'),
    'rules.yaml': 'rules:\n  - name: slow\n    answer: { fixedDelayMilliseconds: 300 }\n',
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'rules.yaml')],
  });
  const early = mock.fetch('/version');
  await writeFile(join(folder, 'api.yaml'), documentOf('two'));
  await mock.reload();
  t.deepEqual(await (await early).json(), { version: 'one' });
  t.deepEqual(await (await mock.fetch('/version')).json(), { version: 'two' });
});

test('a response stored for an Idempotency-Key is repeated while the document allows it', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': GARDEN });
  const path = join(folder, 'api.yaml');
  const mock = await createMock({ document: path });
  t.teardown(() => mock.close());
  const create = async (): Promise<readonly [number, string | null, string]> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': '"a"' };
    const body = '{"name":"Herbs"}';
    const response = await mock.fetch('/gardens', { method: 'POST', headers, body });
    return [response.status, response.headers.get('mock-source'), await response.text()];
  };
  const serve = async (document: string): Promise<void> => {
    await writeFile(path, document);
    await mock.reload();
  };

  const [status, , first] = await create();
  t.is(status, 201);
  const replayed = [201, 'state; replayed="\\"a\\""', first] as const;
  const notConforming = 'refusal; problem=NOT_CONFORMING';
  for (const [changed, reason] of [
    [GARDEN.replace('readOnly: true', 'readOnly: true, minimum: 9'), /at least 9/],
    [GARDEN.replace('"201"', '"202"'), /the status 201 is not declared/],
    [
      GARDEN.replace('Made, content: { application', 'Made, content: { text'),
      /json is not declared/,
    ],
  ] as const) {
    await serve(changed);
    const [, source, told] = await create();
    t.is(source, notConforming);
    t.regex(told, reason);
    await serve(GARDEN);
    t.deepEqual(await create(), replayed);
  }
});
