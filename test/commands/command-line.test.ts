import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import { describeStart } from '../../src/commands/welcome.ts';
import { readCommandLine } from '../../src/settings/command-line.ts';
import {
  options,
  readEnvironment,
  UsageError,
  variableOf,
  warnOfVariables,
} from '../../src/settings/options.ts';
import { untilCalled } from '../support/calls.ts';
import { createFolder } from '../support/folder.ts';
import { findProgram, testWith } from '../support/needs.ts';
import { createPlant, documentOf } from '../support/plants.ts';
import { program, run, start, startCommand, startMock } from '../support/program.ts';

test('--help lists commands, every flag, variables and examples', async (t) => {
  const { code, stdout, stderr } = await run(t, ['--help']);
  t.is(code, 0);
  t.is(stderr, '');
  for (const words of [
    'Usage:',
    'Examples:',
    'mock',
    'check',
    'health',
    'COLDFRAME_',
    '--config',
    'Prefer: code=400',
    'Mock-Fixture',
  ]) {
    t.true(stdout.includes(words), words);
  }
  for (const { flag } of options) t.true(stdout.includes(`--${flag}`), flag);
});

test('--version prints the version of the package', async (t) => {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  t.like(await run(t, ['--version']), { code: 0, stdout: `${version}\n` });
});

test('where Node.js can keep compiled code, the program lets it', async (t) => {
  const folder = await createFolder(t, {});
  await run(t, ['--version'], { environment: { TMPDIR: folder, NODE_COMPILE_CACHE: '' } });
  const canKeep = 'enableCompileCache' in modules;
  t.deepEqual(await readdir(folder), canKeep ? ['node-compile-cache'] : []);
});

const wrongFlags: readonly (readonly [words: string, complaint: RegExp])[] = [
  ['--prot 80', /no flag --prot.*--help/],
  ['-x', /no flag -x/],
  ['--port many', /--port must be a whole number up to 65535, got "many"/],
  ['--port 65536', /--port must be a whole number up to 65535/],
  ['--port -1', /--port/],
  ['--port 1e3', /--port must be a whole number/],
  ['--port', /--port/],
  ['--mode random', /--mode must be one of stateful, example, got "random"/],
  ['--cors=maybe', /--cors must be true or false, got "maybe"/],
  ['--no-port', /no flag --no-port/],
  ['--config', /--config needs a file/],
  [
    '--format xml',
    /--format must be one of text, json, sarif, junit, html, markdown, lcov, got "xml"/,
  ],
  ['--format', /--format needs one of text, json/],
  ['--token=', /--token needs a value/],
];

for (const [words, complaint] of wrongFlags) {
  test(`${words} is refused with the valid values`, (t) => {
    t.throws(() => readCommandLine(words.split(' ')), {
      instanceOf: UsageError,
      message: complaint,
    });
  });
}

test('wrong usage exits with 2 and prints one line', async (t) => {
  for (const [words, complaint] of [
    [
      ['--prot', '80'],
      /^coldframe: there is no flag --prot; did you mean --port\? run coldframe --help for all flags\n$/,
    ],
    [['--port', 'many'], /^coldframe: --port .*many/],
    [
      ['verdict', '--url', 'localhost:4010'],
      /^coldframe: --url must be a URL such as http:\/\/localhost:4010, got "localhost:4010"\n$/,
    ],
    [['serve', 'api.yaml'], /^coldframe: .* document "serve"; coldframe help lists commands\n$/],
  ] as const) {
    t.regex((await run(t, words)).stderr, complaint);
    t.like(await run(t, words), { code: 2, stdout: '' });
  }
});

test('an invalid variable exits with 2 and is named', async (t) => {
  const { code, stderr } = await run(t, [], { environment: { COLDFRAME_PORT: 'many' } });
  t.is(code, 2);
  t.regex(stderr, /COLDFRAME_PORT must be a whole number up to 65535, got "many"/);
});

test('a variable that is nearly that of a setting is reported', (t) => {
  t.deepEqual(
    warnOfVariables({ COLDFRAME_FIXTURS: 'a', COLDFRAME_PORT: '1', COLDFRAME_URL: 'b' }),
    ['the variable COLDFRAME_FIXTURS has no effect; did you mean COLDFRAME_FIXTURES?'],
  );
  const service = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT_4010_TCP'];
  const more = ['', '_ADDR', '_PORT', '_PROTO'].map((end) => `PORT_4010_TCP${end}`);
  const variables = [...service, ...more].map((name) => [`COLDFRAME_${name}`, '1']);
  t.deepEqual(warnOfVariables(Object.fromEntries(variables)), [], 'those of Kubernetes are others');
});

