import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import type { Coverage, Mock, MockSession } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import {
  findLosses,
  mergeCoverage,
  readCoverageFile,
  writeCoverage,
  writeCoverageFile,
} from '../../src/report/coverage/coverage-file.ts';
import {
  formatCoverageHtml,
  formatCoverageJunit,
  formatCoverageMarkdown,
  formatCoverageText,
  formatLcov,
} from '../../src/report/coverage/forms.ts';
import { browser } from '../support/browser.ts';
import { createFolder } from '../support/folder.ts';
import { testWith } from '../support/needs.ts';

const run = promisify(execFile);
const gardens = fileURLToPath(new URL('../../spec/gardens.openapi.yaml', import.meta.url));

function sendJson(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** The requests of a consumer of the gardens. */
const requests: readonly (readonly [target: string, init?: RequestInit])[] = [
  ['/gardens'],
  ['/gardens', sendJson({ name: 'Kitchen garden' })],
  ['/gardens/1'],
  ['/gardens/99999'],
  ['/plants?limit=1&tag=herb'],
  ['/plants?offset=1'],
  ['/gardens/1/plants', sendJson({ name: 'Lovage', tag: 'herb' })],
];

async function consume(mock: Pick<Mock, 'fetch'>, some = requests): Promise<void> {
  for (const [target, init] of some) await mock.fetch(`http://localhost${target}`, init);
}

/** Returns the names of the items that are covered, or not, of an operation and a group. */
function namesOf(coverage: Coverage, operationId: string, group: string, isCovered = true) {
  const { items = [] } = coverage.operations.find((one) => one.operationId === operationId) ?? {};
  return items
    .filter((one) => one.group === group && one.covered === isCovered)
    .map(({ name }) => name);
}

test('the sums are those that a consumer of the gardens has by hand', async (t) => {
  const mock = await createMock({ document: gardens, seed: 1 });
  await mock.fetch('http://localhost/__admin/state/gardens', { method: 'DELETE' });
  await mock.fetch('http://localhost/__admin/state/gardens/1', {
    ...sendJson({ id: 1, name: 'Kitchen garden' }),
    method: 'PUT',
  });
  await consume(mock);
  const { sums, operations } = await mock.coverage();
  t.deepEqual(sums, {
    // Of the 404, 412, 422 and default that the operations declare: the 404 of getGarden.
    errors: { covered: 1, total: 12 },
    // Neither deleteGarden, listPlantsOfGarden, nor four of the five operations of a plant.
    operations: { covered: 5, total: 11 },
    // A success each, and the 304 of getPlant.
    responses: { covered: 5, total: 12 },
    // If-Match, and five of listPlants: two sent and three omitted, then one more and two more.
    parameters: { covered: 8, total: 12 },
    // tag sent and height omitted; the other members are readOnly or required.
    members: { covered: 2, total: 4 },
    values: { covered: 0, total: 0 },
    branches: { covered: 0, total: 0 },
    // The two kinds of patch.
    mediaTypes: { covered: 0, total: 2 },
    security: { covered: 0, total: 0 },
    pages: { covered: 1, total: 1 },
    // Its 404 was no failure that a rule caused.
    failures: { covered: 0, total: 6 },
  });
  const found = operations.find(({ operationId }) => operationId === 'changePlant')?.items;
  t.deepEqual(
    found?.find(({ name }) => name === '412'),
    {
      group: 'errors',
      name: '412',
      covered: false,
      file: gardens,
      line: 107,
      pointer: '/paths/~1plants~1{plantId}/patch/responses/412',
      code: 'await session.changePlant.failNext(412);',
    },
  );
});

test('four shards merge to what one run has, byte for byte, in any order', async (t) => {
  const begin = () => createMock({ document: gardens, seed: 1 });
  const whole = await begin();
  await consume(whole);
  const shards = await Promise.all(
    [0, 1, 2, 3].map(async (shard) => {
      const mock = await begin();
      await consume(mock, requests.slice(0, 2));
      await consume(
        mock,
        requests.filter((_, index) => index % 4 === shard),
      );
      return { name: `${shard}.json`, coverage: await mock.coverage() };
    }),
  );
  const [first, ...others] = shards;
  if (first === undefined) throw new RangeError('there is a shard');
  const expected = writeCoverage(await whole.coverage());
  t.is(writeCoverage(mergeCoverage([first, ...others])), expected);
  const [last, ...before] = [first, ...others].reverse();
  if (last === undefined) throw new RangeError('there is a shard');
  t.is(writeCoverage(mergeCoverage([last, ...before])), expected);
});

test('a document that has changed between shards is an error that says what changed', async (t) => {
  const text = await readFile(gardens, 'utf8');
  const folder = await createFolder(t);
  const document = join(folder, 'api.yaml');
  const coverageOf = async (content: string) => {
    await writeFile(document, content);
    return (await createMock({ document })).coverage();
  };
  const one = { name: 'one.json', coverage: await coverageOf(text) };
  const other = {
    name: 'other.json',
    coverage: await coverageOf(text.replace('"412"', '"409"').replace('1.0.0', '2.0.0')),
  };
  const error = t.throws(() => mergeCoverage([one, other]), { name: 'MergeError' });
  const message = error.message.replaceAll(document, 'api.yaml');
  t.regex(message, /one\.json is of api\.yaml \(Gardens 1\.0\.0\), other\.json of .* 2\.0\.0\)/);
  t.regex(message, /PATCH \/plants\/\{plantId\} errors 412 is only in one\.json/);
  t.regex(message, /PATCH \/plants\/\{plantId\} errors 409 is only in other\.json/);
  const moved = { name: 'moved.json', coverage: await coverageOf(`# New\n${text}`) };
  t.throws(() => mergeCoverage([one, moved]), { message: /called is at .*:9 and at .*:10/ });
});

