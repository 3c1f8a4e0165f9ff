import type { AST } from '@eslint-community/regexpp';
import { remember } from '../../base/remember.ts';
import { type PatternSyntax, parsePattern } from '../../schema/pattern/syntax.ts';
import { type Chance, drawInteger, drawOne } from '../chance.ts';

/** Repetitions beyond the minimum, by attempt. */
const EXTRA = [4, 0, 8, 1, 2, 16, 3, 40];

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const READABLE = [...`${LETTERS}${LETTERS.toUpperCase()}0123456789`];
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const FURTHER = [
  ...'\t\n\u00a0\u00e9\u00df\u03b1\u0430\u4e2d\u3042\u0660\u20ac\ud83d\ude00\u0301\u200b\u0001',
];

/** A parsed pattern from which texts can be drawn. */
export interface DrawablePattern extends PatternSyntax {
  /** The characters of each class, found when the class is first drawn. */
  readonly characters: Map<AST.Node, readonly string[]>;
}

/** Parses a pattern; returns undefined for what is not a pattern. */
export function readDrawable(pattern: string): DrawablePattern | undefined {
  const syntax = parsePattern(pattern);
  return syntax && { ...syntax, characters: new Map() };
}

/**
 * Draws a text by a random walk through a pattern. It ignores assertions (`(?=…)`, `\b`): the
 * caller must check the text.
 *
 * @param attempt counts the tries: later ones repeat more or less
 * @param longest no repetition goes on once the text is as long
 */
export function drawByPattern(
  parsed: DrawablePattern,
  chance: Chance,
  attempt: number,
  longest: number,
): string {
  const extra = EXTRA[attempt % EXTRA.length] ?? 4;
  const walk: Walk = { parsed, chance, extra, longest, text: '', groups: new Map() };
  walkAlternatives(walk, parsed.root);
  return walk.text;
}

interface Walk {
  readonly parsed: DrawablePattern;
  readonly chance: Chance;
  readonly extra: number;
  readonly longest: number;
  readonly groups: Map<AST.Node, string>;
  text: string;
}

function walkAlternatives(walk: Walk, group: { readonly alternatives: AST.Alternative[] }): void {
  for (const element of drawOne(walk.chance, group.alternatives)?.elements ?? []) {
    walkElement(walk, element);
  }
}

function walkElement(walk: Walk, element: AST.Element): void {
  switch (element.type) {
    case 'Character':
      walk.text += String.fromCodePoint(element.value);
      break;
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      walk.text += drawOne(walk.chance, charactersOf(walk.parsed, element)) ?? '';
      break;
    case 'Quantifier':
      repeat(walk, element);
      break;
    case 'Group':
      walkAlternatives(walk, element);
      break;
    case 'CapturingGroup': {
      const start = walk.text.length;
      walkAlternatives(walk, element);
      walk.groups.set(element, walk.text.slice(start));
      break;
    }
    case 'Backreference': {
      const groups = [element.resolved].flat();
      walk.text += walk.groups.get(groups[0] ?? element) ?? '';
      break;
    }
    default:
  }
}

function repeat(walk: Walk, { min, max, element }: AST.Quantifier): void {
  const most = Math.min(max, min + walk.extra);
  const count = Math.min(drawInteger(walk.chance, min, most), LONGEST_REPETITION);
  for (let index = 0; index < count; index++) {
    if (index >= min && walk.text.length >= walk.longest) break;
    if (walk.text.length > LONGEST_REPETITION) break;
    walkElement(walk, element);
  }
}

/** Returns characters of a class: readable ones if it has any. */
function charactersOf(parsed: DrawablePattern, node: AST.Element): readonly string[] {
  return remember(parsed.characters, node, () => {
    const one = new RegExp(`^(?:${node.raw})$`, parsed.flags);
    const found =
      [READABLE, PRINTABLE, [...listed(node), ...FURTHER]]
        .map((candidates) => candidates.filter((character) => one.test(character)))
        .find((matching) => matching.length > 0) ?? [];
    return isHexadecimal(found) ? found.filter((one) => !/[A-F]/.test(one)) : found;
  });
}

/** True for `[0-9a-fA-F]`: a number is written in one case, although a pattern accepts both. */
function isHexadecimal(characters: readonly string[]): boolean {
  return /^(?=.*a)(?=.*A)[\da-f]+$/i.test(characters.join(''));
}

const LONGEST_REPETITION = 20_000;
const MOST_OF_RANGE = 64;

function listed(node: AST.Element): string[] {
  if (node.type !== 'CharacterClass') return [];
  return node.elements.flatMap((element) => {
    if (element.type === 'Character') return [String.fromCodePoint(element.value)];
    if (element.type !== 'CharacterClassRange') return [];
    const { min, max } = element;
    const length = Math.min(MOST_OF_RANGE, max.value - min.value + 1);
    return Array.from({ length }, (_, index) => String.fromCodePoint(min.value + index));
  });
}