test('a verdict without a mock or a request exits with 1 and says why', async (t) => {
  const { url } = await startMock(t);
  const alone = await run(t, ['verdict', '--url', 'http://127.0.0.1:1']);
  t.like(alone, { code: 1, stdout: '' });
  t.regex(alone.stderr, /^coldframe: fetch failed: no mock responds at http:\/\/127\.0\.0\.1:1/);
  const unused = await run(t, ['verdict', '--url', url, '--session', 'nobody']);
  t.is(unused.code, 1);
  t.is(unused.stderr, 'coldframe: no request came in the session nobody\n');
  const merged = await run(t, ['coverage', '--from', 'none.json']);
  t.regex(merged.stderr, /none\.json:1:1 error: the report cannot be read: there is no such file/);
});

test('every setting has a variable', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': documentOf('by-variable') });
  const { url, running } = await startMock(t, [], {
    folder,
    environment: {
      COLDFRAME_DOCUMENT: 'api.yaml',
      COLDFRAME_MODE: 'example',
      COLDFRAME_CORS: 'false',
      COLDFRAME_SEED: '',
    },
  });
  const response = await fetch(`${url}/version`, { headers: { origin: 'http://localhost:1' } });
  t.deepEqual(await response.json(), { version: 'by-variable' });
  t.is(response.headers.get('access-control-allow-origin'), null);
  t.is((await running.logged('listening'))['mode'], 'example');
});

test('each variable accepts the values of its flag', (t) => {
  const values = { boolean: 'true', number: '7', text: 'a', list: 'a, b', choice: '' };
  for (const option of options) {
    const value = option.choices?.at(-1) ?? values[option.kind];
    const expected = { boolean: true, number: 7, text: 'a', list: ['a', 'b'], choice: value };
    const settings = readEnvironment({ [variableOf(option)]: value });
    t.deepEqual(settings, { [option.name]: expected[option.kind] }, option.name);
    if (option.kind === 'text' || option.kind === 'list') continue;
    const name = variableOf(option);
    t.throws(() => readEnvironment({ [name]: '?' }), {
      instanceOf: UsageError,
      message: new RegExp(name),
    });
  }
});

test('a port that Kubernetes names for a Service called coldframe is no setting', (t) => {
  t.deepEqual(readEnvironment({ COLDFRAME_PORT: 'tcp://10.43.0.17:4010' }), {});
  t.throws(() => readEnvironment({ COLDFRAME_PORT: 'http://10.43.0.17:4010' }));
});

for (const [ending, text] of Object.entries({
  yaml: 'document: api.yaml\nmode: example\ntoken: good\n',
  json: '{"document": "api.yaml", "mode": "example", "token": ["good"]}',
  mjs: "export default { document: 'api.yaml', mode: 'example', tokens: ['good'] };\n",
})) {
  test(`coldframe.config.${ending} in the current folder is read`, async (t) => {
    const folder = await createFolder(t, {
      'api.yaml': documentOf(ending),
      [`coldframe.config.${ending}`]: text,
    });
    const { url, running } = await startMock(t, [], { folder });
    t.deepEqual(await (await fetch(`${url}/version`)).json(), { version: ending });
    t.is((await running.logged('listening'))['mode'], 'example');
  });
}

test('flags override variables, variables the file, the file the defaults', async (t) => {
  const folder = await createFolder(t, {
    'file.yaml': documentOf('file'),
    'variable.yaml': documentOf('variable'),
    'flag.yaml': documentOf('flag'),
    'coldframe.config.yaml': 'document: file.yaml\nmode: example\n',
  });
  const environment = { COLDFRAME_DOCUMENT: 'variable.yaml' };
  const versionOf = async (...words: string[]): Promise<unknown> => {
    const useVariable = words.includes('variable');
    const rest = words.filter((word) => word !== 'variable');
    const { url } = await startMock(t, rest, { folder, ...(useVariable && { environment }) });
    return ((await (await fetch(`${url}/version`)).json()) as { version: unknown }).version;
  };
  t.is(await versionOf(), 'file');
  t.is(await versionOf('variable'), 'variable');
  t.is(await versionOf('variable', 'flag.yaml'), 'flag');
});

