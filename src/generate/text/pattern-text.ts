import type { AST } from '@eslint-community/regexpp';
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
  const walk = new Walk(parsed, chance, extra, longest);
  walk.alternatives(parsed.root);
  return walk.text;
}

class Walk {
  text = '';
  readonly #parsed: DrawablePattern;
  readonly #chance: Chance;
  readonly #extra: number;
  readonly #longest: number;
  readonly #groups = new Map<AST.Node, string>();

  constructor(parsed: DrawablePattern, chance: Chance, extra: number, longest: number) {
    this.#parsed = parsed;
    this.#chance = chance;
    this.#extra = extra;
    this.#longest = longest;
  }

  alternatives({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }): void {
    for (const element of drawOne(this.#chance, alternatives)?.elements ?? [])
      this.element(element);
  }

  element(element: AST.Element): void {
    switch (element.type) {
      case 'Character':
        this.text += String.fromCodePoint(element.value);
        break;
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        this.text += drawOne(this.#chance, this.#charactersOf(element)) ?? '';
        break;
      case 'Quantifier':
        this.#repeat(element);
        break;
      case 'Group':
        this.alternatives(element);
        break;
      case 'CapturingGroup': {
        const start = this.text.length;
        this.alternatives(element);
        this.#groups.set(element, this.text.slice(start));
        break;
      }
      case 'Backreference': {
        const groups = [element.resolved].flat();
        this.text += this.#groups.get(groups[0] ?? element) ?? '';
        break;
      }
      default:
    }
  }

  #repeat({ min, max, element }: AST.Quantifier): void {
    const most = Math.min(max, min + this.#extra);
    const count = Math.min(drawInteger(this.#chance, min, most), LONGEST_REPETITION);
    for (let index = 0; index < count; index++) {
      if (index >= min && this.text.length >= this.#longest) break;
      if (this.text.length > LONGEST_REPETITION) break;
      this.element(element);
    }
  }

  /** Returns characters of a class: readable ones if it has any. */
  #charactersOf(node: AST.Element): readonly string[] {
    const { characters, flags } = this.#parsed;
    const known = characters.get(node);
    if (known !== undefined) return known;
    const one = new RegExp(`^(?:${node.raw})$`, flags);
    const found = [READABLE, PRINTABLE, [...listed(node), ...FURTHER]]
      .map((candidates) => candidates.filter((character) => one.test(character)))
      .find((matching) => matching.length > 0);
    characters.set(node, found ?? []);
    return found ?? [];
  }
}

const LONGEST_REPETITION = 20_000;
const MOST_OF_RANGE = 64;

/** Returns the characters that a class lists. */
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
