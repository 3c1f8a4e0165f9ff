import assert from 'node:assert/strict';
import test from 'ava';
import { findAll, LazyText } from '../../src/base/lazy-text.ts';
import { fc, holds } from '../support/properties.ts';

const ASCII = 'plant '.repeat(20_000);

/** Texts that are long enough to stay bytes, with few or many letters beyond ASCII. */
const longTexts = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.boolean())
  .map(([before, after, areMany]) => `${before}${ASCII}${after.repeat(areMany ? 1_000 : 1)}`);

test('a long text is decoded as a whole and in parts', (t) => {
  holds(
    t,
    fc.property(longTexts, (text) => {
      const lazy = LazyText.read(Buffer.from(text));
      assert.equal(lazy.text, LazyText.of(text).text);
      const json = LazyText.read(Buffer.from(JSON.stringify(text)));
      assert.equal(JSON.parse(json.cutJson([0, json.bytes.length])), text);
      assert.equal(lazy.slice(0, lazy.bytes.length), lazy.text);
    }),
    50,
  );
});

test('few letters beyond ASCII in a JSON text are escaped, many are decoded', (t) => {
  const decodeJson = (text: string) => {
    const lazy = LazyText.read(Buffer.from(JSON.stringify(text)));
    return lazy.cutJson([0, lazy.bytes.length]);
  };
  t.is(decodeJson(`é🌱${ASCII}`), `"\\u00e9\\ud83c\\udf31${ASCII}"`);
  t.is(decodeJson('é plant '.repeat(20_000)), `"${'é plant '.repeat(20_000)}"`);
});

test('a byte order mark is no part of a text, whatever its length and encoding', (t) => {
  for (const text of ['plant', `${ASCII}é`]) {
    t.is(LazyText.read(Buffer.from(`\uFEFF${text}`)).text, text);
    t.is(LazyText.read(Buffer.from(`\uFEFF${text}`, 'utf16le')).text, text);
    t.is(LazyText.of(`\uFEFF${text}`).text, text);
  }
});

test('long bytes that are not UTF-8 are refused', (t) => {
  const bytes = Buffer.concat([Buffer.from(ASCII), Buffer.from([0xc3, 0x28])]);
  t.throws(() => LazyText.read(bytes), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
});

test('a word is found by a part of it, and not where only the part is', (t) => {
  const few = (length: object) => fc.string({ unit: fc.constantFrom('a', 'b'), ...length });
  holds(
    t,
    fc.property(
      few({ maxLength: 60 }),
      few({ minLength: 1, maxLength: 9 }),
      fc.nat(8),
      (text, word, skipped) => {
        const all = [...text].flatMap((_, at) => (text.startsWith(word, at) ? at : []));
        assert.deepEqual([...findAll(LazyText.of(text), word)], all);
        const part = word.slice(Math.min(skipped, word.length - 1));
        assert.deepEqual([...findAll(LazyText.of(text), word, part)], all);
      },
    ),
  );
});