test('--config names another file, and an unknown setting is refused with the one that was meant', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': documentOf('named'),
    'other.yaml': 'document: api.yaml\n',
    'wrong.yaml': 'documents: api.yaml\n',
    'broken.yaml': 'a: [\n',
    'list.yaml': '- a\n',
  });
  const { url } = await startMock(t, ['--config', 'other.yaml'], { folder });
  t.deepEqual(await (await fetch(`${url}/version`)).json(), { version: 'named' });
  const wrong = await run(t, ['--config', 'wrong.yaml'], { folder });
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /wrong\.yaml: there is no setting "documents"; did you mean "document"/);
  const broken = await run(t, ['--config', 'broken.yaml'], { folder });
  t.is(broken.code, 1);
  t.regex(broken.stderr, /broken\.yaml:\d+:\d+ error/);
  t.is((await run(t, ['--config', 'list.yaml'], { folder })).code, 2);
  t.is((await run(t, ['--config', 'missing.yaml'], { folder })).code, 1);
});

test('check exits with 0 for a valid document', async (t) => {
  const { code, stdout } = await run(t, ['check']);
  t.is(code, 0);
  t.regex(stdout, /nothing is wrong \(1 operation, \d+ failure fixtures\), 1 note\n$/);
});

test('check lists every finding with file, line and column, and exits with 1', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /plants:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: integer }
              example: many
`,
    'broken.yaml': 'openapi: [\n',
    'odd.yaml': "openapi: 3.1.0\ninfo: { title: T, version: '1', name: x }\npaths: {}\n",
    'rules.yaml': 'rules:\n  - name: a\n    answer: { status: 202 }\n',
    'failing.yaml': 'rules:\n  - name: b\n    answer: { fail: 500 }\n',
  });
  const example = await run(t, ['check', 'api.yaml'], { folder });
  t.is(example.code, 0);
  t.is((await run(t, ['check', 'api.yaml', '--strict'], { folder })).code, 1);
  t.regex(
    example.stdout,
    /^api\.yaml:12:24 warning: the example breaks its schema: value must be an integer, got the string "many"/m,
  );
  const broken = await run(t, ['check', 'broken.yaml'], { folder });
  t.is(broken.code, 1);
  t.regex(broken.stdout, /^broken\.yaml:\d+:\d+ error: /);
  const odd = await run(t, ['check', 'odd.yaml'], { folder });
  t.is(odd.code, 1);
  t.regex(odd.stdout, /^odd\.yaml:2:\d+ error: .*name/m);
  const rules = await run(t, ['check', 'api.yaml', '--fixtures', 'rules.yaml'], { folder });
  t.regex(rules.stdout, /^rules\.yaml:3:\d+ error: /m);
  t.regex(rules.stdout, /1 error, 1 warning; 1 of 1 operation served\n$/);
  const failing = await run(t, ['check', 'api.yaml', '--fixtures', 'failing.yaml'], { folder });
  const note = 'b: GET /plants declares no 500; clients may still meet one from a gateway';
  t.true(failing.stdout.includes(`\nfailing.yaml:2:1 note: ${note} [undeclared-failure]\n`));
  const listed = await run(t, ['fixtures', 'api.yaml', '--fixtures', 'failing.yaml'], { folder });
  t.true(listed.stdout.endsWith(`Notes:\n  ${note}\n`));
  const missing = await run(t, ['check', 'missing.yaml'], { folder });
  t.is(missing.code, 1);
  t.regex(
    missing.stdout,
    /missing\.yaml:1:1 error: the document cannot be read: there is no such file/,
  );
});

test('an invalid document exits with 1 and its errors, without a stack trace', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': 'openapi: 4.0.0\n' });
  const { code, stdout, stderr } = await run(t, ['api.yaml'], { folder });
  t.is(code, 1);
  t.is(stdout, '');
  t.regex(stderr, /^api\.yaml:1:10 error: this is OpenAPI 4\.0\.0, which is not read/);
  t.notRegex(stderr, /\n\s+at /);
});

test('health exits with 0 while a mock runs, and with 1 and a reason otherwise', async (t) => {
  const { running, url } = await startMock(t);
  const { port } = new URL(url);
  // The first request loads the control API, for which the command waits two seconds at most.
  t.is((await fetch(`${url}/__admin/health`)).status, 200);
  t.like(await run(t, ['health', '--port', port]), { code: 0, stdout: '', stderr: '' });
  t.is((await run(t, ['health'], { environment: { COLDFRAME_PORT: port } })).code, 0);
  await running.end();
  const { code, stderr } = await run(t, ['health', '--port', port]);
  t.is(code, 1);
  t.regex(stderr, /^http:\/\/localhost:\d+\/__admin\/health does not respond: .+\n$/);
});

test('with port 0, the actual port is logged as JSON', async (t) => {
  const { running, url } = await startMock(t);
  t.regex(url, /^http:\/\/localhost:[1-9]\d*$/);
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
  const [first] = running.lines;
  t.like(first, { level: 'info', event: 'listening', url, operations: 1 });
  t.is(typeof first?.['time'], 'number');
});

test('a port in use exits with 1 and a remedy in one line', async (t) => {
  const { url } = await startMock(t);
  const { code, stdout, stderr } = await run(t, ['--port', new URL(url).port]);
  t.is(code, 1);
  t.is(stdout, '');
  t.regex(stderr, /^coldframe: .*EADDRINUSE.*--port.*\n$/);
  t.is(stderr.trimEnd().split('\n').length, 1);
});

test('an unavailable address exits with 1 and one line', async (t) => {
  const { code, stderr } = await run(t, ['--host', '192.0.2.1', '--port', '0']);
  t.is(code, 1);
  t.regex(stderr, /^coldframe: .*EADDRNOTAVAIL.*--host.*\n$/);
});

const slowRules = `rules:
  - name: slow
    answer: { fixedDelayMilliseconds: 1500 }
  - name: very-slow
    enabled: false
    answer: { fixedDelayMilliseconds: 60000 }
