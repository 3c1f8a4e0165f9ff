import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test, { type ExecutionContext } from 'ava';
import { load } from '../../src/assemble/load.ts';
import { loadFixtureSchema } from '../../src/assemble/load-fixture-schema.ts';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import type { Console } from '../../src/commands/console.ts';
import { runFixtures } from '../../src/commands/fixtures.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { defaultDocument, defaultSettings } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';
import { invocation } from '../support/invocation.ts';
import { type Judge, openForJudging } from '../support/judges.ts';
import { fc, holds } from '../support/properties.ts';

const GARDEN = `
openapi: 3.1.0
info: { title: Garden, version: '1' }
paths:
  /beds:
    get:
      operationId: listBeds
      summary: All beds
      parameters:
        - { name: size, in: query, schema: { type: string, description: Of a bed } }
      responses:
        '200':
          description: All
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Bed' } }
              examples: { two: { value: [{ name: a }, { name: b }] }, none: { value: [] } }
        '404':
          description: None
          content: { text/plain: { examples: { gone: { value: gone } } } }
        5XX:
          description: Broken
          headers: { X-Cause: { schema: { type: string } } }
          content: { text/plain: { examples: { down: { value: down } } } }
    post:
      operationId: addBed
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Bed' } }
      responses:
        '201': { description: Made }
        default:
          description: Anything
          content: { text/plain: { examples: { any: { value: any } } } }
  /beds/{bed}:
    parameters:
      - { name: bed, in: path, required: true, schema: { type: string } }
    get:
      responses:
        '200': { description: One }
    delete:
      operationId: removeBed
      responses:
        '204': { description: Gone }
        '429': { description: Wait }
  /broken:
    get:
      operationId: broken
      responses: { '2000': { description: No status } }
components:
  schemas:
    Bed:
      type: object
      required: [name]
      properties:
        name: { type: string, description: What it is called }
        soil: { enum: [clay, sand] }
        beside: { $ref: '#/components/schemas/Bed' }
`;

interface Garden {
  readonly schema: JsonObject;
  readonly isValid: Judge;
  /** @returns true for rules that the mock takes */
  readonly isTaken: (rule: JsonValue) => boolean;
}

async function openGarden(t: ExecutionContext, document: string): Promise<Garden> {
  const { contract, fixtures } = await load({ document, fixtures: [], fixture: [] });
  const schema = await loadFixtureSchema(contract);
  const judge = openForJudging(t, schema, 'https://json-schema.org/draft/2020-12/schema');
  return {
    schema,
    isValid: await judge(''),
    isTaken(rule) {
      try {
        fixtures.compile({ file: 'rules.json', text: JSON.stringify({ rules: [rule] }) });
        return true;
      } catch (error) {
        if (error instanceof DiagnosticError) return false;
        throw error;
      }
    },
  };
}

async function openOwn(t: ExecutionContext): Promise<Garden> {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  return openGarden(t, join(folder, 'garden.yaml'));
}

const statuses = fc.constantFrom(200, 201, 204, 302, 400, 404, 429, 500, 503);
const ids = fc.constantFrom(
  'listBeds',
  'addBed',
  'GET /beds/{bed}',
  'removeBed',
  'broken',
  'nobody',
);

const matches = fc.oneof(
  fc.constant({}),
  ids.map((operationId) => ({ operationId })),
  fc.array(ids, { minLength: 1, maxLength: 3 }).map((operationId) => ({ operationId })),
  fc.record({
    method: fc.constantFrom('GET', 'get', 'Post', 'DELETE', 'PUT'),
    path: fc.constantFrom('/beds', '/beds/{bed}', '/beds/1', '/broken'),
  }),
  fc.record({
    operationId: ids,
    query: fc.constantFrom<JsonObject>({}, { size: 'large' }, { other: '1' }),
    headers: fc.constantFrom<JsonObject>({ 'x-cause': 'a' }),
    body: fc.constantFrom<JsonValue>({ name: 5 }, { soil: 'peat', beside: { other: 1 } }, [], null),
  }),
);

