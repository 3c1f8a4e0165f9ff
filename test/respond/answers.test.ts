import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'ava';
import { rankMediaTypes } from '../../src/http/media-type.ts';
import { readPrefer } from '../../src/http/prefer.ts';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { fc, holds } from '../support/properties.ts';

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

test('an example can be a file beside the document, and is sent exactly', async (t) => {
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

const mediaTypes = ['application/json', 'application/json;profile=a', 'text/plain', '*/*', 'x'];
const acceptPart = fc.oneof(
  fc.constantFrom(...mediaTypes, 'text/*', ';', ',', '"', '\\', ';q=0', ';q=0.5', ';q=x', '; a="b'),
  fc.string({ maxLength: 4 }),
);

test('any Accept selects declared media types, each once', (t) => {
  holds(
    t,
    fc.property(
      fc.array(acceptPart, { maxLength: 12 }),
      fc.uniqueArray(fc.constantFrom(...mediaTypes), { maxLength: 5 }),
      (parts, declared) => {
        const ranked = rankMediaTypes(parts.join(''), declared);
        assert.equal(new Set(ranked).size, ranked.length);
        assert.ok(ranked.every((one) => declared.includes(one)));
      },
    ),
  );
});

test('a media type of weight 0 is never selected, and a preferred declared one is', (t) => {
  const declared = ['application/json', 'text/plain', 'image/png'];
  holds(
    t,
    fc.property(fc.shuffledSubarray(declared, { minLength: 1 }), (wished) => {
      const accept = wished.map((one, index) => `${one};q=${index === 0 ? 0 : 1 / index}`).join();
      assert.deepEqual(rankMediaTypes(accept, declared), wished.slice(1));
    }),
  );
});

test('a quoted preference keeps every character', (t) => {
  holds(
    t,
    fc.property(fc.string({ minLength: 1 }), fc.constantFrom(',', ';'), (name, separator) => {
      const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
      const preference = readPrefer(`code=404${separator} example=${quoted}${separator}seed=7`);
      assert.deepEqual(preference, { code: 404, example: name, seed: '7' });
    }),
  );
});

test('a generated response in XML fits one schema of oneOf as it is read', async (t) => {
  const one = (members: string) => `{ type: object, xml: { name: reply }, properties: ${members} }`;
  const folder = await createFolder(t, {
    'replies.yaml': `
openapi: 3.0.3
info: { title: Replies, version: "1" }
paths:
  /reply:
    get:
      responses:
        "200":
          description: A success or an error
          content:
            text/xml:
              schema:
                oneOf:
                  - ${one('{ command: { type: string, example: stop, enum: [stop, go] }, status: { type: string, example: "0" } }')}
                  - ${one('{ error: { type: string, example: Denied }, status: { type: string, example: "1", enum: ["0", "1"] } }')}
`,
  });
  const mock = await createMock({ document: join(folder, 'replies.yaml') });
  t.teardown(() => mock.close());
  for (let seed = 0; seed < 40; seed++) {
    const reply = await mock.fetch('/reply', { headers: { prefer: `dynamic=true, seed=${seed}` } });
    const text = await reply.text();
    const isCommand = !text.includes('<command') || /<command>(?:stop|go)</.test(text);
    const hasStatus = !text.includes('<status') || /<status>[01]</.test(text);
    const isError = hasStatus && !/<error [^>]*nil=/.test(text);
    t.not(isCommand, isError, text);
  }
});
