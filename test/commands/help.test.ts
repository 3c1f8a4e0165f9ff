import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createFolder } from '../support/folder.ts';
import { run, startMock } from '../support/program.ts';

const names = [
  'mock',
  'check',
  'drill',
  'explain',
  'fixtures',
  'state',
  'types',
  'webhook',
  'health',
];

for (const name of names) {
  test(`coldframe help ${name} and ${name} --help print its usage, flags and two examples`, async (t) => {
    const { code, stdout, stderr } = await run(t, ['help', name]);
    t.like({ code, stderr }, { code: 0, stderr: '' });
    t.regex(stdout, new RegExp(`^Usage:\n  coldframe \\[?${name}\\b`, 'm'));
    const [, examples = ''] = /^Examples:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
    t.is(examples.split('\n').length, 2);
    t.is((await run(t, [name, '--help'])).stdout, stdout);
  });
}

test('a command shows its own flags and not those of the others', async (t) => {
  const { stdout } = await run(t, ['help', 'webhook']);
  t.regex(stdout, /--to <url>/);
  t.notRegex(stdout, /--port |--journal-limit|--format/);
});

test('-h alone prints the help, and -h with an address is the host', async (t) => {
  const { stdout } = await run(t, ['--help']);
  t.like(await run(t, ['-h']), { code: 0, stdout });
  t.like(await run(t, ['help']), { code: 0, stdout });
  t.regex((await run(t, ['-h', '192.0.2.1', '-p', '0'])).stderr, /EADDRNOTAVAIL/);
});

const slips: readonly (readonly [words: string, remedy: RegExp])[] = [
  ['chek api.yaml', /no command and no document "chek"; did you mean coldframe check\?/],
  ['help nothing', /no command "nothing"; coldframe help lists all/],
  ['tpyes', /did you mean coldframe types\?/],
  ['help stat', /did you mean coldframe help state\?/],
  ['--prot 80', /no flag --prot; did you mean --port\?/],
  ['--no-cros', /no flag --no-cros; did you mean --no-cors\?/],
  ['--verbose-levle warn', /did you mean --verbose-level\?/],
];

for (const [words, remedy] of slips) {
  test(`coldframe ${words} names what was probably meant`, async (t) => {
    const { code, stderr } = await run(t, words.split(' '));
    t.is(code, 2);
    t.regex(stderr, remedy);
  });
}

test('a document that is named like a command, but for a letter, is served', async (t) => {
  const folder = await createFolder(t, { chek: '{"openapi": 1}' });
  t.regex((await run(t, ['chek'], { folder })).stderr, /chek:1/);
});

test('--out makes its folder', async (t) => {
  const folder = await createFolder(t);
  t.is((await run(t, ['types', '--out', 'test/made/api.d.ts'], { folder })).code, 0);
  t.regex(await readFile(join(folder, 'test/made/api.d.ts'), 'utf8'), /createPlant/);
});

test('a document without operations says so when it is served', async (t) => {
  const text = '{"openapi": "3.1.0", "info": {"title": "Hooks", "version": "1"}, "webhooks": {}}';
  const folder = await createFolder(t, { 'api.json': text });
  const { running } = await startMock(t, ['api.json'], { folder });
  const { level } = await running.logged(
    'the document declares no operations, so every request is refused with 404',
  );
  t.is(level, 'warn');
});
