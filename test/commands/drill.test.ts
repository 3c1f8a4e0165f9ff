import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createFolder } from '../support/folder.ts';
import { run, startMock } from '../support/program.ts';

const document = `
openapi: 3.1.0
info: { title: Pots, version: "1" }
paths:
  /pots:
    get:
      operationId: listPots
      responses: { "200": { description: Pots }, "404": &error { description: An error }, "503": *error }
    post:
      operationId: addPot
      responses: { "201": { description: A pot }, "503": *error }
`;

/** Reads the pots, with as many attempts as the first argument says. */
const client = `
const { COLDFRAME_URL: url, BAGGAGE: baggage } = process.env;
for (let left = Number(process.argv[2]); ; left--) {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(url + '/pots', { signal }).catch(() => ({ ok: false }));
  if (response.ok) break;
  console.log('no pots', baggage);
  if (left === 1 || response.status === 404) process.exit(7);
}
`;

interface Drilled {
  readonly words?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** Drills with a program of Node, in a folder that has a document and a client. */
async function drill(
  t: ExecutionContext,
  program: readonly string[],
  { words = [], files }: Drilled = {},
) {
  const folder = await createFolder(t, { 'api.yaml': document, 'client.mjs': client, ...files });
  const all = ['drill', 'api.yaml', ...words, '--', process.execPath, ...program];
  return { folder, ...(await run(t, all, { folder, environment: { BAGGAGE: 'a=1' } })) };
}

test('a client that retries survives, and may fail where no retry is right', async (t) => {
  const { code, stdout, stderr } = await drill(t, ['client.mjs', '3'], {
    words: ['--only', 'listPots,addPot', '--only', 'offline,rate-limited'],
  });
  t.like({ code, stderr }, { code: 0, stderr: '' }, stdout);
  for (const row of [
    /^ {2}baseline +passed .* 1 request$/m,
    /^ {2}listPots\.404 +failed .* may fail: 404 is not retried$/m,
    /^ {2}listPots\.503 +passed .* met by 2 of 3 requests$/m,
    /^ {2}offline +failed .* may fail: the failure outlasts every retry$/m,
    /^ {2}rate-limited +passed .* not met/m,
    /^Left out is 1 failure of an operation that the command does not call: addPot$/m,
    /^4 failures: 1 survived, 0 not survived, 2 failed as they may, 1 not met$/m,
  ]) {
    t.regex(stdout, row);
  }
});

test('a client that gives up at once is told so, with its output and how to repeat it', async (t) => {
  const { code, stdout } = await drill(t, ['client.mjs', '1'], { words: ['--only', 'listPots'] });
  t.is(code, 1);
  t.regex(stdout, /^ {2}listPots\.404 +failed .* may fail: 404 is not retried$/m);
  t.regex(
    stdout,
    /^listPots\.503: .*\n {2}The command failed with the exit code 7\. .*\n {4}no pots a=1,mock-session=/m,
  );
  t.regex(stdout, /^ {2}To repeat one, add --only listPots\.503$/m);
});

test('a client that breaks a rule does not survive, although it passes', async (t) => {
  // Without an id, a read that is sent again may be a new one.
  const identified = client.replace('{ signal }', '{ signal, headers: { "x-request-id": "a" } }');
  const files = { 'client.mjs': identified.replace('response.status === 404', 'false') };
  const words = ['--only', 'listPots.404'];
  const { code, stdout } = await drill(t, ['client.mjs', '3'], { words, files });
  t.is(code, 1);
  t.regex(stdout, /^ {2}listPots\.404 +passed +[\d.]+ s +\d +1 /m);
  t.regex(stdout, /^ {2}no-retry-of-client-errors is broken: .*\n {4}#2 GET \/pots repeats #1/m);
});

test('programs read a drill as JSON and as JUnit', async (t) => {
  const words = ['--only', 'listPots', '--out', 'report', '--format'];
  const json = await drill(t, ['client.mjs', '1'], { words: [...words, 'json'] });
  const report = JSON.parse(await readFile(join(json.folder, 'report'), 'utf8'));
  t.like(report, {
    baseline: { name: 'baseline', result: 'passed', requests: 1 },
    failures: [
      { name: 'listPots.404', result: 'failed', code: 7, hits: 1, excuse: '404 is not retried' },
      { name: 'listPots.503', result: 'failed', requests: 1 },
    ],
    bad: 1,
    uncalled: [],
  });
  t.is(json.stdout, '');
  const junit = await drill(t, ['client.mjs', '1'], { words: [...words, 'junit'] });
  const xml = await readFile(join(junit.folder, 'report'), 'utf8');
  t.regex(xml, /tests="3" failures="1"/);
  t.regex(xml, /name="listPots\.503: The first two requests fail\.">\n *<failure type="failed"/);
});

test('an enabled rule of a fixture file is no failure that the command has met', async (t) => {
  const rule = '{ name: slow, answer: { fixedDelayMilliseconds: 1 } }';
  const files = { 'rules.yaml': `rules: [${rule}]` };
  const words = ['--fixtures', 'rules.yaml', '--only', 'rate-limited', '--journal-limit', '0'];
  const { stdout } = await drill(t, ['client.mjs', '3'], { words, files });
  t.regex(stdout, /^ {2}rate-limited +passed .* not met/m);
});

test('a command that fails by itself, or never uses the mock, is not drilled', async (t) => {
  const failing = await drill(t, ['-e', 'console.log("broken"); process.exit(3)']);
  t.is(failing.code, 1);
  t.regex(failing.stderr, /has to pass without a failure first.*exit code 3.*\nbroken\n/);
  const idle = await drill(t, ['-e', '']);
  t.is(idle.code, 1);
  t.regex(idle.stderr, /sent no request to the mock.*COLDFRAME_URL/);
});

test('a command that does not end is ended, with what it has started', async (t) => {
  const files = {
    'parent.mjs': `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const response = await fetch(process.env.COLDFRAME_URL + '/pots');
if (!response.ok) {
  spawn(process.execPath, ['-e', 'setInterval(() => fs.appendFileSync("alive", "."), 50)'], { stdio: 'inherit' });
  process.on('SIGTERM', () => appendFileSync('ended', 'SIGTERM'));
}
`,
  };
  const words = ['--only', 'listPots.503', '--timeout', '3'];
  const { code, stdout, folder } = await drill(t, ['parent.mjs'], { words, files });
  t.is(code, 1);
  t.regex(stdout, /listPots\.503 +timed out/);
  t.is(await readFile(join(folder, 'ended'), 'utf8'), 'SIGTERM');
  const alive = await readFile(join(folder, 'alive'), 'utf8');
  await sleep(200);
  t.is(await readFile(join(folder, 'alive'), 'utf8'), alive);
});

test('a drill uses a running mock, several sessions at once', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': document, 'client.mjs': client });
  const { url } = await startMock(t, ['api.yaml', '--admin-token', 'secret'], { folder });
  const flags = ['--url', url, '--admin-token', 'secret', '--jobs', '2', '--only', 'listPots'];
  const words = ['drill', ...flags, '--', process.execPath, 'client.mjs', '3'];
  const { code, stdout, stderr } = await run(t, words, { folder });
  t.is(code, 0, stdout + stderr);
  t.regex(stdout, /2 failures: 1 survived, 0 not/);
});

const slips: readonly (readonly [words: string, complaint: RegExp])[] = [
  ['drill', /drill needs your command after --/],
  ['drill npm test', /drill needs your command after --/],
  [
    'drill --only creatPlant.400 -- true',
    /no failure "creatPlant\.400"; did you mean createPlant\.400\?/,
  ],
  ['drill --jobs 0 -- true', /--jobs must be a whole number above 0, got "0"/],
  ['drill --format sarif -- true', /drill supports --format text, json or junit/],
  ['drill --format html -- true', /drill supports --format text, json or junit, got "html"/],
  ['drill -- no-such-program', /cannot run no-such-program: .*ENOENT/],
  ['drill --url http://127.0.0.1:1 -- true', /there is no mock at http:\/\/127\.0\.0\.1:1: .*/],
];

for (const [words, complaint] of slips) {
  test(`coldframe ${words} is wrong usage`, async (t) => {
    const { code, stderr } = await run(t, words.split(' '));
    t.is(code, 2, stderr);
    t.regex(stderr, complaint);
  });
}

test('--list shows the failures, and needs no command', async (t) => {
  const { code, stdout } = await run(t, ['drill', '--list', '--only', 'createPlant,flaky']);
  t.is(code, 0);
  t.is(
    stdout,
    '  createPlant.400  The first request fails.\n  flaky            The service is unavailable.\n',
  );
});