`;

/** Ample for a program that has nothing left to wait for. */
const SOON_MILLISECONDS = 4_000;

test('--summary counts refusals by cause, and names what was never called, at the end', async (t) => {
  const { running, url } = await startMock(t, ['--summary', '--mode', 'example']);
  const create = (body: unknown) =>
    fetch(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await fetch(`${url}/pots`);
  for (const id of ['one', 'two']) await create({ id, name: 'Fern' });
  const text = await fetch(`${url}/__admin/summary`, { headers: { accept: 'text/plain' } });
  t.is(
    await text.text(),
    `3 requests, 3 refused
Refused, by cause:
  2 × body/id must be an int64 createPlant, INVALID_REQUEST, client
  1 × the document has no path "/pots"; it has POST /plants PATH_NOT_FOUND, client
`,
  );
  const { stdout } = await running.end();
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  t.like(summary, { event: 'summary', requests: 3, refused: 3, neverCalled: [] });
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} finishes open requests, accepts no more, writes the coverage and exits with 0`, async (t) => {
    const folder = await createFolder(t, { 'slow.yaml': slowRules });
    const words = ['--fixtures', 'slow.yaml', '--coverage-file', 'out/coverage.json'];
    const { running, url } = await startMock(t, words, { folder });
    const answer = fetch(`${url}/plants`, createPlant());
    await untilCalled((path, init) => fetch(`${url}${path}`, init));
    const ended = running.end(signal);
    await running.logged('closing');
    await t.throwsAsync(fetch(`${url}/plants`, createPlant()), { message: 'fetch failed' });
    t.is((await answer).status, 200);
    t.deepEqual(await (await answer).json(), { name: 'Fern' });
    const end = await Promise.race([ended, sleep(SOON_MILLISECONDS)]);
    t.like(end ?? 'it waits for a connection that nobody uses', {
      code: 0,
      signal: null,
      stderr: '',
    });
    const coverage = JSON.parse(await readFile(join(folder, 'out', 'coverage.json'), 'utf8'));
    t.deepEqual(coverage.sums.operations, { covered: 1, total: 1 });
  });
}

test('an idle connection does not delay the exit', async (t) => {
  const { running, url } = await startMock(t);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  await fetch(`${url}/plants`, createPlant());
  const end = await Promise.race([running.end(), sleep(SOON_MILLISECONDS)]);
  t.like(end ?? 'it waits for a connection that nobody uses', { code: 0 });
});

