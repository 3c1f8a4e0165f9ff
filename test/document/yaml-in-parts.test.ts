import { equal } from 'node:assert/strict';
import test from 'ava';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { loadYaml, writeYaml } from '../../src/document/yaml.ts';
import { safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

const LONG_ENOUGH = 600_000;

/**
 * Returns entries with this indentation, enough for a text to be parsed in parts. The last one is so
 * long that a part ends with it.
 */
function entries(indent: number, prefix = 'entry'): string {
  const space = ' '.repeat(indent);
  const lines: string[] = [];
  const about = 'x'.repeat(500);
  for (let number = 0, length = 0; length < LONG_ENOUGH; number++) {
    const entry = `${space}${prefix}${number}:\n${space}  type: ${about}\n${space}  size: ${number}\n`;
    lines.push(entry);
    length += entry.length;
  }
  return `${lines.join('')}${space}before: ${'x'.repeat(200_000)}\n`;
}

/** Long documents, each with something that a cut before a key could tear apart. */
const documents: Readonly<Record<string, string>> = {
  'two levels of mappings': `openapi: 3.1.0\ncomponents:\n  schemas:\n${entries(4)}  more: 1\nlast: 2\n`,
  'another indentation': `paths:\n    /a:\n        get: {}\n${entries(4, '/path')}`,
  'Windows line ends': `paths:\n${entries(2)}last: 1\n`.replaceAll('\n', '\r\n'),
  comments: `# first\n---\npaths: # here\n  # and here\n\n${entries(2)}  # last\n# end\n`,
  'quoted keys and keys with colons': `paths:\n  "/a: b": 1\n  '/c': 2\n  /d:e: 3\n${entries(2)}`,
  'a list below its key': `tags:\n- name: a\n  x: 1\npaths:\n${entries(2)}servers:\n- url: b\n`,
  'a list in the indentation of keys': `paths:\n  list:\n  - name: a\n${entries(2)}  other:\n  - b: 1\n    c: 2\n`,
  'a block of text with lines like keys': `info: |\n  a: 1\n  b: 2\npaths:\n${entries(2)}  text: |\n    c: 3\n\n    d: 4\n`,
  'a long block of text': `info: |\n${entries(2)}paths: 1\n`,
  'a long folded text below a key': `info:\n  >\n${entries(4)}paths: 1\n`,
  'a long list': `list:\n${entries(4).replaceAll(/^ {4}entry/gm, '  - entry')}paths: 1\n`,
  'a flow collection that ends below its key': `paths:\n${entries(2)}  list: [\n    a,\n    b\n    ]\n  next: 1\n`,
  'a text of several lines': `paths:\n${entries(2)}  text: "a\n    b: c\n    d"\n  plain: a\n    b\n`,
  'an alias of something far away': `a: &shared\n  b: 1\npaths:\n${entries(2)}  last: *shared\n`,
  'a merge key': `a: &shared\n  b: 1\npaths:\n${entries(2)}  last:\n    <<: *shared\n`,
  'explicit keys': `paths:\n${entries(2)}  ? a\n  : 1\n  ? b\n  : 2\nlast: 1\n`,
  'an explicit key after a long mapping': `paths:\n${entries(2)}? b\n: 2\n`,
  'a key without a value': `paths:\n${entries(2)}  none:\n  some: 1\nnothing:\n`,
  'the key __proto__': `paths:\n${entries(2)}  __proto__: { a: 1 }\n  last: 1\n`,
  'nothing but comments below a key': `paths:\n${'  # nothing\n'.repeat(60_000)}last: 1\n`,
  numbers: `paths:\n${entries(2)}  one: 1e3\n  0x10: 0x10\n  1: 2\n`,
};

/** Long documents with a fault, and where it is found. */
const faults: Readonly<Record<string, string>> = {
  'a key that occurs twice, far apart': `paths:\n  a: 1\n${entries(2)}  a: 2\n`,
  'a first key that occurs twice': `paths:\n${entries(2)}a: 1\npaths: 2\n`,
  'a key after a list': `paths:\n${entries(2)}- a\n`,
  'a list that ends in the indentation of keys': `paths:\n${entries(2)}  list: [\n    a\n  ]\n  b: 1\n`,
  'a flow mapping between keys': `paths:\n${entries(2)}  {a: 1}\n`,
  'a quoted text that is left open': `paths:\n${entries(2)}  a: "b\n  c: d\n`,
  'a text of several lines with less indentation': `paths:\n${entries(2)}  a: "b\n  c: d"\n  e: 1\n`,
  'several documents': `paths:\n${entries(2)}---\na: 1\n`,
  'a line that is no entry': `paths:\n${entries(2)}  word\n  a: 1\n`,
  'an unknown alias': `paths:\n${entries(2)}  a: *nothing\n`,
  'a tab': `paths:\n${entries(2)}\ta: 1\n`,
};

const schema = CORE_SCHEMA.withTags(mergeTag);

for (const [name, text] of Object.entries(documents)) {
  test(`a long document means the same as its parser says: ${name}`, (t) => {
    t.true(text.length > LONG_ENOUGH);
    t.deepEqual(loadYaml(text), { value: load(text, { schema }) });
  });
}

for (const [name, text] of Object.entries(faults)) {
  test(`a fault in a long document is found where its parser finds it: ${name}`, (t) => {
    const loaded = loadYaml(text);
    const error = t.throws(() => load(text, { schema }));
    t.false('value' in loaded, error?.message);
    if ('value' in loaded) return;
    const { line } = (error as { mark?: { line: number } }).mark ?? {};
    if (line !== undefined) t.is(loaded.position.line, line + 1);
  });
}

test('aliases all over a long document are refused if they repeat too many values', (t) => {
  const list = (item: string): string => `[${`${item}, `.repeat(1_000)}]`;
  const million = `  a: &a ${list('x')}\n  b: ${list('*a')}\n${entries(2)}`;
  const six = Array.from({ length: 6 }, (_, index) => `part${index}:\n${million}`);
  const loaded = loadYaml(six.join(''));
  t.is('message' in loaded && loaded.message, 'aliases repeat more than 5000000 values');
});

test('a long value that is written as YAML is the same when it is read', (t) => {
  const texts = fc.array(safeJsonTexts, { minLength: 5, maxLength: 10 });
  holds(
    t,
    fc.property(texts, (values) => {
      const named = values.map(
        (text, index) => `"part ${index}":[${text},"${'x'.repeat(60_000)}"]`,
      );
      const all = `{${named.join(',')}}`;
      const value = parseJson(
        `{"info":{"inner":${all}},"all":${all},"list":[${values.join(',')}]}`,
      );
      const loaded = loadYaml(writeYaml(value));
      equal('value' in loaded && stringifyJson(loaded.value), stringifyJson(value));
    }),
    20,
  );
});
