import { readFile, writeFile } from 'node:fs/promises';
import test from 'ava';
import { load } from '../../src/assemble/load.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { inspectContract } from '../../src/check/check.ts';
import { findStructureFaults } from '../../src/check/structure.ts';
import { Contract, findErrors } from '../../src/contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { parseDocument } from '../support/documents.ts';
import { diagnosticsOf, inBrief } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { judgeOpenAPI, openForJudging } from '../support/judges.ts';

function findingsOf(contract: Contract) {
  return [...inspectContract(contract)].flatMap(({ findings }) => findings);
}

/** @returns what is wrong with a document, as `line:column message` */
async function faultsOf(file: string, text: string): Promise<string[]> {
  return inBrief(await errorsOf(file, text));
}

/** @returns what keeps a document from being read, or a part of it from being served */
function errorsOf(file: string, text: string): Promise<readonly Diagnostic[]> {
  return diagnosticsOf(() => {
    const errors = [...findErrors(new Contract(parseDocument(file, text)))];
    if (errors.length > 0) throw new DiagnosticError(errors);
  });
}

const HEAD = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

test('a YAML syntax error has line and column', async (t) => {
  const [fault = ''] = await faultsOf('api.yaml', `${HEAD}paths:\n  /a: [1, 2\n`);
  t.regex(fault, /^[45]:\d+ /);
  const [tab = ''] = await faultsOf('api.yaml', 'openapi: 3.1.0\ninfo:\n\ttitle: T\n');
  t.regex(tab, /^3:1 .*[Tt]abs/);
});

test('a JSON syntax error has line and column', async (t) => {
  t.deepEqual(await faultsOf('api.json', '{\n  "openapi": "3.1.0",\n  "info": }\n'), [
    '3:11 expected a value, got "}" at line 3, column 11',
  ]);
});

test('a repeated key is reported at its second position', async (t) => {
  const [fault = ''] = await faultsOf('api.yaml', `${HEAD}paths: {}\npaths: {}\n`);
  t.regex(fault, /^4:1 .*unique/);
  t.deepEqual(await faultsOf('api.json', '{"openapi": "3.1.0",\n "info": {},\n "info": {}}'), [
    '3:2 the key "info" occurs twice at line 3, column 2',
  ]);
});

test('all syntax errors of a file are reported', async (t) => {
  const faults = await faultsOf('api.yaml', `${HEAD}paths: {}\npaths: {}\ninfo: {}\n`);
  t.is(faults.length, 2);
});

const missingTarget = `${HEAD}paths:
  /plants:
    post:
      requestBody:
        $ref: '#/components/requestBodies/Missing'
      responses:
        '200': { description: ok }
`;

test('an unresolved reference is reported at its position', async (t) => {
  t.deepEqual(await faultsOf('api.yaml', missingTarget), [
    '7:15 the reference "#/components/requestBodies/Missing" leads to nothing',
  ]);
  const json = JSON.stringify(parseSource('api.yaml', missingTarget).value, null, 2);
  const [fault = ''] = await faultsOf('api.json', json);
  t.regex(fault, /^11:19 the reference "#\/components\/requestBodies\/Missing" leads to nothing$/);
});

test('an error has a file, a pointer and a remedy', async (t) => {
  const [fault] = await errorsOf('some/api.yaml', missingTarget);
  t.like(fault, {
    severity: 'error',
    file: 'some/api.yaml',
    pointer: '/paths/~1plants/post/requestBody/$ref',
    remedy: 'Correct the reference, or add what it names.',
  });
});

test('a schema with an unresolved reference is reported at its position', async (t) => {
  const text = `${HEAD}paths:
  /plants:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Plant' } }
`;
  const contract = new Contract(parseDocument('api.yaml', text));
  t.deepEqual(inBrief(findingsOf(contract).filter(isNoNote)), [
    '11:53 the reference "#/components/schemas/Plant" leads to nothing',
  ]);
});

