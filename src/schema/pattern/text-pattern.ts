import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A pattern of a rule or a query. Its time grows with the length of the text only. */
export interface TextPattern {
  matchesWhole(text: string): boolean;
  isFoundIn(text: string): boolean;
}

/** A pattern that RE2 does not accept, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Compiles a pattern of a rule or a query, in the syntax of RE2, which never backtracks. `.`
 * matches line ends too, as in WireMock.
 *
 * @throws {PatternError} for what is not a pattern, and what needs backtracking
 */
export function compileTextPattern(source: string): TextPattern {
  if (INTERSECTION.test(source)) {
    throw new PatternError(
      `${JSON.stringify(source)} intersects classes with &&, which RE2 takes to the letter`,
      'Write out the class.',
    );
  }
  // Loaded when a rule first has a pattern: most rules have none.
  const library = require('re2js') as typeof import('re2js');
  try {
    const pattern = library.RE2JS.compile(readEscapes(source), library.RE2JS.DOTALL);
    if (pattern.programSize() <= MOST_INSTRUCTIONS) {
      return {
        matchesWhole: (text) => pattern.testExact(text),
        isFoundIn: (text) => pattern.test(text),
      };
    }
  } catch (error) {
    if (!(error instanceof library.RE2JSException)) throw error;
    throw new PatternError(
      `${JSON.stringify(source)} cannot be used as a pattern: ${error.message}`,
      REMEDIES.find(([sign]) => sign.test(source))?.[1] ?? SYNTAX,
    );
  }
  throw new PatternError(
    `${JSON.stringify(source.slice(0, 80))} repeats too much: it would block the mock on long texts`,
    'Make its counted repetitions shorter, such as {0,100}.',
  );
}

/** Each may cost its own step for each character of a text. */
const MOST_INSTRUCTIONS = 2_500;

/** Java's syntax; other engines read two ampersands. */
const INTERSECTION = /(?<!\\)(?:\\\\)*\[[^\]]*&&/;

/** Syntax that needs an engine which backtracks, and what to write instead. */
const REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /\(\?(?:=|!|<=|<!)/,
    'It cannot look ahead or behind: use two matchers, and: [{matches: …}, {doesNotMatch: …}].',
  ],
  [/\\(?:[1-9]|k<)/, 'It cannot refer back to a group: write out the alternatives.'],
  [/\(\?>|[*+?}]\+/, 'It never goes back: leave out the "+" behind a quantifier, and "?>".'],
];

const SYNTAX = 'Write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax.';

/** RE2 writes `\x{20AC}` where Java and JavaScript write `\u20AC`, or two surrogates. */
function readEscapes(source: string): string {
  return source.replaceAll(
    /(\\[^u])|((?:\\u[0-9a-fA-F]{4})+)/gs,
    (whole, other: string | undefined) => (other === undefined ? toRunes(whole) : other),
  );
}

function toRunes(escapes: string): string {
  const units = escapes.split('\\u').slice(1);
  const text = String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
  return Array.from(text, (rune) => `\\x{${rune.codePointAt(0)?.toString(16)}}`).join('');
}
