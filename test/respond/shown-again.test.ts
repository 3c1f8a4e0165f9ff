import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Content } from '../../src/contract/content.ts';
import { createMock, type MockOptions } from '../../src/index.ts';
import type { Meaning } from '../../src/resources/meaning.ts';
import { ShownTexts } from '../../src/respond/state/shown-texts.ts';
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

test('a text that was shown is found for its operation and its media type only', (t) => {
  const texts = new ShownTexts();
  t.is(texts.write('{"id":1,"code":"x"}\n1', MEANING, CONTENT, { id: 1 }), '{"id":1}');
  t.is(texts.find('{"id":1,"code":"x"}\n1', MEANING, CONTENT), '{"id":1}');
  t.is(texts.find('{"id":1,"code":"x"}\n1', { ...MEANING }, CONTENT), undefined);
  t.is(texts.find('{"id":1,"code":"x"}\n1', MEANING, { ...CONTENT } as Content), undefined);
  t.is(texts.find('{"id":1,"code":"y"}\n1', MEANING, CONTENT), undefined);
});

test('of a million texts that were shown once, few are kept, and one that is shown again stays', (t) => {
  const texts = new ShownTexts();
  const name = 'x'.repeat(400);
  const textOf = (id: number) => `{"id":${id},"name":"${name}"}\n${id}`;
  let kept = 0;
  for (let id = 0; id < 100_000; id++) {
    texts.write(textOf(id), MEANING, CONTENT, { id, name });
    texts.find(textOf(0), MEANING, CONTENT);
  }
  t.not(texts.find(textOf(0), MEANING, CONTENT), undefined);
  for (let id = 1; id < 100_000; id++) {
    if (texts.find(textOf(id), MEANING, CONTENT) !== undefined) kept++;
  }
  t.true(kept > 5_000 && kept < 40_000, `${kept}`);
});
