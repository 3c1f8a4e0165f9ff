import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { load } from '../../src/assemble/load.ts';
import { silentLog } from '../../src/events/log.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { defaultDocument, profileFixtures } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';
import { createStillClock } from '../support/still-clock.ts';

/** Nothing of it can say that it failed. */
const CAREFREE = `
openapi: 3.1.0
info: { title: Carefree, version: '1' }
paths:
  /beds:
    get:
      responses: { '200': { description: All, content: { text/plain: { example: beds } } } }
`;

/** It says of everything what went wrong. */
const CAREFUL = `
openapi: 3.1.0
info: { title: Careful, version: '1' }
paths:
  /beds:
    get:
      responses:
        '200': { description: All, content: { text/plain: { example: beds } } }
        '429': { description: Wait, content: { text/plain: { example: wait } } }
        '503': { description: Down, content: { text/plain: { example: down } } }
`;

async function profileNames(): Promise<readonly string[]> {
  const files = await readdir(profileFixtures);
  return files.map((file) => basename(file, '.yaml')).sort();
}

async function documentOf(t: ExecutionContext, text: string): Promise<string> {
  return join(await createFolder(t, { 'document.yaml': text }), 'document.yaml');
}

test('every document has all profiles, disabled', async (t) => {
  const names = await profileNames();
  t.true(names.length >= 6);
  for (const document of [
    defaultDocument,
    await documentOf(t, CAREFREE),
    await documentOf(t, CAREFUL),
  ]) {
    const { fixtures } = await load({ document, fixtures: [], fixture: [] });
    const rules = fixtures.profiles;
    t.deepEqual([...new Set(rules.map(({ name }) => name.split('.')[0] ?? ''))].sort(), names);
    t.true(rules.every(({ isEnabled, description }) => !isEnabled && description !== undefined));
  }
});

test('the rules of a profile have its name, alone or with a suffix', async (t) => {
  const { fixtures } = await load({ document: defaultDocument, fixtures: [], fixture: [] });
  for (const { name, origin } of fixtures.profiles) {
    t.is(basename(origin.file, '.yaml'), name.split('.')[0] ?? '');
  }
  const names = new Set(fixtures.profiles.map(({ name }) => name));
  for (const profile of await profileNames()) t.true(names.has(profile), profile);
});

test('the documentation lists exactly the existing profiles', async (t) => {
  const manual = await readFile(new URL('../../docs/reference/rules.md', import.meta.url), 'utf8');
  const [, chapter = ''] = /\n## Profiles\n([\s\S]*?)\n## /.exec(manual) ?? [];
  const rows = [...chapter.matchAll(/^\| `([a-z0-9-]+)`/gm)].map(([, name]) => name);
  t.deepEqual(rows.sort(), [...(await profileNames())]);
});

test('a profile is enabled with all of its rules', async (t) => {
  const { fixtures } = await load({
    document: defaultDocument,
    fixtures: [],
    fixture: ['overloaded'],
  });
  const on = fixtures.rules.filter(({ isEnabled }) => isEnabled).map(({ name }) => name);
  t.deepEqual(on.sort(), ['overloaded', 'overloaded.connection', 'overloaded.slow']);
});

test('a rule of a file replaces the profile of its name', async (t) => {
  const folder = await createFolder(t, {
    'own.yaml': 'rules:\n  - name: flaky\n    answer: { fixedDelayMilliseconds: 1 }\n',
  });
  const { fixtures } = await load({
    document: defaultDocument,
    fixtures: [folder],
    fixture: ['flaky'],
  });
  const all = [...fixtures.rules, ...fixtures.profiles].map(({ name }) => name);
  t.deepEqual(
    all.filter((name) => name.startsWith('flaky')),
    ['flaky'],
  );
});

async function start(t: ExecutionContext, text: string, profile: string): Promise<Mock> {
  const document = await documentOf(t, text);
  const mock = await createMock({ document, fixture: [profile], clock: createStillClock() });
  t.teardown(() => mock.close());
  return mock;
}

/** @returns the status of each answer, 0 for a connection that broke */
async function statusesOf(mock: Mock, requests: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let request = 0; request < requests; request++) {
    try {
      const response = await mock.fetch('http://mock/beds');
      await response.text();
      statuses.push(response.status);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      statuses.push(0);
    }
  }
  return statuses;
}

function countOf(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length;
}

test('maintenance: every request fails with 503', async (t) => {
  t.deepEqual(await statusesOf(await start(t, CAREFUL, 'maintenance'), 3), [503, 503, 503]);
  t.deepEqual(await statusesOf(await start(t, CAREFREE, 'maintenance'), 3), [503, 503, 503]);
});

test('the log says once that an operation does not declare a failure', async (t) => {
  const lines: unknown[] = [];
  const log = { ...silentLog, info: (...line: unknown[]) => lines.push(line) };
  const document = await documentOf(t, CAREFREE);
  const mock = await createMock({ document, fixture: ['maintenance'], log });
  t.teardown(() => mock.close());
  await statusesOf(mock, 3);
  const details = { operation: 'GET /beds', status: 503, fixture: 'maintenance' };
  t.deepEqual(lines, [['undeclared-failure', details]]);
});

test('offline: no request gets a response', async (t) => {
  t.deepEqual(await statusesOf(await start(t, CAREFUL, 'offline'), 3), [0, 0, 0]);
});

test('rate-limited: the eleventh request at once is refused', async (t) => {
  const statuses = await statusesOf(await start(t, CAREFUL, 'rate-limited'), 12);
  t.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429]);
});

test('flaky: some requests fail, and most do not', async (t) => {
  const careful = await statusesOf(await start(t, CAREFUL, 'flaky'), 300);
  t.true(countOf(careful, 503) > 10 && countOf(careful, 0) > 3 && countOf(careful, 200) > 200);
  const carefree = await statusesOf(await start(t, CAREFREE, 'flaky'), 300);
  t.deepEqual(carefree, careful);
});

for (const profile of ['slow-api', 'mobile-3g', 'mobile-edge']) {
  test(`${profile}: a response takes time`, async (t) => {
    const clock = createStillClock();
    const document = await documentOf(t, CAREFUL);
    const mock = await createMock({ document, fixture: [profile], clock });
    t.teardown(() => mock.close());
    t.deepEqual(
      await statusesOf(mock, 10),
      Array.from({ length: 10 }, () => 200),
    );
    t.true(clock.slept > 1000, `${clock.slept} ms`);
  });
}