const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'key' },
      token: { type: 'http', scheme: 'bearer' },
    },
    schemas: {
      Card: {
        type: 'object',
        required: ['kind', 'number'],
        properties: { kind: { const: 'card' }, number: { type: 'string' } },
      },
      Cash: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: 'cash' }, change: { type: 'boolean' } },
      },
    },
  },
  security: [{ key: [] }, { token: [] }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [
          { name: 'status', in: 'query', schema: { enum: ['open', 'sent', 'lost'] } },
          { name: 'urgent', in: 'query', schema: { type: 'boolean' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: {
          200: {
            description: 'All',
            content: {
              'application/json': { schema: { type: 'array', items: { type: 'object' } } },
              'application/xml': { schema: { type: 'array', items: { type: 'object' } } },
            },
          },
          '5XX': { description: 'No' },
        },
      },
      post: {
        operationId: 'reset',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  lines: {
                    type: 'array',
                    items: { type: 'object', properties: { gift: { type: 'boolean' } } },
                  },
                  payment: {
                    oneOf: [
                      { $ref: '#/components/schemas/Card' },
                      { $ref: '#/components/schemas/Cash' },
                    ],
                  },
                },
              },
            },
          },
        },
        responses: { 201: { description: 'Done' }, 429: { description: 'Slow' } },
      },
    },
  },
};

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  name: string,
  code: string,
) => (session: MockSession) => Promise<unknown>;

/** Runs a line of a report as a test would. */
function runLine(session: MockSession, code = ''): Promise<unknown> {
  return new AsyncFunction('session', code)(session).catch(() => undefined);
}

for (const [title, document] of [
  ['the gardens', gardens],
  ['the plant store', undefined],
  ['a document with everything that is counted', shop],
] as const) {
  test(`each line of code of a report covers its item: ${title}`, async (t) => {
    const mock = await createMock({ document });
    const session = mock.session();
    const before = await mock.coverage();
    t.true(Object.values(before.sums).every(({ covered }) => covered === 0));
    const items = before.operations.flatMap(({ items: own }) => own);
    const calls = new Map(
      before.operations.map(({ operationId = '', items: own }) => [operationId, own[0]?.code]),
    );
    const [first = ''] = calls.values();
    for (const { items: own, operationId } of before.operations) {
      for (const { code = '' } of own) {
        await runLine(session, code.replace('2s', '1ms'));
        // A failure is for the next call.
        const call = operationId === undefined ? first : calls.get(operationId);
        if (!code.includes('.fetch(')) await runLine(session, call);
      }
    }
    const after = await session.coverage();
    const left = after.operations.flatMap(({ items: own }) => own.filter((one) => !one.covered));
    t.deepEqual(left, []);
    t.is(after.operations.flatMap(({ items: own }) => own).length, items.length);
    t.deepEqual(await mock.coverage(), after);
  });
}

