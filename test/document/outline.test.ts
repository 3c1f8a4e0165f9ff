import test from 'ava';
import { LazyText } from '../../src/base/lazy-text.ts';
import { findOutline } from '../../src/document/source.ts';

const FILLING = 'x'.repeat(100_000);

/** Returns what is known of a JSON text, once as a short one and once as a part of a long one. */
function factsOf(text: string) {
  return [text, `{"filling": "${FILLING}", "inner": ${text}}`].map((each) => {
    const { hasIdentifiers, hasExtensions, leadsOutward, json } = findOutline(
      LazyText.of(each),
      true,
    );
    return { hasIdentifiers, hasExtensions, leadsOutward, isLong: json !== undefined };
  });
}

const NONE = { hasIdentifiers: false, hasExtensions: false, leadsOutward: false };

test('the same is known of a short text and of a long one', (t) => {
  const cases = [
    ['{"$ref": "#/a", "type": "object"}', {}],
    ['{"$ref": "a.json"}', { leadsOutward: true }],
    ['{"$dynamicRef" : "a.json#b"}', { leadsOutward: true }],
    ['{"externalValue": "a.txt"}', { leadsOutward: true }],
    ['{"mapping": {"a": "a.json"}}', { leadsOutward: true }],
    ['{"$id": "a"}', { hasIdentifiers: true }],
    ['{"a": {"$anchor": "b"}}', { hasIdentifiers: true }],
    ['[{"$dynamicAnchor": "b"}]', { hasIdentifiers: true }],
    ['{"x-coldframe": {}}', { hasExtensions: true }],
  ] as const;
  for (const [text, facts] of cases) {
    const [short, long] = factsOf(text);
    t.deepEqual(short, { ...NONE, ...facts, isLong: false }, text);
    t.deepEqual(long, { ...NONE, ...facts, isLong: true }, text);
  }
});

const ALL = { hasIdentifiers: true, hasExtensions: true, leadsOutward: true };

test('nothing is missed in a text whose keys are escaped', (t) => {
  for (const key of ['\\u0024ref', '$\\u0069d', 'external\\u0056alue', 'x\\u002dcoldframe']) {
    const [short, long] = factsOf(`{"${key}": "a.json"}`);
    t.deepEqual(short, { ...ALL, isLong: false }, key);
    t.deepEqual(long, { ...ALL, isLong: true }, key);
  }
  for (const key of ['\\x24ref', '\\U00000024id', 'x\\x2Dcoldframe']) {
    const { json: _, ...facts } = findOutline(LazyText.of(`"${key}": a`), false);
    t.deepEqual(facts, ALL, key);
  }
});

test('escapes that no name needs are no hint', (t) => {
  const [short, long] = factsOf('{"description": "\\u003cb\\u003e \\u0026 \\n"}');
  t.deepEqual(short, { ...NONE, isLong: false });
  t.deepEqual(long, { ...NONE, isLong: true });
});
