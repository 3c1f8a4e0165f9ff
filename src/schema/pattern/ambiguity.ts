import type { CharSet } from 'refa';
import { isEdge, type PatternTree } from './syntax.ts';

type Sequence = PatternTree['alternatives'][number];
type Element = Sequence['elements'][number];
type Repetition = Extract<Element, { type: 'Quantifier' }>;

/** A position in a pattern that matches a character, and those that may match the next one. */
interface Place {
  readonly characters: CharSet;
  readonly next: Place[];
}

/** A part of a pattern, with the positions that it begins and ends with. */
interface Part {
  readonly first: readonly Place[];
  readonly last: readonly Place[];
  /** The number of ways in which it matches the empty text. */
  readonly ways: number;
  /** The most characters that it matches. */
  readonly longest: number;
}

/** Larger patterns are taken as ambiguous, as examining them costs more than it gains. */
const MOST_PLACES = 1_000;

/** The most characters that a search without an anchor may examine from each position. */
const SHORT = 100;

const NOTHING: Part = { first: [], last: [], ways: 1, longest: 0 };

/**
 * Returns true where a backtracking engine takes time in proportion to the text: only one position
 * of the pattern can match each character, so that backtracking finds no other way, and a search
 * does not go far from each position of the text.
 *
 * @returns false also for patterns of which this is unknown
 */
export function isUnambiguous(tree: PatternTree): boolean {
  const places: Place[] = [];
  try {
    const part = new PartReader(places).alternatives(tree.alternatives);
    const isShort = isAnchored(tree) || part.longest <= SHORT;
    return (
      isShort &&
      part.ways <= 1 &&
      areDisjoint(part.first) &&
      places.every(({ next }) => areDisjoint(next))
    );
  } catch (error) {
    if (error instanceof UnknownCost) return false;
    throw error;
  }
}

class UnknownCost extends Error {}

/** Returns true where each alternative begins with `^`. */
function isAnchored({ alternatives }: Pick<PatternTree, 'alternatives'>): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === 'Alternation') return isAnchored(first);
    return first?.type === 'Assertion' && first.kind === 'behind' && isEdge(first);
  });
}

class PartReader {
  readonly #places: Place[];

  constructor(places: Place[]) {
    this.#places = places;
  }

  alternatives(sequences: readonly Sequence[]): Part {
    const parts = sequences.map((sequence) => this.#sequence(sequence));
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      ways: parts.reduce((sum, { ways }) => sum + ways, 0),
      longest: Math.max(0, ...parts.map(({ longest }) => longest)),
    };
  }

  #sequence({ elements }: Sequence): Part {
    return elements.reduce<Part>((part, element) => follow(part, this.#element(element)), NOTHING);
  }

  #element(element: Element): Part {
    switch (element.type) {
      case 'CharacterClass': {
        const place: Place = { characters: element.characters, next: [] };
        if (this.#places.push(place) > MOST_PLACES) throw new UnknownCost();
        return { first: [place], last: [place], ways: 0, longest: 1 };
      }
      case 'Alternation':
        return this.alternatives(element.alternatives);
      case 'Quantifier':
        return this.#repetition(element);
      case 'Assertion':
        // Looking at one character is cheap; looking further may go far, each time.
        if (new PartReader([]).alternatives(element.alternatives).longest > 1) {
          throw new UnknownCost();
        }
        return NOTHING;
      case 'Unknown':
        throw new UnknownCost();
    }
  }

  /** Expands a repetition: `a{2,4}` is `aa(?:aa?)?`. */
  #repetition({ alternatives, min, max }: Repetition): Part {
    // Repeating what matches only the empty text is not examined.
    if (max > 1 && this.alternatives(alternatives).longest === 0) throw new UnknownCost();
    const isEndless = max === Number.POSITIVE_INFINITY;
    let part = NOTHING;
    for (let count = 0; count < (isEndless ? min - 1 : min); count++) {
      part = follow(part, this.alternatives(alternatives));
    }
    if (isEndless) return follow(part, this.#loop(alternatives, min > 0));
    let rest = NOTHING;
    for (let count = min; count < max; count++) {
      rest = optional(follow(this.alternatives(alternatives), rest));
    }
    return follow(part, rest);
  }

  #loop(alternatives: readonly Sequence[], isRequired: boolean): Part {
    const body = this.alternatives(alternatives);
    for (const place of body.last) place.next.push(...body.first);
    // A repetition of what can match the empty text matches it in many ways.
    const ways = body.ways > 0 ? 2 : 0;
    const loop = { ...body, ways, longest: Number.POSITIVE_INFINITY };
    return isRequired ? loop : optional(loop);
  }
}

function optional(part: Part): Part {
  return { ...part, ways: part.ways + 1 };
}

function follow(before: Part, after: Part): Part {
  for (const place of before.last) place.next.push(...after.first);
  return {
    first: before.ways > 0 ? [...before.first, ...after.first] : before.first,
    last: after.ways > 0 ? [...before.last, ...after.last] : after.last,
    ways: before.ways * after.ways,
    longest: before.longest + after.longest,
  };
}

/** Returns false for a position that is in the list twice: it is reached in two ways. */
function areDisjoint(places: readonly Place[]): boolean {
  let taken: CharSet | undefined;
  for (const { characters } of places) {
    if (taken !== undefined && !taken.isDisjointWith(characters)) return false;
    taken = taken === undefined ? characters : taken.union(characters);
  }
  return true;
}
