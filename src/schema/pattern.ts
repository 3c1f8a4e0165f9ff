/** A pattern as JavaScript reads it. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/**
 * Reads a `pattern`. Patterns are Unicode's (JSON Schema Core §6.4). Many documents escape what
 * Unicode patterns do not let be escaped (`\-`), or use another language's words for what
 * JavaScript says differently: those are read as they are meant.
 *
 * @throws {SyntaxError} for what is no pattern in any of these ways
 */
export function readPattern(pattern: string): Pattern {
  const ways = [
    { source: pattern, flags: 'u' },
    { source: pattern, flags: '' },
    translate(pattern),
  ];
  const way = ways.find(isLegal);
  if (way !== undefined) return way;
  // What is wrong with it is told in terms of what was written.
  throw new SyntaxError(whyIllegal(pattern));
}

/** @throws {SyntaxError} as {@link readPattern} does */
export function compilePattern(pattern: string): RegExp {
  const { source, flags } = readPattern(pattern);
  return new RegExp(source, flags);
}

/** Perl's, Python's, Java's and .NET's ways of saying it. */
const idioms: readonly (readonly [of: RegExp, ours: string])[] = [
  [/\(\?[imsx]+\)/g, ''],
  [/\(\?P</g, '(?<'],
  [/\(\?>/g, '(?:'],
  [/\\A/g, '^'],
  [/\\[zZ]/g, '$'],
  [/([*+?}])\+/g, '$1'],
  [/\[:alpha:\]/g, 'a-zA-Z'],
  [/\[:digit:\]/g, '0-9'],
  [/\[:alnum:\]/g, 'a-zA-Z0-9'],
  [/\[:space:\]/g, '\\s'],
];

function translate(pattern: string): Pattern {
  let source = pattern;
  for (const [idiom, ours] of idioms) source = source.replaceAll(idiom, ours);
  return { source, flags: /\(\?[msx]*i/.test(pattern) ? 'i' : '' };
}

function isLegal(pattern: Pattern): boolean {
  return whyNot(pattern) === undefined;
}

function whyIllegal(pattern: string): string {
  return whyNot({ source: pattern, flags: '' }) ?? 'it is no regular expression';
}

function whyNot({ source, flags }: Pattern): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
