import { equal } from 'node:assert/strict';
import test from 'ava';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { loadYaml, writeYaml } from '../../src/document/yaml.ts';
import { safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

function readBack(text: string): string {
  const loaded = loadYaml(text);
  return 'value' in loaded ? stringifyJson(loaded.value) : `${loaded.message} in ${text}`;
}

test('a value that is written as YAML is the same when it is read', (t) => {
  holds(
    t,
    fc.property(safeJsonTexts, (text) => {
      const value = parseJson(text);
      equal(readBack(writeYaml(value)), stringifyJson(value));
    }),
  );
});

/** Lines, white space and the signs of YAML. */
const lines = fc.string({ unit: fc.constantFrom(...'\n\n  \t#:-|>&*!%@`\'"{}[],?~ayn0.é🌱') });

test('a text of several lines is the same when it is read', (t) => {
  holds(
    t,
    fc.property(lines, lines, (key, text) => {
      const value = { [key]: [text, { inside: text }], [`${key}.`]: text };
      equal(readBack(writeYaml(value)), stringifyJson(value));
    }),
    2000,
  );
});

test('YAML has blocks, plain texts and exact numbers', (t) => {
  const value = parseJson(
    '{"openapi":"3.1.0","info":{"title":"Plant Store","description":"One.\\n\\n  Two.\\n"},' +
      '"tags":[{"name":"no"},{"name":"pots"},[],{}],"limit":9223372036854775807,"rate":1.10e0}',
  );
  t.is(
    writeYaml(value),
    `openapi: "3.1.0"
info:
  title: Plant Store
  description: |
    One.

      Two.
tags:
  - name: "no"
  - name: pots
  - []
  - {}
limit: 9223372036854775807
rate: 1.1
`,
  );
  t.is(writeYaml([]), '[]\n');
  t.is(writeYaml('a'), 'a\n');
});