test('a circular reference is reported and not followed forever', async (t) => {
  const [alone = ''] = await faultsOf(
    'api.yaml',
    `${HEAD}paths:
  /plants:
    post:
      requestBody: { $ref: '#/components/requestBodies/A' }
components:
  requestBodies:
    A: { $ref: '#/components/requestBodies/A' }
`,
  );
  t.regex(alone, /^9:8 the reference #\/components\/requestBodies\/A leads to itself$/);
  const [pair = ''] = await faultsOf(
    'api.yaml',
    `${HEAD}paths:
  /plants:
    post:
      parameters: [{ $ref: '#/components/parameters/A' }]
components:
  parameters:
    A: { $ref: '#/components/parameters/B' }
    B: { $ref: '#/components/parameters/A' }
`,
  );
  t.regex(pair, /^10:8 .* leads to itself$/);
});

test('a reference to an unread file is reported with a remedy', async (t) => {
  const faults = await errorsOf(
    'api.yaml',
    `${HEAD}paths:\n  /a:\n    post:\n      requestBody: { $ref: 'x.yaml#/a' }\n`,
  );
  t.deepEqual(inBrief(faults), [
    '6:28 the reference "x.yaml#/a" leads to a file that was not read',
  ]);
  t.regex(faults[0]?.remedy ?? '', /--allow-reference/);
});

test('an unknown security scheme is reported once, where it is first required', async (t) => {
  const operations = 'paths:\n  /a:\n    get: {}\n    put: { security: [{ bearer: [] }] }\n';
  t.deepEqual(await faultsOf('api.yaml', `${HEAD}security:\n  - bearer: []\n${operations}`), [
    '4:13 the security scheme "bearer" is not defined',
  ]);
});

test('one path with one method twice is reported', async (t) => {
  const item = "{ $ref: '#/components/pathItems/a', get: {} }";
  const text = `${HEAD}paths:\n  /a: ${item}\ncomponents: { pathItems: { a: { get: {} } } }\n`;
  t.deepEqual(await faultsOf('api.yaml', text), ['5:38 GET /a and GET /a are one path']);
});

test('several errors of a document are reported at once', async (t) => {
  const faults = await faultsOf(
    'api.yaml',
    `${HEAD}paths:
  /a:
    get: { requestBody: { $ref: '#/x' } }
    put: { parameters: {} }
    post: { responses: { '99': {} } }
`,
  );
  t.is(faults.length, 3);
  t.deepEqual(
    faults.map((fault) => Number(fault.split(':')[0])),
    [5, 6, 7],
  );
});

test('unknown versions are reported', async (t) => {
  t.deepEqual(await faultsOf('api.yaml', 'info: {}\nswagger: "1.2"\n'), [
    '2:10 this is Swagger 1.2, which is not read',
  ]);
  t.deepEqual(await faultsOf('api.json', '{"openapi": "3.7.0"}'), [
    '1:13 this is OpenAPI 3.7.0, which is not read',
  ]);
  t.deepEqual(await faultsOf('api.yaml', 'openapi: 4.0.0'), [
    '1:10 this is OpenAPI 4.0.0, which is not read',
  ]);
  t.deepEqual(await faultsOf('api.yaml', 'openapi: 2.0'), [
    '1:10 this is OpenAPI 2, which is not read',
  ]);
});

test('OpenAPI 2.0 to 3.2 is read, even with a number as version', async (t) => {
  const versions = ['3.0.0', '3.0.4', '3.0', '3', '3.1.0', '3.1.1', "'3.1'", '3.1', '3.1.0-rc1'];
  for (const version of [...versions, '3.2.0', '3.2']) {
    t.deepEqual(await faultsOf('api.yaml', `openapi: ${version}\npaths: {}\n`), [], version);
  }
  for (const version of ['"2.0"', '2.0', '2']) {
    t.deepEqual(await faultsOf('api.yaml', `swagger: ${version}\npaths: {}\n`), [], version);
  }
});

test('a file that is not an OpenAPI document is refused with an example of one', async (t) => {
  for (const text of ['', ' \n', '# nothing\n', '[]', 'text', '12', 'null', 'a: 1', '--- {}\n']) {
    const faults = await diagnosticsOf(() => parseDocument('api.yaml', text));
    t.deepEqual(
      faults.map(({ message }) => message),
      ['this is not an OpenAPI document'],
      text,
    );
    t.regex(faults[0]?.remedy ?? '', /openapi: 3\.1\.0/);
  }
  t.deepEqual(await faultsOf('api.json', ''), [
    '1:1 expected a value, got the end at line 1, column 1',
  ]);
});

test('a bomb of aliases is refused at once', async (t) => {
  const levels = [...'abcdefghijkl'].map((name, index, names) => {
    const below = index === 0 ? 'x' : `*${names[index - 1]}`;
    return `${name}: &${name} [${Array(10).fill(below).join(', ')}]`;
  });
  const [fault = ''] = await faultsOf('api.yaml', `openapi: 3.1.0\n${levels.join('\n')}\n`);
  t.regex(fault, /alias/i);
});

test('an alias inside its own anchor is refused', async (t) => {
  const [fault = ''] = await faultsOf('api.yaml', 'openapi: 3.1.0\na: &a\n  b: *a\n');
  t.regex(fault, /alias/i);
});

test('an ordinary number of aliases is not a bomb', async (t) => {
  const uses = Array.from({ length: 300 }, (_, index) => `  u${index}: *text`).join('\n');
  t.deepEqual(await faultsOf('api.yaml', `${HEAD}x-text: &text { a: 1 }\nx-uses:\n${uses}\n`), []);
});

test('numbers in YAML keep their digits', (t) => {
  const { value } = parseSource(
    'a.yaml',
    'a: 9223372036854775807\nb: -9223372036854775809\nc: 1\n',
  );
  t.deepEqual(value, { a: 9223372036854775807n, b: -9223372036854775809n, c: 1 });
});

test('YAML that JSON cannot represent is refused by name', async (t) => {
  const [fault = ''] = await faultsOf('api.yaml', 'openapi: 3.1.0\nx-a: .nan\n');
  t.regex(fault, /\.nan is not a JSON value/);
});

test('a missing file, a folder and a file that is not UTF-8 are reported as such', async (t) => {
  const folder = await createFolder(t);
  const faultsAt = (document: string) =>
    diagnosticsOf(() => load({ document, fixtures: [], fixture: [] }));
  const [missing] = await faultsAt(`${folder}/none.yaml`);
  t.is(missing?.message, 'the document cannot be read: there is no such file');
  t.truthy(missing?.remedy);
  const [isFolder] = await faultsAt(folder);
  t.is(isFolder?.message, 'the document cannot be read: it is a folder');
  await writeFile(`${folder}/latin.yaml`, Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
  const [encoding] = await faultsAt(`${folder}/latin.yaml`);
  t.is(encoding?.message, 'the document cannot be read: it is not UTF-8');
});

test('a document in UTF-16 is read, and a page in its place is called one', async (t) => {
  const text = '{"openapi":"3.1.0","info":{"title":"Fär","version":"1"},"paths":{}}';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  const folder = await createFolder(t);
  const files = {
    'marked.json': [Buffer.from([0xff, 0xfe]), little],
    'little.json': [little],
    'big.json': [Buffer.from([0xfe, 0xff]), big],
    'unmarked.json': [big],
  };
  for (const [name, parts] of Object.entries(files)) {
    await writeFile(`${folder}/${name}`, Buffer.concat(parts));
    const { contract } = await load({ document: `${folder}/${name}`, fixtures: [], fixture: [] });
    t.is(contract.title, 'Fär', name);
  }
  t.deepEqual(await faultsOf('page.yaml', '<!DOCTYPE html>\n<html>a: b</html>\n'), [
    '1:1 this is a page, not YAML or JSON',
  ]);
});

// What the shipped document says.

async function readShipped(): Promise<{ text: string; value: JsonObject }> {
  const text = await readFile(defaultDocument, 'utf8');
  const { value } = parseSource(defaultDocument, text);
  if (!isJsonObject(value)) throw new Error('the shipped document is no object');
  return { text, value };
}

test('two validators accept the plant store as OpenAPI 3.1', async (t) => {
  const { value } = await readShipped();
  t.deepEqual(await judgeOpenAPI(value), [true, true]);
});

test('the validators refuse a document that is not OpenAPI 3.1', async (t) => {
  const { value } = await readShipped();
  t.deepEqual(await judgeOpenAPI({ ...value, paths: { plants: {} } }), [false, false]);
  t.deepEqual(await judgeOpenAPI({ ...value, unknown: 1 }), [false, false]);
});

function isNoNote({ severity }: Diagnostic): boolean {
  return severity !== 'note';
}

test('a check finds no error in the plant store', async (t) => {
  const { text } = await readShipped();
  const document = parseDocument(defaultDocument, text);
  t.deepEqual(await findStructureFaults(document), []);
  t.deepEqual(findingsOf(new Contract(document)).filter(isNoNote), []);
});

/** A value without the members that explain and illustrate. */
function withoutProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => !(typeof member === 'string' && PROSE.includes(key)) && key !== 'examples',
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutProse(member)]));
}