for (const [first, second] of [
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
] as const) {
  test(`${second} after ${first} exits at once`, async (t) => {
    const folder = await createFolder(t, { 'slow.yaml': slowRules });
    const { running, url } = await startMock(
      t,
      ['--fixtures', 'slow.yaml', '--fixture', 'very-slow'],
      { folder },
    );
    const headers = { ...createPlant().headers, 'mock-fixture': 'very-slow' };
    const answer = t.throwsAsync(fetch(`${url}/plants`, { ...createPlant(), headers }));
    await untilCalled((path, init) => fetch(`${url}${path}`, init));
    running.child.kill(first);
    await running.logged('closing');
    running.child.kill(second);
    const ended = await Promise.race([running.ended, sleep(SOON_MILLISECONDS)]);
    t.truthy(ended, 'it still runs');
    t.not(ended?.code, 0);
    running.child.kill('SIGKILL');
    await answer;
  });
}

test('the mock survives the end of the process that reads its output', async (t) => {
  const { running, url } = await startMock(t);
  running.child.stdout?.destroy();
  for (let round = 0; round < 20; round++) {
    t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
    await sleep(25);
  }
  t.like(await running.end(), { code: 0, stderr: '' });
});

test('without a terminal, each request is logged as a line of JSON', async (t) => {
  const { running, url } = await startMock(t);
  await fetch(`${url}/plants`, createPlant());
  await fetch(`${url}/plants`, createPlant('{"name":"a\\u001b[31m"'));
  await fetch(`${url}/nothing?x="\n`);
  const third = await running.logged('request', 3);
  const requests = running.lines.filter(({ event }) => event === 'request');
  t.like(requests[0], {
    level: 'info',
    id: 1,
    method: 'POST',
    target: '/plants',
    operation: 'createPlant',
    status: 200,
    source: 'state',
  });
  t.is(typeof requests[0]?.['milliseconds'], 'number');
  t.like(requests[1], { id: 2, status: 400, source: 'refusal; problem=MALFORMED_JSON' });
  t.regex(String(requests[1]?.['message']), /at line 1, column/);
  t.like(third, { id: 3, status: 404 });
  t.false('operation' in third);
});

test('the log keeps to its level', async (t) => {
  const quiet = await startQuiet(t, 'error');
  t.is(quiet, '');
  t.is(await startQuiet(t, 'silent'), '');
});

async function startQuiet(t: ExecutionContext, level: string): Promise<string> {
  const blocker = await startMock(t);
  const { port } = new URL(blocker.url);
  await blocker.running.end();
  const running = start(t, ['--port', port, '--verbose-level', level]);
  await untilAnswers(`http://127.0.0.1:${port}`);
  return (await running.end()).stdout;
}

async function untilAnswers(url: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    try {
      await fetch(`${url}/plants`, createPlant());
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('it never answered');
}

/** util-linux’s script(1) runs a command at a terminal of its own. */
const terminal = findProgram('script');
const testAtTerminal = testWith(terminal);

/** Leaves the colours out. */
function plain(text: string): string {
  return text.replaceAll(/\u001b\[\d+m/g, '').replaceAll('\r', '');
}

test('the welcome lists what is served and a command to paste that works', async (t) => {
  const mock = await createMock();
  const server = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  await assertWelcome(
    t,
    describeStart(mock, server, { document: 'api.yaml', hasColor: true, tokens: [] }),
  );
});

testAtTerminal('a terminal shows the welcome', async (t) => {
  const command = `'${process.execPath}' '${program}' --port 0`;
  const running = startCommand(t, terminal ?? 'script', ['-qec', command, '/dev/null'], {
    environment: { TERM: 'xterm' },
  });
  await running.until(() => running.stdout.includes('Ctrl+C'));
  await assertWelcome(t, running.stdout);
  await running.until(() => /200 POST \/plants state/.test(plain(running.stdout)));
  t.false(running.stdout.includes('{"time"'));
});

async function assertWelcome(t: ExecutionContext, shown: string): Promise<void> {
  const text = plain(shown);
  t.true(shown.includes('\u001b['), 'colours');
  t.regex(text, /Plant Store 1\.0\.0/);
  t.regex(text, /http:\/\/localhost:\d+/);
  t.regex(text, /POST +\/plants +Create a plant/);
  t.regex(text, /fail-first-two/);
  const line = /^ *(curl .*)$/m.exec(text)?.[1];
  t.truthy(line, 'a line to paste');
  const { code, stdout, stderr } = await startCommand(t, 'sh', ['-c', line ?? 'false']).ended;
  t.is(code, 0, stderr);
  t.regex(stdout, /^HTTP\/1\.1 200 /);
  t.regex(stdout, /\{"name":"Monstera deliciosa","tag":"tropical"\}$/);
}

/** Pastes the line that a mock of this path shows. @returns what is shown then, and the state */
async function pasteLineOf(t: ExecutionContext, path: string, item: object): Promise<string[]> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'One path', version: '1' },
    paths: { [path]: item },
  };
  const folder = await createFolder(t, { 'api.json': JSON.stringify(document) });
  const mock = await createMock({ document: join(folder, 'api.json') });
  const server = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  const shown = { document: 'api.json', hasColor: false, tokens: [] };
  const line = /^ *(curl .*)$/m.exec(describeStart(mock, server, shown))?.[1];
  const { stdout } = await startCommand(t, 'sh', ['-c', line ?? 'false']).ended;
  return [stdout, await (await mock.fetch('/__admin/state')).text()];
}

