import { existsSync, realpathSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { Client } from '../scripts/sweep/client.ts';
import { Description } from '../scripts/sweep/description.ts';
import type { DocumentResult, FailureKind } from '../scripts/sweep/figures.ts';
import { findDocuments } from '../scripts/sweep/find-documents.ts';
import { Judge } from '../scripts/sweep/judge.ts';
import { formatDirectory } from '../scripts/sweep/print-directory.ts';
import { formatTable } from '../scripts/sweep/print-table.ts';
import { readJson } from '../scripts/sweep/read-answer.ts';
import type { Direction } from '../scripts/sweep/schema-lowering.ts';
import type { Server } from '../scripts/sweep/server.ts';
import { sweepAll } from '../scripts/sweep/sweep-all.ts';
import { sweepDocument } from '../scripts/sweep/sweep-document.ts';
import { XmlValues } from '../scripts/sweep/xml-values.ts';
import { createFolder } from './support/folder.ts';
import { testWith } from './support/needs.ts';

const beside = fileURLToPath(new URL('../../shared/documents', import.meta.url));
const shared = existsSync(beside) ? realpathSync(beside) : beside;

const READ_ONLY = '{required: [a], properties: {a: {readOnly: true}}}';
const WRITE_ONLY = '{required: [a], properties: {a: {writeOnly: true}}}';
const UNEVALUATED = '{allOf: [{properties: {a: {}}}], unevaluatedProperties: false}';

const plants = `
openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
    put:
      security: [{ token: [] }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: { name: { type: string, maxLength: 8 } }
      responses:
        '200':
          description: The plant
          headers: { Age: { required: true, schema: { type: integer } } }
          content:
            application/json:
              schema:
                type: object
                required: [height]
                properties: { height: { type: number, exclusiveMinimum: 0 } }
        default:
          description: What is wrong
          content:
            text/plain: { schema: { type: string, minLength: 3 } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
`;

test('a mock of a small document keeps its whole contract', async (t) => {
  const result = await sweepDocument(await writePlants(t), { seconds: 60 });
  t.deepEqual(result.failures, []);
  t.deepEqual(result.notJudged, {});
  const { operations, accepted, made, valid, broken, refused, asDeclared } = result.figures;
  t.deepEqual([operations, accepted, valid > 4, broken > 5], [1, made, true, true]);
  t.deepEqual([refused, asDeclared], [broken, broken]);
});

const faults: readonly (readonly [string, FailureKind, RegExp, RequestListener])[] = [
  [
    'a body that breaks its schema',
    'invalid answer',
    /body: \/height exclusiveMinimum/,
    (_, response) => answer(response, 200, 'application/json', '{"height": 0}'),
  ],
  [
    'an undeclared media type',
    'invalid answer',
    /media type text\/html is not declared/,
    (_, response) => answer(response, 200, 'text/html', '<p>'),
  ],
  [
    'a missing required header',
    'invalid answer',
    /header Age is missing/,
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"height": 1}');
    },
  ],
  [
    'a header of another type',
    'invalid answer',
    /header Age: old/,
    (_, response) => {
      response.setHeader('Age', 'old');
      response.setHeader('Content-Type', 'application/json');
      response.end('{"height": 1}');
    },
  ],
  [
    'a refused valid request',
    'valid request refused',
    /400/,
    (_, response) => answer(response, 400, 'text/plain', 'No!'),
  ],
  [
    'accepted invalid requests',
    'broken request accepted',
    /property missing: without name/,
    (_, response) => answer(response, 200, 'application/json', '{"height": 1}'),
  ],
  [
    'a refusal that differs from the declaration',
    'refusal not as declared',
    /body: \(whole\) minLength/,
    (request, response) => {
      if (request.headers.authorization === undefined) answer(response, 401, 'text/plain', 'No');
      else answer(response, 200, 'application/json', '{"height": 1}');
    },
  ],
  [
    'an ignored request for a status',
    'Prefer not kept',
    /asked for 404, got 200/,
    (_, response) => answer(response, 200, 'application/json', '{"height": 1}'),
  ],
  [
    'a failure of the server',
    'server error',
    /status 503/,
    (_, response) => answer(response, 503, 'text/plain', 'Oh no'),
  ],
  [
    'a connection that breaks',
    'death',
    /hang up/,
    (request) => {
      request.socket.destroy();
    },
  ],
];