const PROSE = ['description', 'summary', 'operationId', 'title'];

test('the plant store document keeps its required content', async (t) => {
  const { value } = await readShipped();
  t.deepEqual(withoutProse(value), {
    openapi: '3.1.0',
    info: { license: { name: 'MIT', identifier: 'MIT' }, version: '1.0.0' },
    servers: [{ url: '/' }],
    security: [{ bearerAuth: [] }],
    paths: {
      '/plants': {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPlant' } } },
          },
          responses: {
            '200': {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
            },
            '400': {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
            },
          },
        },
      },
    },
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Plant: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, tag: { type: 'string' } },
        },
        NewPlant: {
          allOf: [
            { $ref: '#/components/schemas/Plant' },
            {
              type: 'object',
              required: ['id'],
              properties: { id: { type: 'integer', format: 'int64' } },
            },
          ],
        },
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: {
            error: { type: 'integer', format: 'int32' },
            message: { type: 'string' },
          },
        },
      },
    },
  });
});

test('the plant store document explains itself in its own terms', async (t) => {
  const { text } = await readShipped();
  for (const words of [
    'Creates a new plant in the store',
    'Plant to add to the store',
    'description: Plant response',
    'description: Unexpected error',
    'The name of the plant',
    'Tag to specify the type',
    'Identification number of the plant',
    'Numeric error indicator',
    'Error message text',
  ]) {
    t.true(text.includes(words), words);
  }
});

