import { join } from 'node:path';
import test from 'ava';
import { createMock } from '../src/index.ts';
import { createFolder } from './support/folder.ts';

const document = `
openapi: 3.1.0
info: { title: Nursery, version: "1" }
paths:
  /plants:
    get:
      responses:
        "200":
          description: Plants
          content:
            application/json:
              schema: { type: array, items: { type: integer } }
              examples:
                missing: { externalValue: ./missing.json }
                wrong: { externalValue: wrong.json }
                outside: { externalValue: ../outside.json }
                beside: { externalValue: ./plants.json }
            text/plain:
              examples:
                note: { externalValue: note.txt }
`;

test('an example may be a file beside the document, and is sent to the letter', async (t) => {
  const folder = await createFolder(t, {
    'outside.json': '[0]',
    'api/nursery.yaml': document,
    'api/plants.json': '[1,\n 9223372036854775807]',
    'api/wrong.json': '["one"]',
    'api/note.txt': 'Two plants\n',
  });
  const mock = await createMock({ document: join(folder, 'api/nursery.yaml') });
  t.teardown(() => mock.close());
  const plants = await mock.fetch('/plants');
  t.is(plants.headers.get('mock-source'), 'example; name=beside');
  t.is(await plants.text(), '[1,\n 9223372036854775807]');
  const note = await mock.fetch('/plants', { headers: { accept: 'text/plain' } });
  t.is(await note.text(), 'Two plants\n');
});
