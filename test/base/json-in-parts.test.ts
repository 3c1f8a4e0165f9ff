import assert from 'node:assert/strict';
import test from 'ava';
import { scanJson } from '../../src/base/json/outline.ts';
import { JsonError, parseJson } from '../../src/base/json/parse.ts';
import { parseJsonInParts } from '../../src/base/json/parse-in-parts.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { LazyText } from '../../src/base/lazy-text.ts';
import { exactNumberTexts, nearlyJsonTexts, safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

/** Returns the value as JSON, or the message with which the text is refused. */
function outcomeOf(parse: (text: string) => JsonValue, text: string): string {
  try {
    return stringifyJson(parse(text));
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

/** Parses a text in parts, if it has an outline. */
function parseInParts(text: string): JsonValue {
  const lazy = LazyText.of(text);
  const outline = scanJson(lazy)?.outline;
  if (outline === undefined) return parseJson(lazy.text);
  return parseJsonInParts(lazy, JSON.parse(JSON.stringify(outline)));
}

const filling = 'x'.repeat(5_000);

/** Returns a text of objects in each other with these values, so long that it is read in parts. */
function nest(values: readonly string[]): string {
  const members = values.map(
    (value, index) => `"${index}": ${value}, "long${index}": "${filling}"`,
  );
  const inner = `{${members.join(',\n  ')}}`;
  const outer = Array.from({ length: 20 }, (_, index) => `"part${index}" : ${inner}`);
  return `\n{ ${outer.join(', ')}, "list": [${inner}, ${inner}], "e\\u0073caped": ${inner} }\n`;
}

test('a long text is read in parts as it is at once', (t) => {
  const values = fc.array(fc.oneof(safeJsonTexts, exactNumberTexts), {
    minLength: 1,
    maxLength: 3,
  });
  holds(
    t,
    fc.property(values, (texts) => {
      const text = Buffer.from(nest(texts)).toString();
      assert.equal(outcomeOf(parseInParts, text), outcomeOf(parseJson, text));
    }),
    100,
  );
});

test('a long text with a fault anywhere is refused at once, for the same reason', (t) => {
  const values = fc.array(nearlyJsonTexts, { minLength: 1, maxLength: 3 });
  holds(
    t,
    fc.property(values, (texts) => {
      const text = Buffer.from(nest(texts)).toString();
      assert.equal(outcomeOf(parseInParts, text), outcomeOf(parseJson, text));
    }),
    200,
  );
});

test('a key that occurs twice in a long text is refused, however it is written', (t) => {
  const objects = [
    '{"a": 1, "b": 2, "a": 3}',
    '{"a": 1, "\\u0061": 2}',
    '{"": 1, "": 2}',
    '{"é": 1, "\\u00e9": 2}',
    '{"\\ud83c\\udf31": 1, "🌱": 2}',
  ];
  for (const twice of objects) {
    const text = nest(['1', `[[${twice}]]`]);
    const expected = { instanceOf: JsonError, message: /occurs twice/ };
    t.throws(() => parseInParts(text), expected, twice);
  }
  const keys = Array.from({ length: 100 }, (_, index) => `"key${index}": ${index}`);
  const many = (last: string) => nest([`{${keys.join()}, ${last}: 0}`]);
  t.throws(() => parseInParts(many('"key7"')), { message: /"key7" occurs twice/ });
  t.notThrows(() => parseInParts(many('"key100"')));
});

test('a part is made once, and is an ordinary member afterwards', (t) => {
  const whole = parseInParts(nest(['{"__proto__": {"a": -0}}', '1e2']));
  assert(isJsonObject(whole) && isJsonObject(whole['part0']));
  t.is(whole['part0'], whole['part0']);
  t.is(Object.getOwnPropertyDescriptor(whole, 'part0')?.writable, true);
  whole['part1'] = 'other';
  t.deepEqual(Object.entries(whole).slice(0, 2), [
    ['part0', whole['part0']],
    ['part1', 'other'],
  ]);
  t.is(whole['part0']['1'], 100);
});
