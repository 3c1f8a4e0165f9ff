import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Content } from '../../src/contract/content.ts';
import { createMock, type MockOptions } from '../../src/index.ts';
import type { Meaning } from '../../src/resources/meaning.ts';
import { ShownTexts } from '../../src/respond/state/shown-texts.ts';
import type { Call } from '../../src/session/call.ts';
import { createFolder } from '../support/folder.ts';

const MEANING = { kind: 'read' } as Meaning;
const CONTENT = {} as Content;

const ITEM = `
      type: object
      required: [id]
      properties:
        id: { type: integer }
        name: { type: string, maxLength: 8 }
        code: { type: string, writeOnly: true }
        parts: { type: array, items: { type: object, properties: { size: { type: number } } } }
`;

/** Schemas of a list; in the last ones, more is said of the list than what its items are like. */
const LISTS = {
  plain: '{ type: array, items: { $ref: "#/components/schemas/Plant" } }',
  'in an object':
    '{ type: object, required: [total, data], properties: { total: { type: integer }, data: { type: array, items: { $ref: "#/components/schemas/Plant" } }, object: { const: list } } }',
  'with a member that nothing sets':
    '{ type: object, required: [data, region], properties: { data: { type: array, items: { $ref: "#/components/schemas/Plant" } }, region: { type: string, enum: [north, south] } } }',
  'without equal items':
    '{ type: array, uniqueItems: true, items: { type: object, properties: { name: { type: string, maxLength: 8 } } } }',
  'of at most three': '{ type: array, maxItems: 3, items: { $ref: "#/components/schemas/Plant" } }',
  'of one kind':
    '{ oneOf: [{ type: array, maxItems: 2, items: { $ref: "#/components/schemas/Plant" } }, { type: array, minItems: 3, items: { $ref: "#/components/schemas/Plant" } }] }',
};

const PLANTS = [
  '{"id": 1, "name": "Fern"}',
  '{"name": "Ivy", "id": 2, "code": "x", "pot": {"size": 3}}',
  '{"id": 3, "parts": [{"size": 1.50000000000000000000001}, {"size": 2}]}',
  '{"id": 4, "name": "Ivy"}',
];

for (const [title, schema] of Object.entries(LISTS)) {
  test(`a list ${title} shows the same again, and the same from a file`, async (t) => {
    const first = await showLists(t, schema, {});
    t.deepEqual(first[1], first[0]);
    const folder = await createFolder(t, {});
    t.deepEqual(await showLists(t, schema, { store: `file:${join(folder, 'store.db')}` }), first);
  });
}

/** Returns the bodies of reads and lists, which are asked for twice. */
async function showLists(t: ExecutionContext, schema: string, options: MockOptions) {
  const document = documentWith(schema);
  const folder = await createFolder(t, { 'document.yaml': document });
  const mock = await createMock({
    document: join(folder, 'document.yaml'),
    fixtures: [],
    emptyState: 'nothing',
    seed: 'again',
    ...options,
  });
  t.teardown(() => mock.close());
  const send = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await mock.fetch(new Request(`http://mock${path}`, init));
    const text = await response.text();
    const source = response.headers.get('mock-source') ?? '';
    // Generated lists differ.
    return source.startsWith('generated') ? 'generated' : `${response.status} ${source} ${text}`;
  };
  const fields = { 'content-type': 'application/json' };
  for (const body of PLANTS) await send('/plants', { method: 'POST', headers: fields, body });
  // What the schema of the list refuses is left out or completed.
  await send('/__admin/state', {
    method: 'POST',
    headers: fields,
    body: '{"plants": [{"id": 5, "name": "Chamaedorea elegans"}]}',
  });
  const paths = [
    '/plants',
    '/plants?limit=2',
    '/plants?offset=1&limit=1',
    '/plants/1',
    '/plants/2',
  ];
  const look = () => Promise.all([...paths, '/plants/3', '/plants/5'].map((path) => send(path)));
  return [await look(), await look()];
}

function documentWith(list: string): string {
  return `
openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: offset, in: query, schema: { type: integer } }
      responses: { "200": { description: All, content: { application/json: { schema: ${list} } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
      responses: { "201": { description: New, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } } }
  /plants/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } } }
components:
  schemas:
    Plant:${ITEM}
`;
}