test('what a session has used is counted for it and for the run, and reset clears it there', async (t) => {
  const mock = await createMock({ document: shop });
  const [one, other] = [mock.session(), mock.session()];
  await one.fetch('/orders?key=secret-key&status=open');
  await other.fetch('/orders', { headers: { authorization: 'Bearer secret-token' } });
  const [ofOne, ofOther, ofRun] = await Promise.all([
    one.coverage(),
    other.coverage(),
    mock.coverage(),
  ]);
  t.deepEqual(namesOf(ofOne, 'listOrders', 'values'), ['query status = "open"']);
  t.deepEqual(namesOf(ofOther, 'listOrders', 'values'), []);
  t.deepEqual(namesOf(ofRun, 'listOrders', 'values'), ['query status = "open"']);
  t.deepEqual(ofOne.sums.security, { covered: 1, total: 2 });
  t.deepEqual(ofRun.sums.security, { covered: 2, total: 2 });
  t.false(writeCoverage(ofRun).includes('secret'));
  await one.reset('journal');
  t.is((await one.coverage()).sums.operations.covered, 0);
  t.is((await mock.coverage()).sums.operations.covered, 1);
});

test('a request that is refused meets its error, and its values do not count', async (t) => {
  const mock = await createMock();
  await mock.fetch('http://localhost/plants', sendJson({ id: 'no number', name: 7, tag: 'herb' }));
  const { sums } = await mock.coverage();
  t.deepEqual([sums.errors.covered, sums.operations.covered, sums.members.covered], [1, 1, 0]);
});

test('what no operation can use is not missing', async (t) => {
  const unused = { type: 'http', scheme: 'basic' };
  const securitySchemes = { ...shop.components.securitySchemes, unused };
  const components = { ...shop.components, securitySchemes };
  const one = await createMock({ document: { ...shop, components } });
  t.is((await one.coverage()).sums.security.total, 2);
  const none = await createMock({ document: { ...shop, components, paths: {} } });
  t.true(Object.values((await none.coverage()).sums).every(({ total }) => total === 0));
});

test('a connection that breaks leaves no status to meet', async (t) => {
  const mock = await createMock({ document: shop });
  const session = mock.session();
  await session.operation('listOrders').breakNext('EMPTY_RESPONSE');
  await t.throwsAsync(session.fetch('/orders?key=1'));
  const coverage = await session.coverage();
  t.is(coverage.sums.responses.covered, 0);
  const whole = coverage.operations.at(-1)?.items.filter(({ covered }) => covered);
  t.deepEqual(
    whole?.map(({ name }) => name),
    ['reset'],
  );
});

test('coverage outlives a new reading of the document', async (t) => {
  const document = join(await createFolder(t), 'api.yaml');
  const text = await readFile(gardens, 'utf8');
  await writeFile(document, text);
  const mock = await createMock({ document });
  await consume(mock, requests.slice(0, 1));
  await writeFile(document, text.replace('listPlantsOfGarden', 'listPlantsThere'));
  await mock.reload();
  const coverage = await mock.coverage();
  t.is(coverage.sums.operations.covered, 1);
  t.deepEqual(namesOf(coverage, 'listPlantsThere', 'operations', false), ['called']);
});

