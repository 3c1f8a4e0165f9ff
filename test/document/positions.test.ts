import assert from 'node:assert/strict';
import test from 'ava';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { toPointer } from '../../src/base/json/pointer.ts';
import { parseSource } from '../../src/document/source.ts';
import { fc, holds } from '../support/properties.ts';

/** Every place of a text by JSON Pointer, as `line:column`, found by another parser. */
function placesByAnotherParser(text: string): ReadonlyMap<string, string> {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  const places = new Map<string, string>();
  const walk = (node: unknown, path: readonly (string | number)[]): void => {
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
    const { line, col } = lines.linePos(node.range?.[0] ?? 0);
    places.set(toPointer(path), `${line}:${col}`);
    for (const [name, child] of childrenOf(node)) walk(child, [...path, name]);
  };
  walk(contents, []);
  return places;
}

function childrenOf(node: unknown): (readonly [name: string | number, child: unknown])[] {
  if (isSeq(node)) return node.items.map((item, index) => [index, item] as const);
  if (!isMap(node)) return [];
  return node.items.map(
    ({ key, value }) => [String(isScalar(key) ? key.value : key), value] as const,
  );
}

function placesByUs(file: string, text: string, pointers: Iterable<string>): Map<string, string> {
  const source = parseSource(file, text);
  return new Map(
    [...pointers].map((pointer) => {
      const { line, column } = source.locate(pointer);
      return [pointer, `${line}:${column}`] as const;
    }),
  );
}

// Empty containers and keys with every character, nested; nothing that YAML writes in another way.
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, tie('simple'), tie('list'), tie('object')),
  simple: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ unit: 'grapheme' })),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 4 }),
}));

test('every value of a JSON text has the position that another parser finds', (t) => {
  holds(
    t,
    fc.property(anyValue, fc.constantFrom(undefined, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const expected = placesByAnotherParser(text);
      assert.deepEqual(placesByUs('a.json', text, expected.keys()), expected);
    }),
  );
});

test('every value of a JSON text has the same position when read as YAML', (t) => {
  holds(
    t,
    fc.property(anyValue, (value) => {
      const text = JSON.stringify(value, null, 2);
      const expected = placesByAnotherParser(text);
      assert.deepEqual(placesByUs('a.yaml', text, expected.keys()), expected);
    }),
  );
});

const YAML = `# A comment before it all
name: &name Fern   # an anchor
'quoted key': "text"
list:
- 1
-   two
- { flow: [a, 'b'] }
- - nested
empty:
again: *name
block: |
  two
  lines
deep: {a: {b: {c: 1}}}
`;

test('every value of a YAML text has its line', (t) => {
  const places = placesByUs('a.yaml', YAML, [
    '',
    '/name',
    '/quoted key',
    '/list/0',
    '/list/1',
    '/list/2/flow/1',
    '/list/3/0',
    '/deep/a/b/c',
  ]);
  t.deepEqual(Object.fromEntries(places), {
    '': '2:1',
    '/name': '2:13',
    '/quoted key': '3:15',
    '/list/0': '5:3',
    '/list/1': '6:5',
    '/list/2/flow/1': '7:15',
    '/list/3/0': '8:5',
    '/deep/a/b/c': '14:19',
  });
});

test('a missing value has the position of its nearest parent, a key its own', (t) => {
  const source = parseSource('a.yaml', YAML);
  t.deepEqual(source.locate('/deep/a/none/of/these'), { line: 14, column: 8 });
  t.deepEqual(source.locate('/deep/a', 'key'), { line: 14, column: 8 });
  t.deepEqual(source.locate('/nowhere'), { line: 2, column: 1 });
});
