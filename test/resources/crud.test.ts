import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { countSteps, type DocumentWalks, steps, wrongs } from '../../scripts/crud/figures.ts';
import { walkDocument } from '../../scripts/crud/walk-document.ts';
import { findDocuments } from '../../scripts/sweep/find-documents.ts';
import { createFolder } from '../support/folder.ts';
import { testWith } from '../support/needs.ts';

const beside = fileURLToPath(new URL('../../../shared/documents', import.meta.url));
const shared = existsSync(beside) ? realpathSync(beside) : beside;

/** @returns a document of plants; one and many are schemas of bodies, which name `Plant` */
function describePlants(one: string, many: string): string {
  const body = (schema: string): string => `{ application/json: { schema: ${schema} } }`;
  return `
openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    get: { responses: { "200": { description: All, content: ${body(many)} } } }
    post:
      requestBody: { required: true, content: ${body(one)} }
      responses: { "201": { description: Added, content: ${body(one)} } }
  /plants/{plantId}:
    parameters: [{ name: plantId, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: One, content: ${body(one)} } } }
    put:
      requestBody: { required: true, content: ${body(one)} }
      responses: { "200": { description: One, content: ${body(one)} } }
    delete: { responses: { "204": { description: Gone } } }
components:
  schemas:
    Plant:
      type: object
      required: [id, name, createdAt]
      properties:
        id: { type: string, format: uuid, readOnly: true }
        name: { type: string, minLength: 1 }
        height: { type: number }
        createdAt: { type: string, format: date-time, readOnly: true }
`;
}

const PLANT = '{ $ref: "#/components/schemas/Plant" }';
const LIST = `{ type: array, items: ${PLANT} }`;

/** Forms that the answers of an API may have, of the same resource. */
const forms: readonly (readonly [form: string, one: string, many: string])[] = [
  ['bare', PLANT, LIST],
  [
    'wrapped',
    `{ type: object, required: [plant], properties: { plant: ${PLANT} } }`,
    `{ type: object, required: [data], properties: { data: ${LIST}, total: { type: integer } } }`,
  ],
];

for (const [form, one, many] of forms) {
  test(`a resource that is shown ${form} can be created, read, listed, changed and deleted`, async (t) => {
    const folder = await createFolder(t, { 'api.yaml': describePlants(one, many) });
    const walked = await walkDocument(join(folder, 'api.yaml'));
    t.is(walked.fault, undefined);
    t.deepEqual(walked.walks.flatMap(wrongs), []);
    for (const step of steps) t.is(countSteps(walked.walks, step).done, 1, step);
  });
}

test('a walk detects a mock that stores nothing', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': describePlants(PLANT, LIST) });
  const { walks } = await walkDocument(join(folder, 'api.yaml'), { mode: 'example' });
  t.regex(walks.flatMap(wrongs).join(), /read again: answered by generated/);
});

testWith(shared)(
  'resources of real documents can be created, read, listed, changed and deleted',
  async (t) => {
    t.timeout(300_000);
    const all: DocumentWalks[] = [];
    for (const document of findDocuments(shared)) all.push(await walkDocument(document));
    t.deepEqual(
      all.flatMap(({ document, walks }) =>
        walks.flatMap((walk) => wrongs(walk).map((wrong) => `${document}: ${wrong}`)),
      ),
      [],
    );
    const walks = all.flatMap((one) => one.walks);
    t.true(walks.length > 40, `${walks.length} collections`);
  },
);