const happenings = fc.record(
  {
    example: fc.constantFrom('two', 'gone', 'down', 'any', 'other'),
    body: fc.constantFrom<JsonValue>('text', [], [{ name: 'a' }], [{ name: 1 }], null),
    headers: fc.constantFrom<JsonObject>({ 'x-cause': 'a' }, { 'X-Other': 'b' }),
    offContract: fc.boolean(),
  },
  { requiredKeys: [] },
);

const answers = fc.oneof(
  fc.tuple(statuses, happenings).map(([status, more]) => ({ status, ...more })),
  fc.tuple(statuses, happenings).map(([fail, more]) => ({ fail, ...more })),
  fc.constant({ fixedDelayMilliseconds: 5 }),
);

const scopes = fc.constantFrom<JsonValue>(
  'operation',
  'resource',
  'client',
  { path: 'bed' },
  { path: 'other' },
  { header: 'x' },
);

const rules = fc
  .record({ match: matches, answer: answers, per: fc.option(scopes, { freq: 4 }) })
  .map(({ per, ...rule }) => ({ name: 'a', ...rule, ...(per !== null && { per }) }));

test('the schema for a document accepts every fixture file that the mock accepts', async (t) => {
  const { isValid, isTaken } = await openOwn(t);
  let taken = 0;
  const property = fc.property(rules, (drawn) => {
    const rule = JSON.parse(JSON.stringify(drawn)) as JsonObject;
    if (!isTaken(rule)) return;
    taken += 1;
    assert.ok(isValid({ rules: [rule] }), JSON.stringify(rule));
  });
  holds(t, property, 3000);
  t.true(taken > 500, `${taken} were taken`);
});

/** Each is right in the published schema, and wrong in this document. */
const stale: Readonly<Record<string, JsonObject>> = {
  'an operation': { match: { operationId: 'listBed' }, answer: { status: 200 } },
  'one operation of several': {
    match: { operationId: ['listBeds', 'nobody'] },
    answer: { fixedDelayMilliseconds: 1 },
  },
  'a path': { match: { method: 'GET', path: '/bed' }, answer: { fixedDelayMilliseconds: 1 } },
  'a method of a path': {
    match: { method: 'PUT', path: '/beds' },
    answer: { fixedDelayMilliseconds: 1 },
  },
  'a status': { match: { operationId: 'listBeds' }, answer: { status: 202 } },
  'a status, by method and path': {
    match: { method: 'delete', path: '/beds/{bed}' },
    answer: { status: 302 },
  },
  'a status of one operation of two': {
    match: { operationId: ['listBeds', 'removeBed'] },
    answer: { status: 302 },
  },
  'an example': { match: { operationId: 'listBeds' }, answer: { status: 200, example: 'three' } },
  'an example of another status': {
    match: { operationId: 'listBeds' },
    answer: { status: 200, example: 'gone' },
  },
  'an example of a range': {
    match: { operationId: 'listBeds' },
    answer: { status: 503, example: 'gone' },
  },
  'an example of a failure': {
    match: { operationId: 'listBeds' },
    answer: { fail: 503, example: 'two' },
  },
  'an example of a response without any': {
    match: { operationId: 'removeBed' },
    answer: { status: 204, example: 'two' },
  },
  'a path parameter': {
    match: { operationId: 'removeBed' },
    per: { path: 'id' },
    answer: { status: 429 },
  },
  'resources of a path without parameters': {
    match: { operationId: 'listBeds' },
    per: 'resource',
    answer: { fail: 503 },
  },
};

const published = new URL('../../fixtures/fixtures.schema.json', import.meta.url);

for (const [what, rule] of Object.entries(stale)) {
  test(`the schema for a document refuses ${what} that the document does not have`, async (t) => {
    const { isValid, isTaken } = await openOwn(t);
    const isOfForm = new Ajv2020({ strict: false }).compile(
      JSON.parse(await readFile(published, 'utf8')),
    );
    t.true(isOfForm({ rules: [{ name: 'a', ...rule }] }), 'it is not the form that is wrong');
    t.false(isTaken({ name: 'a', ...rule }));
    t.false(isValid({ rules: [{ name: 'a', ...rule }] }));
  });
}

