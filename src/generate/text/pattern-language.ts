import type { AST } from '@eslint-community/regexpp';
import { parsePattern } from '../../schema/pattern/syntax.ts';

/** Regular expressions for whole texts: all of the first kind match, none of the second. */
export interface Languages {
  /** False for a pattern that takes small letters and capitals for the same. */
  readonly isCaseSensitive: boolean;
  readonly included: string[];
  readonly excluded: string[];
}

const ANYTHING = '[^]*';

/**
 * Says a pattern, which may match anywhere, as one for the whole text, and what it looks ahead to
 * as patterns of their own: `^(?=.*\d)[a-z\d]+$` is `[a-z\d]+` and `[^]*\d[^]*`. What looks around
 * in the midst of a repetition stays.
 */
export function toLanguages(pattern: string): Languages {
  const parsed = parsePattern(pattern);
  const isCaseSensitive = !parsed?.flags.includes('i');
  const languages: Languages = { isCaseSensitive, included: [], excluded: [] };
  if (parsed === undefined) return languages;
  const { alternatives } = parsed.root;
  if (alternatives.length === 1) addLookarounds(alternatives[0]?.elements ?? [], languages);
  const isAlone = alternatives.length === 1;
  const whole = alternatives.map(({ elements }) => toWhole(elements, isAlone)).join('|');
  languages.included.push(whole);
  return languages;
}

function toWhole(elements: readonly AST.Element[], isAlone: boolean): string {
  const kept = elements.filter((one) => !(isAlone && isLookaround(one)));
  return openAt(elements, 'start') + rawOf(kept) + openAt(elements, 'end');
}

/** What is looked around to at the top of a pattern, each from where it stands. */
function addLookarounds(elements: readonly AST.Element[], languages: Languages): void {
  for (const [index, element] of elements.entries()) {
    if (!isLookaround(element)) continue;
    const isAhead = element.kind === 'lookahead';
    const near = isAhead ? elements.slice(0, index) : elements.slice(index + 1);
    const raw = rawOf(near.filter((one) => !isLookaround(one)));
    const outer = isAhead ? openAt(elements, 'start') : openAt(elements, 'end');
    const found = element.alternatives.map(({ elements: inner }) =>
      isAhead
        ? `${outer}${raw}(?:${rawOf(inner)})${openAt(inner, 'end')}`
        : `${openAt(inner, 'start')}(?:${rawOf(inner)})${raw}${outer}`,
    );
    if (element.negate) languages.excluded.push(...found);
    else languages.included.push(found.join('|'));
  }
}

function rawOf(elements: readonly AST.Element[]): string {
  return elements
    .filter((one) => !isEdge(one))
    .map((one) => one.raw)
    .join('');
}

/** @returns what may stand at the end of a text that is not anchored there */
function openAt(elements: readonly AST.Element[], kind: 'start' | 'end'): string {
  const isAnchored = elements.some((one) => one.type === 'Assertion' && one.kind === kind);
  return isAnchored ? '' : ANYTHING;
}

function isEdge(element: AST.Element): boolean {
  return element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'end');
}

function isLookaround(element: AST.Element): element is AST.LookaroundAssertion {
  return (
    element.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind')
  );
}