test('the JSON fits its published schema, and the control API gives the same', async (t) => {
  const mock = await createMock({ document: gardens });
  await consume(mock);
  const schema = JSON.parse(
    await readFile(new URL('../../fixtures/coverage.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv2020().compile(schema);
  const coverage = await mock.coverage();
  t.true(validate(coverage), JSON.stringify(validate.errors));
  const response = await mock.fetch('http://localhost/__admin/coverage');
  t.deepEqual(await response.json(), coverage);
  const page = await mock.fetch('http://localhost/__admin/coverage?format=html');
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
});

test('a report is read as it was written, and another file is refused by its name', async (t) => {
  const mock = await createMock({ document: gardens });
  await consume(mock);
  const coverage = await mock.coverage();
  const file = join(await createFolder(t), 'coverage.json');
  await writeCoverageFile(file, coverage);
  t.deepEqual(await readCoverageFile(file), coverage);
  for (const text of ['no JSON', '{}', JSON.stringify({ ...coverage, operations: [{}] })]) {
    await writeFile(file, text);
    const message = `${file} is no coverage that Coldframe has written`;
    await t.throwsAsync(readCoverageFile(file), { message });
  }
});

test('with coverage disabled, nothing is counted', async (t) => {
  const mock = await createMock({ document: gardens, coverage: false });
  await consume(mock);
  t.is((await mock.coverage()).sums.operations.covered, 0);
});

async function coverGardens(): Promise<Coverage> {
  const mock = await createMock({ document: gardens });
  await consume(mock);
  const coverage = await mock.coverage();
  return JSON.parse(writeCoverage(coverage).replaceAll(gardens, 'api.yaml')) as Coverage;
}

test('the text begins with the declared errors that the client has never seen', async (t) => {
  const text = formatCoverageText(await coverGardens(), { hasColor: false, showsAll: false });
  const titles = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  t.deepEqual(titles, [
    'Coverage of Gardens 1.0.0  api.yaml',
    'Declared errors your client has never seen: 11',
    'Operations never called: 6',
    'Less important  --all shows each',
  ]);
  t.regex(text, /^ {2}errors +1 of 12 +8 % {2}░{10} {2}declared errors met$/m);
  t.regex(text, /^ {2}DELETE \/gardens\/\{gardenId\} +404 +api\.yaml:43 +await session\.deleteG/m);
  t.notRegex(text, /\u001b/);
});

test('LCOV has a function for each operation and the lines of the document', async (t) => {
  const lcov = formatLcov(await coverGardens());
  t.regex(lcov, /^TN:\nSF:api\.yaml\nFN:9,listGardens\n/);
  for (const line of ['FNDA:1,listGardens', 'FNDA:0,deleteGarden', 'FNF:11', 'FNH:5']) {
    t.true(lcov.includes(`\n${line}\n`), line);
  }
  // The line of the 404 of getGarden, which was met, and that of deleteGarden.
  t.true(lcov.includes('\nDA:38,1\n') && lcov.includes('\nDA:43,0\n'));
  t.regex(lcov, /\nend_of_record\n$/);
});

test('JUnit fails a gate that is missed, and skips what was never met', async (t) => {
  const coverage = await coverGardens();
  const xml = formatCoverageJunit(coverage, [
    { name: 'operations 90 %', missed: ['operations: 5 of 11'] },
    { name: 'errors 5 %', missed: [] },
  ]);
  t.regex(xml, /<testsuite name="gates" tests="2" failures="1"/);
  t.regex(xml, /<testcase classname="DELETE \/gardens\/{gardenId}" name="errors 404">\n +<skipped/);
});

test('Markdown folds everything but the errors', async (t) => {
  const markdown = formatCoverageMarkdown(await coverGardens(), ['errors: 1 of 12']);
  t.regex(
    markdown,
    /^## Coverage of Gardens 1\.0\.0\n\n- ❌ errors: 1 of 12\n\n\| \| covered \| \|/,
  );
  t.is(markdown.match(/<details open>/g)?.length, 1);
  t.is(markdown.match(/<details/g)?.length, markdown.match(/<\/details>/g)?.length);
});

test('a baseline says what was covered before and is not now', async (t) => {
  const before = await coverGardens();
  const mock = await createMock({ document: gardens });
  await consume(mock, requests.slice(0, 3));
  const losses = findLosses(await mock.coverage(), before);
  t.true(losses.includes(`GET /gardens/{gardenId} errors 404 was covered before (${gardens}:38)`));
  t.deepEqual(findLosses(before, before), []);
});

testWith(browser)('a browser opens the page, which needs nothing else', async (t) => {
  const file = join(await createFolder(t), 'coverage.html');
  await writeFile(file, formatCoverageHtml(await coverGardens()));
  const words = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom'];
  const { stdout } = await run(browser ?? '', [...words, pathToFileURL(file).href], {
    timeout: 60_000,
  });
  t.regex(stdout, /<h1>Coverage of Gardens 1\.0\.0<\/h1>/);
  t.regex(stdout, /<details open(="")?><summary>Declared errors your client has never seen: 11</);
  t.notRegex(stdout, /(?:src|href)="/);
});