test('the schema lists what an editor completes', async (t) => {
  const { schema } = await openOwn(t);
  const text = JSON.stringify(schema);
  t.regex(text, /\{"const":"listBeds","description":"GET \/beds: All beds"\}/);
  t.regex(text, /\{"const":"GET \/beds\/\{bed\}","description":"GET \/beds\/\{bed\}"\}/);
  t.regex(text, /"query":\{"properties":\{"size":\{"description":"Of a bed"\}\}\}/);
  t.regex(text, /"pathParameters":\{"properties":\{"bed":\{\}\}\}/);
  t.regex(
    text,
    /"name":\{"description":"What it is called"\},"soil":\{"examples":\["clay","sand"\]\}/,
  );
  t.regex(text, /"headers":\{"properties":\{"x-cause":\{\}\}\}/);
  t.is(schema['title'], 'Coldframe failure fixtures for Garden');
});

test('a document without operations has a schema without operations', async (t) => {
  const folder = await createFolder(t, {
    'empty.yaml': 'openapi: 3.1.0\ninfo: { title: Empty, version: "1" }\npaths: {}\n',
  });
  const { isValid } = await openGarden(t, join(folder, 'empty.yaml'));
  const delay = { fixedDelayMilliseconds: 1 };
  t.true(isValid({ rules: [{ name: 'a', answer: delay }] }));
  t.false(isValid({ rules: [{ name: 'a', match: { operationId: 'any' }, answer: delay }] }));
});

test('the schema for the plant store accepts its fixture files', async (t) => {
  const { isValid } = await openGarden(t, defaultDocument);
  const { fixtures } = await load({ document: defaultDocument, fixtures: [], fixture: [] });
  t.true(fixtures.rules.length >= 8);
  for (const { name, origin } of [...fixtures.rules, ...fixtures.profiles]) {
    t.true(isValid({ rules: [origin.definition] }), name);
  }
});

/** Takes what a command writes. */
function createConsole(folder: string) {
  const written: string[] = [];
  const console: Console = {
    environment: {},
    nodeVersion: '20.19.0',
    folder,
    isTerminal: false,
    hasColor: false,
    write: (text) => void written.push(text),
    writeError: (text) => void written.push(text),
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
  return { console, text: () => written.join('') };
}

test('the command writes the schema, one definition per line, to the output or a file', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const settings = { ...defaultSettings, document: join(folder, 'garden.yaml') };
  const { console, text } = createConsole(folder);
  t.is(await runFixtures(invocation(settings, console, { operands: ['schema'] })), 0);
  const { schema } = await openOwn(t);
  t.deepEqual(JSON.parse(text()), JSON.parse(JSON.stringify(schema)));
  t.is(text().match(/^"operation-\d+":/gm)?.length, 5);
  t.is(
    await runFixtures(invocation(settings, console, { operands: ['schema'], out: 'schema.json' })),
    0,
  );
  t.is(await readFile(join(folder, 'schema.json'), 'utf8'), text());
});

test('the command lists rules with position and state, and the profiles', async (t) => {
  const folder = await createFolder(t, {
    'own.yaml': [
      'rules:',
      '  - name: slow-beds',
      '    description: One line.',
      '    answer: { fixedDelayMilliseconds: 1 }',
      '  - { name: off, enabled: false, answer: { fault: HANG } }',
      '',
    ].join('\n'),
  });
  const { console, text } = createConsole(folder);
  const settings = { ...defaultSettings, fixtures: [folder], fixture: ['flaky'] };
  t.is(await runFixtures(invocation(settings, console)), 0);
  const rows = text().replaceAll(`${folder}/`, '').split('\n');
  t.true(rows.includes('  slow-beds         on   One line. (own.yaml:2)'), text());
  t.true(rows.includes('  off               off  (own.yaml:5)'), text());
  t.regex(text(), /^ {2}flaky\.connection {2}on /m);
  t.regex(text(), /\nProfiles:\n[\s\S]*^ {2}offline +off {2}Resets every/m);
});
