import test from 'ava';
import { parseSource } from '../../src/document/source.ts';
import { diagnosticsOf, inBrief } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { documentOf } from '../support/plants.ts';
import { run, startMock } from '../support/program.ts';

/** Texts that nest values by each means of YAML. */
const NESTINGS: readonly ((count: number) => string)[] = [
  (count) => '['.repeat(count),
  (count) => '{a: '.repeat(count),
  (count) => '[{a: '.repeat(count),
  (count) => '[? '.repeat(count),
  (count) => `${'['.repeat(count)}${']: 1'.repeat(count)}`,
  (count) => '- '.repeat(count),
  (count) => '? '.repeat(count),
  (count) => '? - '.repeat(count),
  (count) => '!!seq ['.repeat(count),
  (count) => `a: b: c\n${'['.repeat(count)}`,
  (count) => `a: b: c\n${'- '.repeat(count)}`,
  (count) => `a: b: c\n${'? '.repeat(count)}`,
];

/** Texts whose length alone is a burden. */
const LENGTHS: readonly ((length: number) => string)[] = [
  (length) => `${'a'.repeat(length)}: b: c`,
  (length) => `"${'a'.repeat(length)}`,
  (length) => `a: b: c\nd: |\n${' text\n'.repeat(length / 6)}`,
  (length) => '!!str '.repeat(length / 6),
  (length) => '&a '.repeat(length / 3),
  (length) => ','.repeat(length),
  (length) => ']'.repeat(length),
  (length) => `!${'a'.repeat(length)}`,
];

function nestedAliases(count: number, first: string): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `k${index + 1}: &a${index + 1} [*a${index}]`,
  );
  return `k0: &a0 ${first}\n${lines.join('\n')}\n`;
}

test('YAML that is nested too deep is refused, however long it is', async (t) => {
  for (const nest of NESTINGS) {
    for (const count of [1001, 3000, 100_000]) {
      const [fault] = await diagnosticsOf(() => parseSource('a.yaml', nest(count)));
      t.is(fault?.severity, 'error', nest(20));
    }
  }
});

test('aliases that nest values too deep are refused where that begins', async (t) => {
  for (const [count, faults] of [
    [990, []],
    [1001, ['1001:9 aliases nest values deeper than 1000']],
    [30_000, ['1001:9 aliases nest values deeper than 1000']],
  ] as const) {
    const act = () => parseSource('a.yaml', nestedAliases(count, '[1]'));
    t.deepEqual(inBrief(await diagnosticsOf(act)), faults);
  }
});

test('aliases of a long text count by its length', async (t) => {
  const text = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(1000)}]\n`;
  const faults = inBrief(await diagnosticsOf(() => parseSource('a.yaml', text)));
  t.deepEqual(faults, ['2:2403 aliases repeat more than 5000000 values']);
});

test('a fault in a document of 500 levels has its position', (t) => {
  const { locate } = parseSource('a.yaml', `${'['.repeat(500)}1${']'.repeat(500)}`);
  t.deepEqual(locate('/0'.repeat(500)), { line: 1, column: 501 });
});

test('no YAML that is posted as a fixture ends the mock', async (t) => {
  const { running, url } = await startMock(t);
  for (const length of [1001, 3000, 30_000]) {
    for (const text of [
      ...NESTINGS,
      ...LENGTHS,
      (count: number) => nestedAliases(count / 15, '1'),
    ]) {
      const response = await fetch(`${url}/__admin/fixtures`, {
        method: 'POST',
        headers: { 'content-type': 'application/yaml' },
        body: text(length),
      });
      t.regex(await response.text(), /body/);
      t.true(response.status === 400 || response.status === 422, text(20));
    }
  }
  t.is((await fetch(`${url}/__admin/state`)).status, 200);
  t.is((await running.end()).code, 0);
});

test('a deep file is refused with its line, whatever it is read as', async (t) => {
  const deep = `a: b: c\n${'['.repeat(3000)}`;
  const folder = await createFolder(t, { 'api.yaml': documentOf('one'), 'deep.yaml': deep });
  const commands = [
    ['deep.yaml'],
    ['check', 'deep.yaml'],
    ['api.yaml', '--overlay', 'deep.yaml'],
    ['api.yaml', '--fixtures', 'deep.yaml'],
    ['api.yaml', '--resources', 'deep.yaml'],
    ['--config', 'deep.yaml'],
    ['state', 'import', 'deep.yaml', '--url', 'http://127.0.0.1:1'],
  ];
  await Promise.all(
    commands.map(async (words) => {
      const { code, signal, stdout, stderr } = await run(t, words, { folder });
      t.deepEqual([code, signal], [1, null], words.join(' '));
      t.regex(stdout + stderr, /deep\.yaml:1:\d+/, words.join(' '));
    }),
  );
});
