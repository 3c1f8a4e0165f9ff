import { equal } from 'node:assert/strict';
import test from 'ava';
import { CORE_SCHEMA, dump, load, mergeTag } from 'js-yaml';
import { stringify } from 'yaml';
import { tryParseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonValue } from '../../src/base/json/value.ts';
import { LazyText } from '../../src/base/lazy-text.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { createPartReader, loadYaml, writeYaml } from '../../src/document/yaml.ts';
import { writeYamlAsJson } from '../../src/document/yaml-as-json.ts';
import { safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

const schema = CORE_SCHEMA.withTags(mergeTag);

/** So long that some parts of a text can be left to the parser. */
const COMMENT = `# ${'x'.repeat(10_000)}\n`;

/** Returns the JSON of a YAML text; undefined if it has to be parsed as a whole. */
function write(text: string, parse = createPartReader()): string | undefined {
  return writeYamlAsJson(LazyText.of(COMMENT + text), parse)?.text;
}

function neverParse(part: string): never {
  throw new Error(`left to the parser: ${part}`);
}

/** Forms that are written as JSON without a parser, and what they mean. */
const forms: Readonly<Record<string, readonly [yaml: string, json: string]>> = {
  'mappings and lists in each other': [
    'a:\n  b:\n    - c\n    - d: 1\n      e: 2\n    -\n      f: 3\n    - - g\n      - h\n',
    '{"a":{"b":["c",{"d":1,"e":2},{"f":3},["g","h"]]}}',
  ],
  'a list in the column of its key': [
    'a:\n- b\n-  c: 1\n   d: 2\ne: []\n',
    '{"a":["b",{"c":1,"d":2}],"e":[]}',
  ],
  'nothing after a key and after a hyphen': [
    'a:\nb:\n  -\n  - # none\nc: {}\n',
    '{"a":null,"b":[null,null],"c":{}}',
  ],
  'words and numbers of JSON': [
    'a: true\nb: false\nc: null\nd: 0\ne: -12\nf: 1.5\ntrue: 1\n200: 2\n',
    '{"a":true,"b":false,"c":null,"d":0,"e":-12,"f":1.5,"true":1,"200":2}',
  ],
  'texts that begin like words and numbers': [
    'a: nulls\nb: truly\nc: 2022-11-28\nd: 1.2.3\ne: 2XX\nf: -x\n4.5.0: type\n5xx: no\n',
    '{"a":"nulls","b":"truly","c":"2022-11-28","d":"1.2.3","e":"2XX","f":"-x","4.5.0":"type","5xx":"no"}',
  ],
  'texts with indicators': [
    `a: b:c #d e#f "g" 'h' \\i [j], {k}\n/a/{b}: '#/c'\n$ref: "#/d"\n`,
    `{"a":"b:c","/a/{b}":"#/c","$ref":"#/d"}`,
  ],
  'quoted texts': [
    `"a b": "\\"c\\n\\u0041\\\\ /\\/"\n'd''e': 'it''s "f" \\n'\n`,
    `{"a b":"\\"c\\n\\u0041\\\\ /\\/","d'e":"it's \\"f\\" \\\\n"}`,
  ],
  'texts of several lines': [
    'a: one\n  two  \n\n    three # end\nb: "one\n  two\n\n\n  three"\nc: \'one\n  two\'\n',
    '{"a":"one two\\nthree","b":"one two\\n\\nthree","c":"one two"}',
  ],
  'a comment after a text of several lines': ['a: one\n\n  # two\nb: 1\n', '{"a":"one","b":1}'],
  'literal blocks': [
    'a: |\n  one:\n    "two"\t\\\n\n  three # four\n\nb: |-\n  one\n\nc: |+\n  one\n\nd:\n- |\n e\nf: 1\n',
    '{"a":"one:\\n  \\"two\\"\\t\\\\\\n\\nthree # four\\n","b":"one","c":"one\\n\\n","d":["e\\n"],"f":1}',
  ],
  'folded blocks': [
    'a: >\n  one\n  two\n\n  three\n\n\n    more\n    lines\n  four\nb: >-\n\n  one\n  two\n\nc: >+\n  one\n\nd: 1\n',
    '{"a":"one two\\nthree\\n\\n\\n  more\\n  lines\\nfour\\n","b":"\\none two","c":"one\\n\\n","d":1}',
  ],
  'comments and a marker': [
    '# a\n---\n# b\na: 1 # c\n  # d\n\n# e\nb: # f\n  # g\n  c: 2\n# h\n',
    '{"a":1,"b":{"c":2}}',
  ],
  'Windows line ends': [
    'a: |\r\n  one\r\n  two\r\nb: one\r\n  two\r\nc:\r\n- 1\r\n',
    '{"a":"one\\ntwo\\n","b":"one two","c":[1]}',
  ],
  'letters beyond ASCII': ['ключ: ëñ 漢字 🙂\n', '{"ключ":"ëñ 漢字 🙂"}'],
  'flow collections on one line': [
    'a: [b, "c", \'d\', [], {}, {e: f, "g": [1, true]}, ] # h\ni: { j: k:l, 200: -m, n: { } }\no:\n- [p#q, r]\n- {s: t u}\n',
    '{"a":["b","c","d",[],{},{"e":"f","g":[1,true]}],"i":{"j":"k:l","200":"-m","n":{}},"o":[["p#q","r"],{"s":"t u"}]}',
  ],
  'JSON that is longer': ['a:\n- 1\n- 2\nb:\nc:\nd: \n', '{"a":[1,2],"b":null,"c":null,"d":null}'],
};

for (const [name, [yaml, json]] of Object.entries(forms)) {
  test(`YAML is written as JSON without a parser: ${name}`, (t) => {
    t.is(writeYamlAsJson(LazyText.of(yaml), neverParse)?.text, json);
    t.deepEqual(JSON.parse(json), load(yaml, { schema }));
  });
}

/** Forms of which the innermost member or item is left to the parser. */
const left: Readonly<Record<string, string>> = {
  'flow collections on several lines': 'a: [b,\n  c]\nd:\n- {\n    e: 2\n  }\nh: 3\n',
  'pairs and keys alone in flow collections': 'a: [b: 1]\nc: {d, e: , "f":1, ? g : h}\n',
  'a comment in a flow collection': 'a: [b, # c\n  d]\n',
  'other texts in flow collections': 'a: [0x1F, ~, True]\nc: {"\\x41": 1}\n',
  'escapes that JSON does not have': 'a: "\\x41\\e\\N"\nb: "c\\\n  d"\n',
  'numbers in other spellings': 'a: 0x1F\nb: 0o17\nc: 1e3\nd: +1\ne: 007\nf: 1.50\ng: .5\nh: -0\n',
  'long numbers': 'a: 9007199254740993\nb: 0.12345678901234567\n',
  'other spellings of words': 'a: True\nb: ~\nc: NULL\n',
  'tags and anchors': 'a: !!str 1\nb: &c\n  d: 1\ne: &f\n- 1\ng: 2\n',
  'blocks with an indicator of indentation': 'a: |2\n    b\nc: |1-\n  d\n',
  'a block with comments, and one without lines': 'a: | # b\n  c\nd: |\ne: >-\n\nf: 1\n',
  'a block whose first line is not deeper': 'a:\n  b: |\n  c: 1\nd: 1\n',
  'a block at the end of the text': 'a:\n  b: |+\n    c\n\n',
  'explicit keys': 'a:\n  ? b\n  : c\nd: 1\n',
  'keys that mean other texts': 'a:\n  0x10: 1\n  ~: 2\n  1.0: 3\nb: 1\n',
  tabs: 'a:\tb\nc: d\te\nf:\n  -\tg\n',
  'a text below its key': 'a:\n  b\n  c\nd:\n  "e"\nf:\n  |\n  g\nh: 1\n',
  'a merge key': 'a:\n  <<: { b: 1 }\n  c: 2\n',
};

for (const [name, yaml] of Object.entries(left)) {
  test(`a part of YAML is left to the parser: ${name}`, (t) => {
    const loaded = loadYaml(yaml);
    t.true('value' in loaded);
    const value = tryParseJson(write(yaml) ?? '');
    t.is(value && stringifyJson(value), 'value' in loaded ? stringifyJson(loaded.value) : '');
    t.is(write(yaml, neverParse), undefined);
  });
}

const wholes: Readonly<Record<string, string>> = {
  'an alias': 'a: &b 1\nc: *b\n',
  'a list': '- a\n- b\n',
  'a text': 'a\n',
  nothing: '# a\n',
  'several documents': 'a: 1\n---\nb: 2\n',
  'a document on the line of its marker': 'a: 1\n--- b: 2\n',
  'a marker like a key': 'a: 1\n... b: 2\n',
  'the end of a document': 'a: 1\n...\n',
  'a directive': '%YAML 1.2\n---\na: 1\n',
  'a carriage return alone': 'a: 1 # b\rc: 2\n',
  'a byte order mark inside': 'a: 1\n\uFEFFb: 2\n',
  'a zero': 'a: 1\n\0b: 2\n',
  'a control character': 'a: b\u0007\n',
  'a character that cannot be printed': 'a: b\u0080\n',
  'the last character of a plane': 'a: |\n  b\uFFFF\nc: 1\n',
  'the character for deletion': 'a: b\u007F\n',
  'a mapping that is indented': '  a: 1\n  b: 2\n',
};

for (const [name, yaml] of Object.entries(wholes)) {
  test(`YAML is parsed as a whole: ${name}`, (t) => {
    t.is(write(yaml), undefined);
  });
}

/** Returns the value of a YAML text as JSON, or nothing for a fault. */
function readWhole(yaml: string): string {
  const loaded = loadYaml(yaml);
  return 'value' in loaded ? stringifyJson(loaded.value) : '';
}

/** Holds the JSON of a YAML text against the parser's value, and a repeated key against its fault. */
function isSameAsParsed(yaml: string): void {
  const json = write(yaml);
  if (json === undefined) return;
  const value = tryParseJson(json);
  equal(value === undefined ? '' : stringifyJson(value), readWhole(yaml), yaml);
}

/** Lines, or parts of them, that meet in any order. */
const pieces = [
  ...[
    'a:',
    'b: 1',
    'c: text',
    'd: "e"',
    "'f': g",
    '"h":',
    '200: i',
    '/j: k',
    '<<: l',
    '? m',
    ': n',
  ],
  ...[
    '- o',
    '-',
    '- - p',
    '- q: r',
    '-s',
    '- |',
    '- "t',
    '|',
    '>-',
    'u: |',
    'v: >',
    'w: >+',
    'x: |-',
  ],
  ...['y: |2', 'z: "one', 'two"', "A: 'one", "two'", 'B: one', 'two: three', 'C: [', ']', 'D: {}'],
  ...[
    'C: [D, {e: f}]',
    'D: {g: [h], i}',
    'E: &F 1',
    'G: *F',
    '# H',
    'I: 1 # J',
    'K:L',
    'M : N',
    'O: ~',
    'P: True',
    'Q: 0x1F',
    'R: 1.0',
  ],
  ...[
    '---',
    '...',
    '',
    '   ',
    '\t',
    'S:\tT',
    'U: "\\x41"',
    'V: "W\\',
    '__proto__: 1',
    'X: \u0085',
    'é: ü',
  ],
];

const lines = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(...pieces),
    fc.constantFrom('', ' ', ' # Y'),
  )
  .map(([indent, piece, behind]) => ' '.repeat(indent) + piece + behind);

