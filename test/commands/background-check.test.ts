import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { createBackgroundCheck } from '../../src/commands/background-check.ts';
import type { CheckOrder, CheckResult } from '../../src/commands/check-worker.ts';
import { silentLog } from '../../src/events/log.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';
import { changeKept } from '../support/kept-file.ts';
import { program, startMock } from '../support/program.ts';

/** A document with three errors and 25 warnings. */
function writeDocument(): string {
  const errors = Array.from(
    { length: 3 },
    (_, index) => `  /e${index}:\n    get: { requestBody: { $ref: '#/key${index}' } }\n`,
  );
  const warnings = Array.from(
    { length: 25 },
    (_, index) => `  /w${index}:\n    get: { responses: { '404': { description: no } } }\n`,
  );
  return `openapi: 3.1.0\ninfo: { title: Faults, version: '1' }\npaths:\n${[...warnings, ...errors].join('')}`;
}

interface Place {
  readonly folder: string;
  readonly checks: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function createPlace(t: ExecutionContext): Promise<Place> {
  const folder = await createFolder(t, { 'api.yaml': writeDocument() });
  const cache = join(folder, 'cache');
  const environment = { XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
  return { folder, checks: join(cache, 'coldframe/checks'), environment };
}

/** Starts a mock of the document, and returns what its check logs. */
async function logOfCheck(t: ExecutionContext, { folder, environment }: Place, ...flags: string[]) {
  const { running } = await startMock(t, ['api.yaml', ...flags], { folder, environment });
  await running.logged('8 more findings; run coldframe check to see them');
  await running.end();
  return running.lines.filter(({ level }) => level === 'warn').map(({ event }) => String(event));
}

test('the log has at most twenty findings, errors first', async (t) => {
  const events = await logOfCheck(t, await createPlace(t));
  t.is(events.length, 21);
  t.regex(events.slice(0, 3).join(), /key0" leads to nothing.*key1.*key2/);
  t.is(events.at(-1), '8 more findings; run coldframe check to see them');
});

test('a document that has not changed is not checked again, and its findings are logged', async (t) => {
  const place = await createPlace(t);
  const first = await logOfCheck(t, place);
  const [name = '', ...others] = await readdir(place.checks);
  t.deepEqual(others, []);
  const kept = join(place.checks, name);
  // What is logged next comes from this file.
  await changeKept(kept, (text) => text.replaceAll('key0', 'kept'));
  const second = await logOfCheck(t, place);
  t.deepEqual(second, [first[0]?.replace('key0', 'kept'), ...first.slice(1)]);
  const document = join(place.folder, 'api.yaml');
  await writeFile(document, `${await readFile(document, 'utf8')}# changed\n`);
  t.deepEqual(await logOfCheck(t, place), first);
  t.is((await readdir(place.checks)).length, 2);
});

test('the log says when the check of a large document begins and ends', async (t) => {
  const { folder, environment } = await createPlace(t);
  const large = `${writeDocument()}# ${'Plants. '.repeat(130_000)}\n`;
  await writeFile(join(folder, 'api.yaml'), large);
  const { running } = await startMock(t, ['api.yaml'], { folder, environment });
  await running.logged('checked');
  await running.end();
  const lines = running.lines.filter(({ event }) => /^check/.test(String(event)));
  t.like(lines, [
    { level: 'info', event: 'checking', bytes: large.length },
    { level: 'info', event: 'checked', findings: 28 },
  ]);
});

test('a kept check that cannot be read is made again', async (t) => {
  const place = await createPlace(t);
  const first = await logOfCheck(t, place);
  const [name = ''] = await readdir(place.checks);
  await writeFile(join(place.checks, name), '{"findings":[');
  t.deepEqual(await logOfCheck(t, place), first);
});

test('a folder that cannot be written keeps nothing, and changes nothing', async (t) => {
  const place = await createPlace(t);
  await mkdir(join(place.folder, 'cache'));
  await writeFile(join(place.folder, 'cache/coldframe'), 'a file');
  t.is((await logOfCheck(t, place)).length, 21);
});

test('--no-cache keeps no check', async (t) => {
  const place = await createPlace(t);
  t.is((await logOfCheck(t, place, '--no-cache')).length, 21);
  await t.throwsAsync(readdir(place.checks), { code: 'ENOENT' });
});

test('a document that may refer to a URL is checked at each start', async (t) => {
  const place = await createPlace(t);
  const flags = ['--allow-reference', 'http://127.0.0.1:9/'];
  t.is((await logOfCheck(t, place, ...flags)).length, 21);
  await t.throwsAsync(readdir(place.checks), { code: 'ENOENT' });
});

test('a check does not wait for a pipe that has replaced a document', async (t) => {
  const { folder } = await createPlace(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // A read that waits for the pipe would keep this process from ending.
  t.teardown(async () => (await open(pipe, 'r+')).close());
  const warned = await new Promise((resolve) => {
    const check = createBackgroundCheck({
      mock: { stamps: new Map([[pipe, '']]), requests: 0, isPreparing: false },
      settings: { ...defaultSettings, document: 'api.yaml' },
      console: { cacheFolder: undefined, availableMemory: () => 0 },
      log: { ...silentLog, warn: resolve },
    });
    check.start();
  });
  t.is(warned, 'the document is not checked, as memory is short; run coldframe check');
});

test('a check waits while requests come', async (t) => {
  const { folder } = await createPlace(t);
  const document = join(folder, 'api.yaml');
  const isBusy = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  const settings = { document, overlay: [], allowReference: [] };
  const order: CheckOrder = { settings, cacheFolder: undefined, isBusy };
  const worker = new Worker(new URL('program/check-worker.cjs', pathToFileURL(program)), {
    workerData: order,
  });
  t.teardown(() => worker.terminate());
  let result: CheckResult | undefined;
  const ended = once(worker, 'message').then(([message]) => {
    result = message;
  });
  const looking = setInterval(() => Atomics.notify(isBusy, 0), 20);
  t.teardown(() => clearInterval(looking));
  await sleep(3_000);
  t.is(result, undefined);
  Atomics.store(isBusy, 0, 0);
  await ended;
  t.is(result?.findings.length, 20);
});