test('the plant store has one operation, which requires a bearer token', async (t) => {
  const { text } = await readShipped();
  const { operations } = new Contract(parseDocument(defaultDocument, text));
  t.is(operations.length, 1);
  const [operation] = operations;
  t.like(operation, { id: 'createPlant', method: 'POST', path: '/plants', parameters: [] });
  t.deepEqual(operation?.security, [[{ kind: 'bearer', name: 'bearerAuth' }]]);
  t.true(operation?.body?.required);
  t.deepEqual(
    operation?.responses.all.map(({ key }) => key),
    ['200', '400'],
  );
});

test('an independent validator accepts every example of the plant store', async (t) => {
  const { text, value } = await readShipped();
  const judgeAt = openForJudging(t, value);
  const { operations } = new Contract(parseDocument(defaultDocument, text));
  const contents = operations.flatMap(({ body, responses }) => [
    ...(body?.contents ?? []),
    ...responses.all.flatMap((response) => response.contents),
  ]);
  t.is(contents.flatMap(({ examples }) => examples).length, 11);
  for (const { pointer, examples } of contents) {
    const isValid = await judgeAt(`${pointer}/schema`);
    for (const example of examples) {
      t.true(isValid(example.value), example.pointer);
      t.deepEqual(example.violations, [], example.pointer);
    }
    t.false(isValid({ name: 12 }), 'the judge judges');
  }
});