function ok(content: object): object {
  return { 200: { description: 'ok', content: { 'application/json': content } } };
}

test('the command to paste sends the exact example, quoted for a shell', async (t) => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const example = { name: 'it\'s $HOME `id` "!!" \\ 🌵' };
  const requestBody = { content: { 'application/json': { schema, example } } };
  const post = { requestBody, responses: ok({ schema }) };
  const [shown = '', state = ''] = await pasteLineOf(t, '/plants', { post });
  t.regex(shown, /^HTTP\/1\.1 200 /);
  t.deepEqual(JSON.parse(state), { plants: [example] });
});

test('the command to paste fills path parameters', async (t) => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 };
  const get = { parameters: [id], responses: ok({ example: { id: 7 } }) };
  const [shown = ''] = await pasteLineOf(t, '/plants/{id}', { get });
  t.regex(shown, /^HTTP\/1\.1 200 /);
});

testAtTerminal('NO_COLOR is respected on a terminal', async (t) => {
  const command = `'${process.execPath}' '${program}' --port 0`;
  const running = startCommand(t, terminal ?? 'script', ['-qec', command, '/dev/null'], {
    environment: { TERM: 'xterm', NO_COLOR: '1' },
  });
  await running.until(() => running.stdout.includes('Ctrl+C'));
  t.false(running.stdout.includes('\u001b['));
});

test('FORCE_COLOR brings the log of a terminal, with time and number', async (t) => {
  const running = startCommand(t, process.execPath, [program, '--port', '0'], {
    environment: { FORCE_COLOR: '1' },
  });
  await running.until(() => running.stdout.includes('Ctrl+C'));
  const [url = ''] = /http:\/\/localhost:\d+/.exec(running.stdout) ?? [];
  await fetch(`${url}/pots`);
  await running.until(() => running.stdout.includes('/pots'));
  const plainText = running.stdout.replaceAll(/\u001b\[\d+m/g, '');
  t.regex(plainText, /^ {2}\d\d:\d\d:\d\d #1 404 GET \/pots /m);
});

test('Prism’s spellings of flags are accepted', async (t) => {
  const folder = await createFolder(t);
  await writeFile(join(folder, 'api.yaml'), documentOf('prism'));
  const words = [
    'mock',
    'api.yaml',
    '-h',
    '127.0.0.1',
    '-p',
    '0',
    '--dynamic=false',
    '-m',
    '-v',
    'info',
    '--ignoreExamples=false',
    '--verboseLevel',
    'info',
  ];
  const running = start(t, words, { folder });
  t.deepEqual(await (await fetch(`${await running.url()}/version`)).json(), { version: 'prism' });
});

test('Prism’s flag for undeclared members is accepted without effect', (t) => {
  for (const flag of ['', '=false', '=true']) {
    const line = readCommandLine([
      'mock',
      `--json-schema-faker-fillProperties${flag}`,
      '-d',
      'api.yaml',
    ]);
    t.deepEqual(line.words, ['mock', 'api.yaml']);
    t.deepEqual(line.settings, { dynamic: true });
  }
});
