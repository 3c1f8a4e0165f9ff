import { createRequire } from 'node:module';
import type { AST } from '@eslint-community/regexpp';
import type { DFA } from 'refa';

const require = createRequire(import.meta.url);

/** A pattern as JavaScript reads it. */
export type PatternSource = Pick<RegExp, 'source' | 'flags'>;

/** The syntax tree of a pattern, as it is written. */
export interface PatternSyntax {
  readonly root: AST.Pattern;
  readonly flags: string;
}

/**
 * Reads a `pattern`. Patterns are Unicode's (JSON Schema Core §6.4). Many documents escape what
 * Unicode patterns do not let be escaped (`\-`), or use the syntax of another language: those are
 * read as they are meant.
 *
 * @throws {SyntaxError} for what is not a pattern in any of these ways
 */
export function readPattern(pattern: string): PatternSource {
  const source = anchorAsMeant(pattern);
  const readings = [{ source, flags: 'u' }, { source, flags: '' }, translate(source)];
  const legal = readings.find((reading) => whyIllegal(reading) === undefined);
  if (legal !== undefined) return legal;
  // The message quotes the pattern as it is written.
  const reason = whyIllegal({ source: pattern, flags: '' });
  throw new SyntaxError(reason ?? 'it is not a regular expression');
}

/** Replacements for the syntax of Perl, Python, Java and .NET. */
const idioms: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/\(\?[imsx]+\)/g, ''],
  [/\(\?P</g, '(?<'],
  [/\(\?>/g, '(?:'],
  [/([*+?}])\+/g, '$1'],
  [/\[:alpha:\]/g, 'a-zA-Z'],
  [/\[:digit:\]/g, '0-9'],
  [/\[:alnum:\]/g, 'a-zA-Z0-9'],
  [/\[:space:\]/g, '\\s'],
];

/**
 * Returns a pattern with JavaScript's anchors. `\A` is an `A` to it, and `/^a$/`, a literal with its
 * slashes, matches no text at all.
 */
function anchorAsMeant(pattern: string): string {
  const [, inner = pattern] = /^\/(\^.*\$)\/[a-z]*$/s.exec(pattern) ?? [];
  return inner.replaceAll(/\\./gs, (escaped) => anchors.get(escaped) ?? escaped);
}

const anchors: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '$'],
]);

function translate(pattern: string): PatternSource {
  let source = pattern;
  for (const [theirs, ours] of idioms) source = source.replaceAll(theirs, ours);
  return { source, flags: /\(\?[msx]*i/.test(pattern) ? 'i' : '' };
}

function whyIllegal({ source, flags }: PatternSource): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Returns the syntax tree of a `pattern`; undefined for what is not one. */
export function parsePattern(pattern: string): PatternSyntax | undefined {
  try {
    return parseSource(readPattern(pattern));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Parses what {@link readPattern} returns into its syntax tree. */
export function parseSource({ source, flags }: PatternSource): PatternSyntax {
  const parser = new (loadRegexpp().RegExpParser)();
  const unicode = flags.includes('u');
  return { root: parser.parsePattern(source, 0, source.length, { unicode }), flags };
}

function loadRegexpp(): typeof import('@eslint-community/regexpp') {
  return require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');
}

/** Returns the groups of a pattern in their order; none for a pattern that refers back to none. */
export function findReferredGroups(root: AST.Pattern): readonly AST.CapturingGroup[] {
  const groups: AST.CapturingGroup[] = [];
  loadRegexpp().visitRegExpAST(root, { onCapturingGroupEnter: (group) => groups.push(group) });
  return groups.some(({ references }) => references.length > 0) ? groups : [];
}

/**
 * Builds the smallest automaton that accepts the texts which match a pattern from end to end.
 *
 * @param mostStates of any automaton on the way
 * @throws an error of which {@link isRefusal} is true
 */
export function buildAutomaton(pattern: PatternSource, mostStates: number): DFA {
  const { DFA, JS, NFA, Transformers, transform, visitAst } = loadRefa();
  const parser = JS.Parser.fromLiteral(pattern);
  const { expression, maxCharacter } = parser.parse({
    assertions: 'parse',
    backreferences: 'unknown',
  });
  const refuse = (): never => {
    throw new NotRegular();
  };
  visitAst(expression, { onUnknownEnter: refuse });
  const nfa = NFA.fromRegex(
    transform(Transformers.applyAssertions(), expression),
    { maxCharacter },
    { assertions: 'ignore', unknowns: 'disable' },
    new NFA.LimitedNodeFactory(mostStates),
  );
  const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(mostStates));
  dfa.minimize();
  return dfa;
}

/** The pattern refers back to a group, which no automaton can do. */
class NotRegular extends Error {}

/** Returns true for an error that says that a pattern is illegal, too large or not regular. */
export function isRefusal(error: unknown): boolean {
  const { TooManyNodesError } = loadRefa();
  return [SyntaxError, TooManyNodesError, NotRegular].some((kind) => error instanceof kind);
}

/** Loads the library when a pattern first needs it: most documents have no such pattern. */
export function loadRefa(): typeof import('refa') {
  return require('refa') as typeof import('refa');
}
