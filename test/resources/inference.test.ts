import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { isPlural, plain, singularName, wordsOf } from '../../src/base/words.ts';
import type { Console } from '../../src/commands/console.ts';
import { runExplain } from '../../src/commands/explain.ts';
import { Contract } from '../../src/contract/contract.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { collectionOf, keyTextsOf } from '../../src/resources/collections.ts';
import type { ResourceType } from '../../src/resources/resource.ts';
import { createResources } from '../../src/resources/resources.ts';
import { UsageError } from '../../src/settings/options.ts';
import { defaultDocument, defaultSettings, type Settings } from '../../src/settings/settings.ts';
import { parseDocument } from '../support/documents.ts';
import { createFolder } from '../support/folder.ts';
import { invocation } from '../support/invocation.ts';
import { fc, holds } from '../support/properties.ts';

const folder = fileURLToPath(new URL('inference/', import.meta.url));

/** @returns what `coldframe explain` prints */
async function explain(
  settings: Partial<Settings>,
  format: 'text' | 'json' | 'junit' = 'text',
  hasColor = false,
): Promise<string> {
  let printed = '';
  const console: Console = {
    environment: {},
    folder,
    nodeVersion: '20.20.0',
    isTerminal: hasColor,
    hasColor,
    cacheFolder: undefined,
    importFile: () => Promise.resolve({}),
    availableMemory: () => 0,
    openFiles: undefined,
    write: (text) => {
      printed += text;
    },
    writeError: () => {},
    writeLog: () => true,
    ended: new Promise(() => {}),
    onUncaught: () => {},
    endGroup: () => {},
    exitSoon: () => {},
  };
  assert.equal(
    await runExplain(invocation({ ...defaultSettings, ...settings }, console, { format })),
    0,
  );
  return printed;
}

test('inferred meanings and reasons of a document match the text beside it', async (t) => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  t.true(files.length >= 4);
  for (const name of files) {
    const expected = await readFile(`${folder}${name.replace('.yaml', '.txt')}`, 'utf8');
    t.is(await explain({ document: `${folder}${name}` }), expected, name);
  }
});

test('the plant store has a create of plants with the key id', async (t) => {
  const { operations, resources, sum } = JSON.parse(
    await explain({ document: defaultDocument }, 'json'),
  );
  t.deepEqual(sum, { operations: 1, understood: 1 });
  t.like(operations[0], { method: 'POST', path: '/plants', does: 'create', resource: 'plants' });
  t.like(resources[0], { name: 'plants', kind: 'collection', key: 'id', itemPath: null });
});

