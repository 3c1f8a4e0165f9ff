import { fc } from './properties.ts';

const white = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });

/** Any UTF-16, unpaired surrogates too. */
const anyString = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0x20, max: 0x7e })), {
    maxLength: 12,
  })
  .map((codes) => String.fromCharCode(...codes));

/** Keys that an object has, or seems to have, before anyone gives it one. */
const trickyKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '0',
);
const keys = fc.oneof({ weight: 4, arbitrary: anyString }, { weight: 1, arbitrary: trickyKey });

/** One string, written plainly or with every character escaped. */
function quoted(strings: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(strings, fc.boolean()).map(([text, isEscaped]) => {
    if (!isEscaped) return JSON.stringify(text);
    const escapes = [...Array(text.length).keys()].map(
      (index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
    );
    return `"${escapes.join('')}"`;
  });
}

/** Numbers of JSON's grammar, most of them out of a double's reach. */
export const exactNumberTexts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.bigInt({ min: 2n ** 53n - 20n, max: 2n ** 65n }),
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
    ),
    fc.option(fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 30 })),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat(60)), { freq: 1 }),
  )
  .map(([sign, whole, fraction, power]) =>
    [sign, whole, fraction === null ? '' : `.${fraction}`, power?.join('') ?? ''].join(''),
  );

/** Numbers that JSON.parse does not change. */
const safeNumberTexts = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc
    .double({ noNaN: true, min: -1e6, max: 1e6 })
    .map((value) => (Number.isInteger(value) ? '0.5' : String(value))),
  fc.constantFrom('0', '-0', '0.0', '-0e5', '1.50', '2E2', '1e-7', '0.1e1'),
);

function list(open: string, items: readonly string[], close: string, gap: string): string {
  return `${open}${gap}${items.join(`${gap},${gap}`)}${gap}${close}`;
}

/** JSON texts whose numbers are safe and whose keys are unique, with white space where it may be. */
export const safeJsonTexts: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    safeNumberTexts,
    quoted(anyString),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 5 }), white)
      .map(([items, gap]) => list('[', items, ']', gap)),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(quoted(keys), tie('value')), {
          maxLength: 5,
          selector: ([key]) => JSON.parse(key) as string,
        }),
        white,
      )
      .map(([members, gap]) =>
        list(
          '{',
          members.map(([key, value]) => `${key}${gap}:${gap}${value}`),
          '}',
          gap,
        ),
      ),
  ),
})).value;

/** Texts that are nearly JSON: one place is cut, doubled, left out or overwritten. */
export const nearlyJsonTexts: fc.Arbitrary<string> = fc
  .tuple(
    safeJsonTexts,
    fc.nat(),
    fc.constantFrom(...'{}[]",:\\-+.eE0123tfnu/*\u0000\u00a0\ufeff\u2028'),
    fc.constantFrom('cut', 'drop', 'insert', 'replace', 'repeat'),
  )
  .map(([text, number, character, kind]) => {
    const at = number % (text.length + 1);
    const before = text.slice(0, at);
    switch (kind) {
      case 'cut':
        return before;
      case 'drop':
        return before + text.slice(at + 1);
      case 'insert':
        return before + character + text.slice(at);
      case 'replace':
        return before + character + text.slice(at + 1);
      default:
        return before + text.slice(Math.max(0, at - 4));
    }
  });
