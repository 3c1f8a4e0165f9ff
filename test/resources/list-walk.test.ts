import { join } from 'node:path';
import test from 'ava';
import { walkDocumentLists } from '../../scripts/lists/walk-document-lists.ts';
import { createFolder } from '../support/folder.ts';

const PLANTS = '{ type: array, items: { $ref: "#/components/schemas/Plant" } }';
const COUNT = '{ type: integer, minimum: 0 }';
const TEXT = '{ type: [string, "null"] }';

/** Ways in which services part their lists: parameters of the query, and the body. */
const pagings: readonly (readonly [way: string, parameters: readonly string[], body: string])[] = [
  ['a limit and an offset', ['limit', 'offset'], PLANTS],
  [
    'numbered pages',
    ['per_page', 'page'],
    `{ type: object, required: [plants], properties: { plants: ${PLANTS}, total: ${COUNT}, totalPages: ${COUNT} } }`,
  ],
  [
    'cursors',
    ['limit', 'cursor'],
    `{ type: object, required: [data], properties: { data: ${PLANTS}, next_cursor: ${TEXT} } }`,
  ],
  [
    'the key that was seen last',
    ['limit', 'starting_after'],
    `{ type: object, required: [data, has_more], properties: { data: ${PLANTS}, has_more: { type: boolean } } }`,
  ],
];

function describePlants(parameters: readonly string[], body: string): string {
  const declared = [...parameters, 'sort', 'name', 'isRare', 'gardenId'].map((name) => {
    const isText = ['cursor', 'starting_after', 'sort', 'name'].includes(name);
    const type = name === 'isRare' ? 'boolean' : isText ? 'string' : 'integer';
    return `        - { name: ${name}, in: query, schema: { type: ${type} } }`;
  });
  return `
openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    get:
      parameters:
${declared.join('\n')}
      responses:
        "200": { description: Some, content: { application/json: { schema: ${body} } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
      responses:
        "201": { description: Added, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
components:
  schemas:
    Plant:
      type: object
      required: [id, name, isRare, gardenId]
      properties:
        id: { type: integer }
        name: { type: string, enum: [Fern, Moss, Aloe] }
        isRare: { type: boolean }
        gardenId: { type: integer, minimum: 1, maximum: 3 }
`;
}

for (const [way, parameters, body] of pagings) {
  test(`a list with paging by ${way} is complete, and each filter selects its matches`, async (t) => {
    const folder = await createFolder(t, { 'plants.yaml': describePlants(parameters, body) });
    const { fault, walks } = await walkDocumentLists(join(folder, 'plants.yaml'), 17);
    t.is(fault, undefined);
    const [walk] = walks;
    t.deepEqual(walk?.wrong, []);
    t.is(walk?.items, 17);
    t.is(walk?.pages, true);
    t.deepEqual(walk?.filters, { asked: 3, right: 3 });
  });
}
