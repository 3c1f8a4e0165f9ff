import assert from 'node:assert/strict';
import test from 'ava';
import { cutText } from '../../src/delivery/send-over-socket.ts';
import { createMock } from '../../src/index.ts';
import { createPlant } from '../support/plants.ts';
import { fc, holds } from '../support/properties.ts';
import { openRaw, rawCreate } from '../support/raw-socket.ts';

/** Characters of one, two, three and four bytes. */
const NAME = 'aß€🫐'.repeat(200_000);

test('a text is split into pieces between characters', (t) => {
  const texts = fc.string({ unit: 'binary', maxLength: 200 });
  const property = fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, most) => {
    const pieces = [...cutText(text, most)];
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= most));
    assert.deepEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), Buffer.from(text));
  });
  holds(t, property, 2_000);
});

test('a large response arrives complete with its length, and the next one after it', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0 });
  const connection = await openRaw(t, port);
  connection.send(rawCreate(JSON.stringify({ id: 1, name: NAME })));
  connection.send(rawCreate('{"id":2,"name":"Fern"}'));
  const { fields, body } = await connection.answer(60_000);
  t.true(body === JSON.stringify({ name: NAME }));
  t.is(fields.get('content-length'), String(Buffer.byteLength(body)));
  t.is(fields.get('mock-source'), 'state');
  t.is((await connection.answer()).body, '{"name":"Fern"}');
});

test('a client that disconnects during a large response does not affect others', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { port, url } = await mock.listen({ port: 0 });
  for (let round = 0; round < 5; round++) {
    const connection = await openRaw(t, port);
    connection.socket.pause();
    connection.send(rawCreate(JSON.stringify({ id: round, name: NAME })));
    await new Promise((resolve) => connection.socket.once('readable', resolve).read(0));
    connection.socket.resetAndDestroy();
  }
  const response = await fetch(`${url}/plants`, createPlant());
  t.is(response.status, 200);
});
