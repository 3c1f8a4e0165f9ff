import type { CharSet } from 'refa';
import { isEdge, type PatternTree } from './syntax.ts';

type Sequence = PatternTree['alternatives'][number];
type Element = Sequence['elements'][number];
type Repetition = Extract<Element, { type: 'Quantifier' }>;

/** One place in a pattern that takes a character, and those that may take the one behind it. */
interface Place {
  readonly characters: CharSet;
  readonly next: Place[];
}

/** What a part of a pattern begins and ends with. */
interface Part {
  readonly first: readonly Place[];
  readonly last: readonly Place[];
  /** In how many ways it takes nothing at all. */
  readonly ways: number;
  /** The most characters that it takes. */
  readonly longest: number;
}

/** Larger patterns are taken as ambiguous: to look longer costs more than is won. */
const MOST_PLACES = 1_000;

/** From every place in a text, a search without an anchor goes so far at most. */
const SHORT = 100;

const NOTHING: Part = { first: [], last: [], ways: 1, longest: 0 };

/**
 * Whether a backtracking engine takes time in proportion to the text. It does where each character
 * can be taken by one place of the pattern only, so that going back finds no other way, and where a
 * search does not go far from every place in the text.
 *
 * @returns false as well for patterns of which it is not known
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
        // A look at the next character costs nothing; one that goes further may go far, each time.
        if (new PartReader([]).alternatives(element.alternatives).longest > 1) {
          throw new UnknownCost();
        }
        return NOTHING;
      case 'Unknown':
        throw new UnknownCost();
    }
  }

  /** Written out: `a{2,4}` is `aa(?:aa?)?`. */
  #repetition({ alternatives, min, max }: Repetition): Part {
    // What takes nothing is repeated for nothing, however often.
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
    // What takes nothing and is repeated takes nothing in many ways.
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

/** A place that stands twice in the list is reached in two ways. */
function areDisjoint(places: readonly Place[]): boolean {
  let taken: CharSet | undefined;
  for (const { characters } of places) {
    if (taken !== undefined && !taken.isDisjointWith(characters)) return false;
    taken = taken === undefined ? characters : taken.union(characters);
  }
  return true;
}