const CUSTOMERS = `
openapi: 3.1.0
info: { title: Customers, version: "1" }
paths:
  /customers:
    get:
      responses:
        "200":
          description: All
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { type: array, items: { $ref: "#/components/schemas/customer" } }
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                balance:
                  type: object
                  properties: { settings: { type: object, properties: { mode: { type: string } } } }
      responses:
        "200":
          description: New
          content: { application/json: { schema: { $ref: "#/components/schemas/customer" } } }
  /customers/{customer}:
    get:
      parameters: [{ name: customer, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: One
          content:
            application/json:
              schema:
                anyOf:
                  - { $ref: "#/components/schemas/customer" }
                  - { $ref: "#/components/schemas/deleted_customer" }
components:
  schemas:
    customer:
      type: object
      required: [id, object]
      properties:
        id: { type: string }
        object: { enum: [customer] }
        balance: { anyOf: [{ $ref: "#/components/schemas/balance" }, { type: "null" }] }
    deleted_customer:
      type: object
      required: [id, deleted]
      properties: { id: { type: string }, deleted: { enum: [true] } }
    balance:
      type: object
      required: [owner, live, settings]
      properties:
        owner: { type: string }
        live: { type: boolean }
        settings:
          type: object
          required: [mode, isDefault]
          properties: { mode: { enum: [automatic, manual] }, isDefault: { type: boolean } }
`;

for (const kind of ['memory', 'file']) {
  test(`what a response completes is the same after a create, in a read and in a list: ${kind}`, async (t) => {
    const folder = await createFolder(t, { 'document.yaml': CUSTOMERS });
    const store = kind === 'file' ? `file:${join(folder, 'store.db')}` : kind;
    const document = join(folder, 'document.yaml');
    const mock = await createMock({ document, store, fixtures: [], emptyState: 'nothing' });
    t.teardown(() => mock.close());
    const made = [];
    // No response has the last one.
    for (const mode of ['automatic', 'manual', 'none']) {
      const response = await mock.fetch('/customers', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ balance: { settings: { mode } } }),
      });
      const one = (await response.json()) as { id: string; deleted?: true };
      if (mode !== 'none') t.like(one, { object: 'customer', balance: { settings: { mode } } });
      t.is(one.deleted, undefined);
      made.push(one);
    }
    for (let times = 0; times < 2; times++) {
      for (const one of made) {
        t.deepEqual(await (await mock.fetch(`/customers/${one.id}`)).json(), one);
      }
      t.deepEqual(await (await mock.fetch('/customers')).json(), { data: made });
    }
  });
}

/** Returns a request for a resource, as far as what it shows depends on it. */
function requestOf(seed = 'seed', meaning = MEANING) {
  const call = { seed } as Call;
  return { meaning, call, collection: 'plants', pathParameters: new Map<string, string>() };
}

function storedAs(text: string) {
  return { text, key: text.slice(text.indexOf('\n') + 1) };
}

test('a text that was shown is found for its operation and its media type only', (t) => {
  const texts = new ShownTexts();
  const [one, other] = ['{"id":1,"code":"x"}\n1', '{"id":1,"code":"y"}\n1'].map(storedAs);
  if (one === undefined || other === undefined) throw new Error('there are two texts');
  const request = requestOf();
  t.is(texts.write(one, request, CONTENT, { id: 1 }, true), '{"id":1}');
  t.is(texts.find(one, request, CONTENT), '{"id":1}');
  t.is(texts.find(one, requestOf('other'), CONTENT), '{"id":1}');
  t.is(texts.find(one, requestOf('seed', { ...MEANING }), CONTENT), undefined);
  t.is(texts.find(one, request, { ...CONTENT } as Content), undefined);
  t.is(texts.find(other, request, CONTENT), undefined);
});

test('a text that was completed is found for its seed, its collection and its path only', (t) => {
  const texts = new ShownTexts();
  const stored = storedAs('{"id":1}\n1');
  const request = requestOf();
  texts.write(stored, request, CONTENT, { id: 1, name: 'Fern' }, false);
  t.is(texts.find(stored, request, CONTENT), '{"id":1,"name":"Fern"}');
  t.is(texts.find(stored, requestOf('other'), CONTENT), undefined);
  t.is(texts.find(stored, { ...request, collection: 'pots' }, CONTENT), undefined);
  const below = { ...request, pathParameters: new Map([['gardenId', '7']]) };
  t.is(texts.find(stored, below, CONTENT), undefined);
});

test('of a million texts that were shown once, few are kept, and one that is shown again stays', (t) => {
  const texts = new ShownTexts();
  const request = requestOf();
  const name = 'x'.repeat(400);
  const storedOf = (id: number) => storedAs(`{"id":${id},"name":"${name}"}\n${id}`);
  let kept = 0;
  for (let id = 0; id < 100_000; id++) {
    texts.write(storedOf(id), request, CONTENT, { id, name }, true);
    texts.find(storedOf(0), request, CONTENT);
  }
  t.not(texts.find(storedOf(0), request, CONTENT), undefined);
  for (let id = 1; id < 100_000; id++) {
    if (texts.find(storedOf(id), request, CONTENT) !== undefined) kept++;
  }
  t.true(kept > 5_000 && kept < 40_000, `${kept}`);
});