test('an explanation is text or JSON, with colors on request', async (t) => {
  const document = `${folder}gardens.yaml`;
  t.regex(await explain({ document }, 'text', true), /\u001b\[32m/);
  t.false((await explain({ document })).includes('\u001b'));
  await t.throwsAsync(explain({ document }, 'junit'), { instanceOf: UsageError });
});

const HEAD = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
const THINGS = `${HEAD}paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: q, in: query, schema: { type: string } }]
      responses: { '200': { description: Many, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer }, name: { type: string } } } } } } } }
`;

function contractOf(text: string) {
  return new Contract(parseDocument('api.yaml', text));
}

test('a file of meanings overrides the document', (t) => {
  const contract = contractOf(`${THINGS}      x-coldframe: { resource: items }\n`);
  const file = parseSource(
    'resources.yaml',
    `resources:
  goods: { key: name, generate: uuid }
operations:
  listThings: { resource: goods, does: list, parameters: { q: { filter: [name] } } }
`,
  );
  const resources = createResources(contract, file);
  t.deepEqual(
    resources.all.map(({ name }) => name),
    ['goods'],
  );
  const [operation] = contract.operations;
  assert(operation !== undefined);
  const meaning = resources.meaningOf(operation);
  assert(meaning?.kind === 'list');
  t.is(meaning.source, 'settings');
  t.is(meaning.type.key?.property?.value, 'name');
  t.is(meaning.type.key?.generation.value, 'uuid');
  t.deepEqual(meaning.query.parameters[0]?.role, {
    kind: 'filter',
    property: ['name'],
    comparison: 'equal',
  });
});

test('explain reads the document together with the file', async (t) => {
  const path = await createFolder(t, {
    'api.yaml': THINGS,
    'resources.yaml': 'operations: { "GET /things": { does: nothing } }\n',
  });
  const settings = { document: `${path}/api.yaml`, resources: `${path}/resources.yaml` };
  t.regex(await explain(settings), /not understood: an override says so/);
});

/** Invalid overrides, and their errors. */
const wrongs: readonly (readonly [said: string, message: RegExp])[] = [
  ['{ does: listen }', /^api\.yaml:9:\d+ error: does must be one of create, list, /],
  ['{ dose: list }', /"dose" is not known here/],
  ['{ resource: 7 }', /resource must be a string, got 7/],
  ['{ does: list, list: [data] }', /its response has no list of objects/],
  ['{ parameters: { p: { role: limit } } }', /the operation has no parameter "p"/],
  ['{ parameters: { q: { role: limits } } }', /role must be one of search, sort, /],
  ['{ parameters: { q: {} } }', /q must have either "filter" or "role"/],
  ['{ parameters: { q: { role: limit, comparison: less } } }', /comparison is of a filter/],
  ['{ sets: { status: 7 } }', /sets must have strings, true or false, which status is not/],
  ['{ list: { a: b } }', /list must be the name of a member, or a list of names/],
  ['[]', /x-coldframe must be an object/],
];

function refusalOf(t: ExecutionContext, text: string, file?: string): string {
  const contract = contractOf(text);
  const source = file === undefined ? undefined : parseSource('resources.yaml', file);
  const error = t.throws(() => createResources(contract, source), { instanceOf: DiagnosticError });
  t.true(error?.diagnostics.every(({ position }) => position.line > 0));
  return error?.message ?? '';
}

test('an invalid declaration is refused with its position', (t) => {
  for (const [said, message] of wrongs) {
    t.regex(refusalOf(t, `${THINGS}      x-coldframe: ${said}\n`), message, said);
  }
});

test('a declaration that matches nothing is refused with its position', (t) => {
  t.regex(
    refusalOf(t, THINGS, 'operations: { makeThing: { does: create } }'),
    /^resources\.yaml:1:\d+ error: the document has no operation "makeThing"/,
  );
  t.regex(
    refusalOf(t, THINGS, 'resources: { thing: { key: id } }'),
    /there is no resource "thing".*\n.*There are things\./,
  );
  for (const [said, message] of [
    ['key: sku', /things has no property "sku"/],
    ['set: { born: created-at }', /things has no property "born"/],
    ['parents: { gardenId: garden }', /the path of things has no parameter "gardenId"/],
  ] as const) {
    t.regex(refusalOf(t, THINGS, `resources: { things: { ${said} } }`), message);
  }
  t.regex(
    refusalOf(t, `${HEAD}x-coldframe: { resource: { } }\npaths: {}\n`),
    /"resource" is not known here/,
  );
  t.regex(
    refusalOf(t, THINGS.replace('{ type: integer }', '{ x-coldframe: { set: soon } }')),
    /set must be one of key, created-at/,
  );
});

test('an operation without an inferred meaning needs a complete declaration', (t) => {
  const login = `${HEAD}paths:\n  /login:\n    post:\n      responses: { '204': { description: In } }\n`;
  t.regex(refusalOf(t, `${login}      x-coldframe: { resource: users }\n`), /member "does"/);
  t.regex(refusalOf(t, `${login}      x-coldframe: { does: create }\n`), /member "resource"/);
});

const PLANTS = `  /gardens/{gardenId}/plants:
    get:
      responses: { '200': { description: Many, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer }, bed: { type: string } } } } } } } }
`;

test('every declaration in docs/reference/resources.md is accepted', async (t) => {
  const text = await readFile(
    new URL('../../docs/reference/resources.md', import.meta.url),
    'utf8',
  );
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const whole = blocks.find((block) => block.startsWith('resources:')) ?? '';
  const said = await readFile(`${folder}said.yaml`, 'utf8');
  const path = await createFolder(t, {
    'api.yaml': said.replace(
      '  /seeds:\n    get:',
      `${PLANTS}  /seeds:\n    get:\n      operationId: listSeeds`,
    ),
    'resources.yaml': whole,
  });
  const explained = await explain({
    document: `${path}/api.yaml`,
    resources: `${path}/resources.yaml`,
  });
  t.regex(explained, /list seeds: declared in the file of --resources/);
  t.regex(explained, /\?like asks for name that contains it, because an override says so/);
  t.regex(explained, /as bed says, because an override says so/);
  t.is(blocks.length, 3);
});

test('a declaration in an example has no effect', (t) => {
  const contract = contractOf(
    THINGS.replace('type: array,', 'type: array, example: [{ x-coldframe: { does: 7 } }],'),
  );
  t.notThrows(() => createResources(contract));
});

test('circular schemas are read once', (t) => {
  const contract = contractOf(`${HEAD}paths:
  /nodes:
    get: { responses: { '200': { $ref: '#/components/responses/Node' } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }
      responses: { '201': { $ref: '#/components/responses/Node' } }
  /nodes/{id}:
    get: { responses: { '200': { $ref: '#/components/responses/Node' } } }
components:
  responses: { Node: { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Loop' } } } } }
  schemas:
    Node: { type: object, properties: { id: { type: string }, data: { $ref: '#/components/schemas/Node' }, items: { type: array, items: { $ref: '#/components/schemas/Node' } } } }
    Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }, { $ref: '#/components/schemas/Node' }] }
`);
  t.deepEqual(
    createResources(contract).all.map(({ name }) => name),
    ['nodes'],
  );
});

test('names of inherited members are ordinary names', (t) => {
  const item = '{ $ref: "#/components/schemas/Item" }';
  const contract = contractOf(`${HEAD}paths:
  /constructors:
    get:
      parameters:
        - { name: constructor, in: query, schema: { type: string } }
        - { name: id_toString, in: query, schema: { type: string } }
        - { name: 'id[valueOf]', in: query, schema: { type: string } }
      responses: { '200': { description: Many, content: { application/json: { schema: { type: array, items: ${item} } } } } }
  /constructors/{id}:
    get: { responses: { '200': { description: One, content: { application/json: { schema: ${item} } } } } }
  /constructors/{id}/constructor:
    post: { responses: { '200': { description: One, content: { application/json: { schema: ${item} } } } } }
  /__proto__:
    get: { responses: { '200': { description: Many, content: { application/json: { schema: { type: array, items: ${item} } } } } } }
components:
  schemas:
    Item: { type: object, properties: { id: { type: integer }, constructor: { type: string }, status: { enum: [new] } } }
`);
  const explained = createResources(contract).explain();
  t.deepEqual(
    explained.map(({ meaning }) => meaning?.kind),
    ['list', 'read', 'action', 'list'],
  );
  const [list] = explained;
  assert(list?.meaning?.kind === 'list');
  t.deepEqual(
    list.meaning.query.parameters.map(({ name }) => name),
    ['constructor'],
  );
});

test('an invalid operation has no meaning and hides no others', (t) => {
  const contract = contractOf(
    `${THINGS}    post: { requestBody: { $ref: '#/components/requestBodies/None' }, responses: {} }\n`,
  );
  const [list, post] = createResources(contract).explain();
  t.is(list?.meaning?.kind, 'list');
  t.is(post?.reason, 'it has a fault, and is not served');
});

test('resources of several documents with one path have their base paths as names', async (t) => {
  const path = await createFolder(t, { 'a.yaml': THINGS, 'b.yaml': THINGS.replace('listT', 'l') });
  const { resources } = JSON.parse(
    await explain({ document: [`/a=${path}/a.yaml`, `/b=${path}/b.yaml`] }, 'json'),
  );
  t.deepEqual(
    resources.map(({ name }: ResourceType) => name),
    ['a/things', 'b/things'],
  );
});

const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

test('each parent has its own nested collection, whatever its key', (t) => {
  const plants: ResourceType = {
    name: 'gardens/{garden}/{bed}/plants',
    kind: 'collection',
    path: '/gardens/{garden}/{bed}/plants',
    itemPath: undefined,
    key: undefined,
    owners: [],
    parents: ['garden', 'bed'].map((parameter) => ({
      parameter,
      resource: undefined,
      property: undefined,
    })),
    schema: undefined,
    writtenSchema: undefined,
    serverSet: [],
  };
  const place = (garden: string, bed: string) =>
    collectionOf(plants, new Map(Object.entries({ garden, bed })));
  t.is(place('north/east', '7'), 'gardens/north%2Feast/7/plants');
  holds(
    t,
    fc.property(
      fc.array(letters, { minLength: 4, maxLength: 4 }),
      ([a = '', b = '', c = '', d = '']) => {
        assert.equal(place(a, b) === place(c, d), a === c && b === d);
      },
    ),
  );
});

test('a path segment can be a number or a string, and all notations of a number are equal', (t) => {
  t.deepEqual(keyTextsOf('7'), ['7', '"7"']);
  t.deepEqual(keyTextsOf('7.0'), ['7', '"7.0"']);
  t.deepEqual(keyTextsOf('9223372036854775807'), ['9223372036854775807', '"9223372036854775807"']);
  t.deepEqual(keyTextsOf('fern'), ['"fern"', 'fern']);
  t.deepEqual(keyTextsOf('"7"'), ['"\\"7\\""', '"7"']);
  holds(
    t,
    fc.property(fc.integer(), (number) => {
      assert.equal(keyTextsOf(String(number))[0], String(number));
    }),
  );
});

test('singular and plural names are distinguished in every style', (t) => {
  t.deepEqual(
    ['plants', 'branches', 'api-keys', 'statuses', 'people', 'countries', 'plantBoxes', 'dns'].map(
      singularName,
    ),
    ['plant', 'branch', 'api-key', 'status', 'person', 'country', 'plantBox', 'dns'],
  );
  t.deepEqual(['news', 'settings', 'order', 'orders'].map(isPlural), [false, false, false, true]);
  t.deepEqual(wordsOf('findByHTTPStatus-code_now'), [
    'find',
    'by',
    'http',
    'status',
    'code',
    'now',
  ]);
  t.is(plain('Pet_ID'), plain('petId'));
});