for (const [what, kind, said, listener] of faults) {
  test(`the sweep detects ${what}`, async (t) => {
    const path = await writePlants(
      t,
      plants.replace(
        'default:',
        "'404': { $ref: '#/components/responses/Missing' }\n        default:",
      ) + MISSING,
    );
    const result = await sweepDocument(path, { seconds: 60 }, () => serve(listener));
    const found = result.failures.filter((failure) => failure.kind === kind);
    t.regex(found.map((failure) => failure.said).join('\n'), said);
  });
}

const MISSING = '  responses:\n    Missing: { description: No such plant }\n';

const judged: readonly (readonly [string, string, string, Direction, string, boolean])[] = [
  [
    'the largest int64',
    '3.0.3',
    '{type: integer, format: int64}',
    'response',
    '9223372036854775807',
    true,
  ],
  [
    'one more than int64',
    '3.0.3',
    '{type: integer, format: int64}',
    'response',
    '9223372036854775808',
    false,
  ],
  [
    'one less than int64',
    '3.1.0',
    '{type: integer, format: int64}',
    'response',
    '-9223372036854775809',
    false,
  ],
  ['a sum of money', '3.1.0', '{type: number, multipleOf: 0.01}', 'response', '4.35', true],
  [
    'a thousandth of money',
    '3.1.0',
    '{type: number, multipleOf: 0.01}',
    'response',
    '4.355',
    false,
  ],
  ['a day that is not', '3.1.0', '{type: string, format: date}', 'response', '"2023-02-29"', false],
  ['null in 3.0', '3.0.3', '{type: string, nullable: true}', 'response', 'null', true],
  ['null in 3.1', '3.1.0', '{type: string, nullable: true}', 'response', 'null', false],
  [
    'an exclusive bound of 3.0',
    '3.0.3',
    '{minimum: 1, exclusiveMinimum: true}',
    'response',
    '1',
    false,
  ],
  [
    'a bound beside a reference in 3.0',
    '3.0.3',
    '{$ref: "#/components/schemas/Any", minimum: 3}',
    'response',
    '1',
    true,
  ],
  [
    'a bound beside a reference in 3.1',
    '3.1.0',
    '{$ref: "#/components/schemas/Any", minimum: 3}',
    'response',
    '1',
    false,
  ],
  ['a constant in 3.1', '3.1.0', '{const: 1}', 'response', '2', false],
  [
    'a pattern that the u flag forbids',
    '3.0.3',
    '{pattern: "^[a-z\\\\_]+$"}',
    'response',
    '"a b"',
    false,
  ],
  ['a request without what is read-only', '3.0.3', READ_ONLY, 'request', '{}', true],
  ['an answer without what is read-only', '3.0.3', READ_ONLY, 'response', '{}', false],
  ['an answer with what is write-only', '3.0.3', WRITE_ONLY, 'response', '{"a": 1}', false],
  ['a property too many behind allOf', '3.1.0', UNEVALUATED, 'response', '{"a": 1, "b": 2}', false],
];

for (const [what, version, schema, direction, text, isValid] of judged) {
  test(`the validator calls ${what} ${isValid ? 'valid' : 'invalid'}`, async (t) => {
    const document = `
openapi: ${version}
components:
  schemas:
    Any: {}
    Judged: ${schema}
`;
    const file = await writePlants(t, document);
    const judge = new Judge(new Description(file));
    const pointer = '/components/schemas/Judged';
    const verdict = await judge.verdict({ file, pointer }, direction);
    const [value = null] = readJson(text);
    t.is(verdict(value) === undefined, isValid, verdict(value));
  });
}

