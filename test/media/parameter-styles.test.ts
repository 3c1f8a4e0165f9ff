import test from 'ava';
import { isEqual } from '../../src/base/json/equal.ts';
import type { JsonValue } from '../../src/base/json/value.ts';
import { decodeForm, splitPairs } from '../../src/http/query.ts';
import { readFromPairs } from '../../src/media/query-reading.ts';
import { ANY_SHAPE, type Shape } from '../../src/media/shape.ts';
import {
  joinPairs,
  readText,
  type Serialization,
  type Style,
  StyleFault,
  writePairs,
  writeSimple,
} from '../../src/media/style.ts';
import { fc, holds } from '../support/properties.ts';

const TEXT: Shape = { ...ANY_SHAPE, types: new Set(['string']) };
const LIST: Shape = { ...ANY_SHAPE, types: new Set(['array']), item: () => TEXT };
const NAMES = ['R', 'G', 'B'];
const COLOR: Shape = {
  ...ANY_SHAPE,
  types: new Set(['object']),
  properties: new Map(NAMES.map((name) => [name, TEXT])),
  isOpen: false,
  member: () => TEXT,
};

const texts = fc.string({ unit: 'grapheme', minLength: 1 });
const lists = fc.array(texts, { minLength: 1, maxLength: 4 });
const colors = fc.record({ R: texts, G: texts, B: texts });

/** Expansion by RFC 6570, written without a look at what it is to be read by. */
function expand(style: Style, explode: boolean, name: string, value: JsonValue): string {
  const encode = (text: unknown): string =>
    encodeURIComponent(String(text)).replaceAll(
      /[!'()*.]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const prefix = { label: '.', matrix: ';' }[style as 'label' | 'matrix'] ?? '';
  const isNamed = style === 'matrix' || style === 'form';
  const separator = explode
    ? ({ label: '.', matrix: ';', form: '&' }[style as 'label'] ?? ',')
    : ',';
  const named = (text: string): string => (isNamed ? `${name}=${text}` : text);
  if (Array.isArray(value)) {
    const items = value.map(encode);
    return prefix + (explode ? items.map(named).join(separator) : named(items.join(',')));
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, text]) => [encode(key), encode(text)] as const,
    );
    return explode
      ? prefix + members.map((member) => member.join('=')).join(separator)
      : prefix + named(members.flat().join(','));
  }
  return prefix + named(encode(value));
}

function formOf(style: Style, explode: boolean, shape: Shape): Serialization {
  // RFC 6570 does not write a space as a plus.
  const decode = (text: string): string | undefined => decodeForm(text.replaceAll('+', '%2B'));
  return { name: 'name', style, explode, shape, decode };
}

for (const [kind, shape, values] of [
  ['texts', TEXT, texts],
  ['arrays', LIST, lists],
  ['objects', COLOR, colors],
] as const) {
  for (const style of ['simple', 'label', 'matrix'] as const) {
    for (const explode of [false, true]) {
      const manner = explode ? 'exploded' : 'not exploded';
      test(`${kind} of style ${style}, ${manner}, are decoded as in RFC 6570`, (t) => {
        holds(
          t,
          fc.property(values as fc.Arbitrary<JsonValue>, (value) => {
            const read = readText(
              expand(style, explode, 'name', value),
              formOf(style, explode, shape),
            );
            return !(read instanceof StyleFault) && isEqual(read, value);
          }),
        );
      });
    }
  }
  for (const explode of [false, true]) {
    const manner = explode ? 'exploded' : 'not exploded';
    test(`${kind} of style form, ${manner}, are decoded as in RFC 6570`, (t) => {
      holds(
        t,
        fc.property(values as fc.Arbitrary<JsonValue>, (value) => {
          const pairs = splitPairs(expand('form', explode, 'name', value));
          const read = readFromPairs(pairs, formOf('form', explode, shape), new Set());
          return read !== undefined && !(read instanceof StyleFault) && isEqual(read, value);
        }),
      );
    });
  }
}

const deep: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
})).value;

test('deep objects are decoded at any depth', (t) => {
  const shape: Shape = { ...ANY_SHAPE, types: new Set(['object']) };
  const form = {
    name: 'f',
    style: 'deepObject',
    explode: true,
    shape,
    decode: decodeForm,
  } as const;
  holds(
    t,
    fc.property(deep, (value) => {
      const query = joinPairs(writePairs(value, form));
      const read = readFromPairs(splitPairs(query), form, new Set());
      return read !== undefined && !(read instanceof StyleFault) && isEqual(read, value);
    }),
  );
});

test('a header value is decoded', (t) => {
  const plain = fc.stringMatching(/^[!#-+\--<>-~]{1,10}$/);
  const form = { name: 'x', style: 'simple', shape: LIST, decode: (text: string) => text } as const;
  holds(
    t,
    fc.property(fc.array(plain, { minLength: 1 }), fc.boolean(), (value, explode) => {
      const read = readText(writeSimple(value, explode), { ...form, explode });
      return !(read instanceof StyleFault) && isEqual(read, value);
    }),
  );
});

test('any query is decoded or refused without a crash', (t) => {
  const query = fc
    .array(
      fc.constantFrom(
        'name',
        '[',
        ']',
        '=',
        '&',
        '%',
        '2C',
        ',',
        '|',
        '+',
        '1',
        '%5B',
        '__proto__',
      ),
    )
    .map((parts) => parts.join(''));
  const styles: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];
  const any: Shape = { ...ANY_SHAPE, types: new Set(['array', 'object', 'integer']) };
  holds(
    t,
    fc.property(query, fc.constantFrom(...styles), fc.boolean(), (text, style, explode) => {
      const form = { name: 'name', style, explode, shape: any, decode: decodeForm };
      readFromPairs(splitPairs(text), form, new Set());
      readText(text, { ...form, style: 'matrix' });
      readText(text, { ...form, style: 'label' });
      return Object.getPrototypeOf({}) === Object.prototype && !('1' in Object.prototype);
    }),
  );
});
