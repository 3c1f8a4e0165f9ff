import type { AST } from '@eslint-community/regexpp';
import { parsePattern } from './pattern-text.ts';

/** Regular expressions for whole texts: all of the first kind match, none of the second. */
export interface Languages {
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
  const languages: Languages = { included: [], excluded: [] };
  const parsed = parsePattern(pattern);
  if (parsed === undefined) return languages;
  const { alternatives } = parsed.pattern;
  if (alternatives.length === 1) addLookarounds(alternatives[0]?.elements ?? [], languages);
  const isAlone = alternatives.length === 1;
  const whole = alternatives.map(({ elements }) => toWhole(elements, isAlone)).join('|');
  languages.included.push(whole);
  return languages;
}

function toWhole(elements: readonly AST.Element[], isAlone: boolean): string {
  const kept = elements.filter((one) => !isEdge(one) && !(isAlone && isLookaround(one)));
  const raw = kept.map((one) => one.raw).join('');
  return `${isAnchored(elements, 'start') ? '' : ANYTHING}${raw}${isAnchored(elements, 'end') ? '' : ANYTHING}`;
}

/** What is looked around to at the top of a pattern, each from where it stands. */
function addLookarounds(elements: readonly AST.Element[], languages: Languages): void {
  const isPlain = (one: AST.Element): boolean => !isEdge(one) && !isLookaround(one);
  for (const [index, element] of elements.entries()) {
    if (element.type !== 'Assertion' || !isLookaround(element)) continue;
    if (element.kind !== 'lookahead' && element.kind !== 'lookbehind') continue;
    const isAhead = element.kind === 'lookahead';
    const near = (isAhead ? elements.slice(0, index) : elements.slice(index + 1)).filter(isPlain);
    const raw = near.map((one) => one.raw).join('');
    const start = isAnchored(elements, 'start') ? '' : ANYTHING;
    const end = isAnchored(elements, 'end') ? '' : ANYTHING;
    for (const { elements: inner } of element.alternatives) {
      const looked = inner
        .filter((one) => !isEdge(one))
        .map((one) => one.raw)
        .join('');
      const open = (kind: 'start' | 'end'): string => (isAnchored(inner, kind) ? '' : ANYTHING);
      const language = isAhead
        ? `${start}${raw}(?:${looked})${open('end')}`
        : `${open('start')}(?:${looked})${raw}${end}`;
      if (element.negate) languages.excluded.push(language);
      else if (element.alternatives.length === 1) languages.included.push(language);
    }
  }
}

function isEdge(element: AST.Element): boolean {
  return element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'end');
}

function isLookaround(element: AST.Element): boolean {
  return (
    element.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind')
  );
}

function isAnchored(elements: readonly AST.Element[], kind: 'start' | 'end'): boolean {
  return elements.some((one) => one.type === 'Assertion' && one.kind === kind);
}