test('serialized XML is decoded to the same value', async (t) => {
  const file = await writePlants(
    t,
    `
openapi: 3.1.0
components:
  schemas:
    Plant:
      type: object
      xml: { name: plant, namespace: https://plants.test/, prefix: p }
      properties:
        id: { type: integer, xml: { attribute: true } }
        name: { type: string }
        isOld: { type: boolean, xml: { name: old } }
        tags: { type: array, items: { type: string } }
        pots:
          type: array
          xml: { wrapped: true }
          items: { type: object, xml: { name: pot }, properties: { size: { type: number } } }
`,
  );
  const xml = new XmlValues(new Description(file));
  const place = { file, pointer: '/components/schemas/Plant' };
  const plant = {
    id: 1,
    name: '<Fern> & "co"',
    isOld: true,
    tags: ['a', 'b'],
    pots: [{ size: 1.5 }],
  };
  const text = xml.write(place, plant);
  t.regex(text, /^<p:plant xmlns:p="https:\/\/plants.test\/" id="1"><name>/);
  t.deepEqual(xml.read(place, text)[0], plant);
});

test('a directory of documents is examined, and what an earlier run found is summed up again', async (t) => {
  const folder = await createFolder(t, { 'a.yaml': plants, 'b.yaml': 'openapi: 3.1.0\npaths: [' });
  const results = await sweepAll(findDocuments(folder), {
    jobs: 1,
    limits: { seconds: 20, operations: 1 },
    isExamined: true,
    report: () => {},
  });
  const again = JSON.parse(JSON.stringify(results)) as DocumentResult[];
  for (const all of [results, again]) {
    const summary = formatDirectory(all, folder);
    t.regex(summary, /2 documents: 1 loaded, 0 refused, 1 ended the sweep/);
    t.regex(summary, /1 checked to the end/);
    t.regex(summary, / 1 {2}replace\n/);
  }
});

test('an unreadable document is refused at the start with a reason', async (t) => {
  const folder = await createFolder(t, {
    'a.yaml': 'openapi: 3.1.0\npaths: [',
    'part.yaml': 'type: string',
  });
  const documents = findDocuments(folder);
  t.is(documents.length, 1);
  const results = await sweepAll(documents, { jobs: 1, limits: { seconds: 10 }, report: () => {} });
  t.regex(formatTable(results, folder), /a\.yaml +\S+ +(?:refused|NOT SWEPT)/);
});

testWith(shared)(
  'all documents of others are served as they say (../shared/documents)',
  async (t) => {
    t.timeout(1_200_000);
    const results = await sweepAll(findDocuments(shared), {
      jobs: Math.min(2, availableParallelism()),
      limits: { seconds: 15 },
      report: () => {},
    });
    t.log(formatTable(results, shared));
    t.deepEqual(results.flatMap(tellFaults), []);
  },
);

/** The failures, one per line. */
function tellFaults({ document, fault, refused, failures }: DocumentResult): string[] {
  const name = document.slice(shared.length + 1);
  const reasons = [fault, refused && mustBeRefused.has(name) ? undefined : refused];
  return [
    ...reasons.filter((reason) => reason !== undefined),
    ...failures
      .filter(({ kind, operation }) => kind !== 'not served' || !unsatisfiable.has(operation))
      .map(({ kind, operation, said }) => `${kind}: ${operation}: ${said}`),
  ].map((line) => `${name}: ${line}`);
}

/** Its schema wants a number that is a text. */
const unsatisfiable = new Set(['GET /conflictingIntersection']);

/** Files that lead out of the document's folder. */
const mustBeRefused = new Set(['oai-learn/v2.0/json/petstore-separate/spec/swagger.json']);

async function writePlants(t: ExecutionContext, text = plants): Promise<string> {
  const folder = await createFolder(t, { 'plants.yaml': text });
  return `${folder}/plants.yaml`;
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => listener(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client((server.address() as AddressInfo).port);
  return {
    client,
    hasDied: () => false,
    errors: () => '',
    async close() {
      client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  response: Parameters<RequestListener>[1],
  status: number,
  type: string,
  body: string,
): void {
  response.writeHead(status, { 'Content-Type': type, Age: '1' }).end(body);
}
