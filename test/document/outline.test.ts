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

test('nothing is missed in a long text whose keys are escaped', (t) => {
  const [, long] = factsOf('{"\\u0024ref": "a.json"}');
  const all = { hasIdentifiers: true, hasExtensions: true, leadsOutward: true };
  t.deepEqual(long, { ...all, isLong: true });
});
