import { join } from 'node:path';
import test from 'ava';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';

const TALLIES = `
openapi: 3.1.0
info: { title: Tallies, version: "1" }
paths:
  /tallies:
    get:
      responses: { "200": { description: All, content: { application/json: { schema: &list { type: array, items: { $ref: "#/components/schemas/Tally" } } } } } }
    post:
      requestBody: { content: { application/json: { schema: *list } } }
      responses: { "204": { description: Added } }
components:
  schemas:
    Tally:
      type: object
      properties: { id: { type: integer, readOnly: true }, count: { type: integer } }
`;

test('30,000 resources in one body are created in seconds', async (t) => {
  const folder = await createFolder(t, { 'document.yaml': TALLIES });
  const document = join(folder, 'document.yaml');
  const mock = await createMock({ document, fixtures: [], emptyState: 'nothing' });
  t.teardown(() => mock.close());
  const started = process.cpuUsage();
  const response = await mock.fetch(
    new Request('http://mock/tallies', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 30_000 }, (_, count) => ({ count }))),
    }),
  );
  t.is(response.status, 204, await response.text());
  const state = await mock.fetch(new Request('http://mock/__admin/state/tallies'));
  const stored = (await state.json()) as readonly unknown[];
  t.is(stored.length, 30_000);
  t.true(process.cpuUsage(started).user < 10_000_000);
});