test('whatever lines a YAML text has, its JSON has the value that the parser gives', (t) => {
  const texts = fc
    .tuple(
      fc.array(lines, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n'),
    )
    .map(([all, lineEnd, end]) => all.join(lineEnd) + end);
  holds(t, fc.property(texts, isSameAsParsed), 5_000);
});

test('a value that is written as YAML in any style is the same as JSON', (t) => {
  const styles: readonly ((value: JsonValue) => string)[] = [
    (value) => dump(value),
    (value) => dump(value, { lineWidth: -1, indent: 4 }),
    (value) => dump(value, { forceQuotes: true, seqNoIndent: true }),
    (value) => dump(value, { flowLevel: 2 }),
    (value) => stringify(value, { lineWidth: 20 }),
    (value) => stringify(value, { lineWidth: 20, defaultStringType: 'QUOTE_DOUBLE' }),
    (value) => stringify(value, { lineWidth: 20, defaultStringType: 'QUOTE_SINGLE' }),
    writeYaml,
  ];
  const words = fc.constantFrom(
    'a',
    'one two three four five six',
    ' b ',
    'c: d',
    '#e',
    "f'g",
    'h"i',
    'j\nk',
    '\n\n',
    'null',
    '1',
    '',
  );
  const values = fc.dictionary(
    words,
    fc.oneof(
      safeJsonTexts.map((text) => JSON.parse(text)),
      fc.array(words).map((all) => all.join(' ')),
    ),
    { minKeys: 1 },
  );
  holds(
    t,
    fc.property(values, fc.constantFrom(...styles), (value, style) => isSameAsParsed(style(value))),
    2_000,
  );
});

const LONG_ENOUGH = 600_000;

/**
 * Returns entries with this indentation, enough for a text to be written as JSON. The last one is
 * long.
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

/** Long documents, each with something else that a reader by lines could take for something else. */
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

for (const [name, text] of Object.entries(documents)) {
  test(`a long document means the same as its parser says: ${name}`, (t) => {
    t.true(text.length > LONG_ENOUGH);
    t.deepEqual(parseSource('long.yaml', text).value, load(text, { schema }) as JsonValue);
  });
}

for (const [name, text] of Object.entries(faults)) {
  test(`a fault in a long document is found where its parser finds it: ${name}`, (t) => {
    const error = t.throws(() => parseSource('long.yaml', text), { instanceOf: DiagnosticError });
    const fault = t.throws(() => load(text, { schema }));
    const { line } = (fault as { mark?: { line: number } }).mark ?? {};
    if (line !== undefined) t.is(error?.diagnostics[0]?.position.line, line + 1);
  });
}

test('aliases all over a long document are refused if they repeat too many values', (t) => {
  const list = (item: string): string => `[${`${item}, `.repeat(1_000)}]`;
  const million = `  a: &a ${list('x')}\n  b: ${list('*a')}\n${entries(2)}`;
  const six = Array.from({ length: 6 }, (_, index) => `part${index}:\n${million}`);
  const loaded = loadYaml(six.join(''));
  t.is('message' in loaded && loaded.message, 'aliases repeat more than 5000000 values');
});
