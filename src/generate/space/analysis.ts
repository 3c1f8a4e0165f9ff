import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { onceEach, remember } from '../../base/remember.ts';
import { isOfFailure, plain } from '../../base/words.ts';
import type { Direction } from '../../schema/message-direction.ts';
import { Evaluator } from '../evaluator.ts';
import { FakerValues } from '../text/faker.ts';
import { createTextFormats, type TextFormats } from '../text/formats.ts';
import { combinePatterns } from '../text/pattern-automaton.ts';
import { type DrawablePattern, readDrawable } from '../text/pattern-text.ts';
import { SuggestionFinder, type Suggestions } from '../text/suggestions.ts';
import { english, type Vocabulary } from '../text/vocabulary.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { Constraints, Union } from './constraints.ts';
import { ArrayRules, ObjectRules } from './part-rules.ts';

/** Where values come from: the language of people and places, and the address of the service. */
export interface Setting {
  readonly words: Vocabulary;
  /** Scheme and host. */
  readonly site: string;
}

export const NOWHERE: Setting = { words: english, site: 'https://api.example.com' };

/** The values of an enum that conform, and how many schemas values were compared with to find them. */
interface Listing {
  readonly values: readonly JsonValue[];
  /** Without those that say nothing, such as `STATE_UNSPECIFIED`, if there are others. */
  readonly telling: readonly JsonValue[];
  readonly steps: number;
}

/** Values of an enum for what is not known. */
const UNTOLD = /(?:^|_)(?:undefined|unknown|unrecognized|unspecified)$/i;

/** The most branches of a union that are tried. */
export const MOST_TRIED = 48;

/** Comparisons with schemas after which a list of values is given up if none conforms. */
const MOST_HOPELESS_STEPS = 20_000;

/** The names of a property and of the object that has it. */
interface Named {
  readonly name: string | undefined;
  readonly parent: string | undefined;
}

/** The analysis of a document's schemas, done once and used by every draw. */
export class Analysis {
  readonly store: ConstraintStore;
  readonly formats: TextFormats = createTextFormats();
  readonly evaluator: Evaluator;
  readonly heights: Heights;
  readonly faker = new FakerValues();
  readonly direction: Direction;
  readonly #possible = new WeakMap<Constraints, boolean>();
  readonly #patterns = new Map<string, { readonly read: DrawablePattern | undefined }>();
  readonly #suggestions = new WeakMap<Constraints, Suggestions[]>();
  readonly #finder = new SuggestionFinder();
  readonly setting: Setting;

  /** @param store may be that of another analysis of the document */
  constructor(store: ConstraintStore, direction: Direction, setting = NOWHERE) {
    this.direction = direction;
    this.setting = setting;
    this.store = store;
    this.evaluator = new Evaluator(store, direction, this.formats);
    this.heights = new Heights(this);
  }

  parsedPattern(pattern: string): DrawablePattern | undefined {
    return remember(this.#patterns, pattern, () => ({ read: readDrawable(pattern) })).read;
  }

  /** Returns an automaton for the texts that fit the patterns, formats and lengths. */
  readonly automaton = onceEach((constraints: Constraints) => {
    const formats = constraints.formats.flatMap((format) => this.formats.patternOf(format));
    return combinePatterns({ ...constraints, patterns: [...constraints.patterns, ...formats] });
  });

  /** Like {@link SuggestionFinder.find}, but looks each name up once. */
  suggestions(constraints: Constraints, { name, parent }: Named): Suggestions {
    const known = remember(this.#suggestions, constraints, (): Suggestions[] => []);
    for (const one of known) if (one.name === name && one.parent === parent) return one;
    const found = this.#finder.find(constraints, name, parent);
    known.push(found);
    return found;
  }

  readonly objectRules = onceEach(
    (constraints: Constraints) => new ObjectRules(this.store, constraints, this.direction),
  );

  readonly arrayRules = onceEach(
    (constraints: Constraints) => new ArrayRules(this.store, constraints),
  );

  /** Lists the values of `const` and `enum` that conform to the other keywords. */
  readonly listing = onceEach((constraints: Constraints): Listing => {
    const before = this.evaluator.steps;
    const values: JsonValue[] = [];
    for (const value of constraints.listed ?? []) {
      const isHopeless = values.length === 0 && this.evaluator.steps - before > MOST_HOPELESS_STEPS;
      if (isHopeless) break;
      if (this.evaluator.conforms(constraints, value)) values.push(value);
    }
    const some = values.filter((value) => !UNTOLD.test(String(value)));
    const telling = some.length > 0 ? some : values;
    return { values, telling, steps: this.evaluator.steps - before };
  });

  /** Returns the examples and defaults that conform and are not empty. */
  readonly samples = onceEach((constraints: Constraints) =>
    this.givenValues(constraints).filter(isTelling),
  );

  /** Returns true if the document gives an example. */
  isGiven(constraints: Constraints): boolean {
    return this.samples(constraints).length > 0;
  }

  /** Returns which of the declared members a usual response leaves out, and why. */
  readonly memberRoles = onceEach(
    (rules: ObjectRules) => new Map(rules.names.map((name) => [name, memberRole(rules, name)])),
  );

  /** Returns which members of an object may have to agree, by their names. */
  readonly agreements = onceEach((rules: ObjectRules) => {
    const names = rules.names.map(plain);
    const some = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
    return {
      hasSums: some(/^(?:quantity|qty|(?:sub|grand)?total\w*|net\w*|gross\w*|\w+total)$/),
      hasStates:
        some(/^(?:status|state|phase)$|(?:ed|paid)$/) && some(/(?:at|on|date|time)$|^date/),
      hasDuration: some(/^duration/),
    };
  });

  /** Returns true for an object with an address for mail that is no company. */
  readonly isPerson = onceEach((rules: ObjectRules): boolean => {
    const names = rules.names.map(plain);
    return names.some((name) => MAIL.test(name)) && !names.some((name) => OF_COMPANY.test(name));
  });

  readonly givenValues = onceEach((constraints: Constraints): readonly JsonValue[] =>
    constraints.applied
      .flatMap(({ schema: { example, examples, default: usual } }) => {
        const list = Array.isArray(examples) ? examples : [];
        return [example, ...list, usual].filter((value) => value !== undefined);
      })
      .filter((value) => this.evaluator.conforms(constraints, value)),
  );

  /** Returns true for the key of a resource or the resource itself, which only some requests get. */
  readonly isReference = onceEach((branches: Union['branches']): boolean => {
    if (branches.length > MOST_TRIED) return false;
    const all = branches.map((branch) => this.store.ofBranch(branch));
    const isResource = (one: Constraints): boolean =>
      one.types.has('object') && this.objectRules(one).names.includes('id');
    return all.some(isKey) && all.some(isResource);
  });

  /** Returns false when a quick check shows that nothing conforms. */
  isPossible(constraints: Constraints): boolean {
    return remember(this.#possible, constraints, () => {
      if (constraints.contradiction !== undefined) return false;
      const { types, listed } = constraints;
      if (listed !== undefined) {
        return listed.length > MOST_LOOKED_AT || this.listing(constraints).values.length > 0;
      }
      if (!types.has('object') && !types.has('array')) return this.#hasBranches(constraints);
      if (types.size > 1 || types.has('array')) return true;
      // A required member may be of the same schema, and proves nothing then.
      this.#possible.set(constraints, true);
      const rules = this.objectRules(constraints);
      return rules.required.every((name) => this.isPossible(rules.member(name)));
    });
  }

  /** Returns true when each union has a branch that does not contradict the other keywords. */
  #hasBranches(constraints: Constraints): boolean {
    const fits = (place: string, branch: readonly string[]): boolean =>
      this.store.choose(constraints, [[place, branch]]).contradiction === undefined;
    return constraints.unions.every(
      ({ place, branches }) =>
        branches.length > MOST_LOOKED_AT || branches.some((branch) => fits(place, branch)),
    );
  }
}

/** Returns whether a name is of what failed or was deleted, of a next page, or of neither. */
export function memberRole({ names }: ObjectRules, name: string): 'failure' | 'next page' | 'none' {
  const word = plain(name);
  const isNext = NEXT_PAGE.test(word);
  if (isNext && (!/^next(?:page)?$/.test(word) || names.some((one) => PAGED.test(plain(one))))) {
    return 'next page';
  }
  return isOfFailure(name) ? 'failure' : 'none';
}

const NEXT_PAGE =
  /^(?:odata)?next(?:page)?(?:cursor|token|marker|pagetoken|key|ur[il]|link|href)?$/;
const PAGED = /^(?:prev|count|total|self|first|last)/;

const MAIL = /^e?mail(?:address)?$/;
const OF_COMPANY = /^(?:domain|employees|industry|taxid|vat|vatid|vatnumber|website)$/;

/** Returns true for a text of any form. */
export function isKey({ types, listed }: Constraints): boolean {
  return types.size === 1 && types.has('string') && listed === undefined;
}

/** Returns false for empty containers, texts and null, which are poor examples. */
function isTelling(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== '';
}

/** Values that must nest deeper are not built. */
const HIGHEST = 64;

/** The most members of unions and tuples that are examined. */
const MOST_LOOKED_AT = 64;

interface Known {
  /** No value has this height or less. */
  tooFlat: number;
  /** Some value has this height or less. */
  enough: number;
}

/**
 * Finds the depth of the flattest value of a schema. A recursive schema ends where the builder
 * takes the branches and members of the least height.
 */
class Heights {
  readonly #analysis: Analysis;
  readonly #active = new Set<Constraints>();
  readonly #known = new WeakMap<Constraints, Known>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /**
   * Returns the height, 0 for a value without members; infinity when every value would be endless.
   */
  of(constraints: Constraints): number {
    for (let height = 0; height <= HIGHEST; height++) {
      if (this.#fits(constraints, height)) return height;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Returns true when some value has at most this height. */
  #fits(constraints: Constraints, height: number): boolean {
    if (height < 0 || constraints.contradiction !== undefined) return false;
    const known = remember(this.#known, constraints, () => {
      return { tooFlat: -1, enough: Number.POSITIVE_INFINITY };
    });
    if (height <= known.tooFlat) return false;
    if (height >= known.enough) return true;
    // A reference back to the same value adds nothing.
    if (this.#active.has(constraints)) return false;
    this.#active.add(constraints);
    const fits =
      this.#fitsItself(constraints, height) &&
      constraints.unions.every((union) => this.#fitsUnion(union, height));
    this.#active.delete(constraints);
    if (fits) known.enough = height;
    else known.tooFlat = height;
    return fits;
  }

  /** Examines each union by itself: there are too many combinations. */
  #fitsUnion({ branches }: Union, height: number): boolean {
    const { store } = this.#analysis;
    return (
      branches.length > MOST_LOOKED_AT ||
      branches.some((branch) => this.#fits(store.ofBranch(branch), height))
    );
  }

  #fitsItself(constraints: Constraints, height: number): boolean {
    const { types, listed } = constraints;
    if (listed !== undefined) return true;
    if ([...types].some((type) => type !== 'array' && type !== 'object')) return true;
    return (
      (types.has('array') && this.#fitsArray(constraints, height)) ||
      (types.has('object') && this.#fitsObject(constraints, height))
    );
  }

  #fitsArray(constraints: Constraints, height: number): boolean {
    const rules = this.#analysis.arrayRules(constraints);
    if (rules.isClosed) return true;
    const distinct = Math.min(constraints.minItems, rules.tupleLength + 1, MOST_LOOKED_AT);
    for (let index = 0; index < distinct; index++) {
      if (!this.#fits(rules.item(index), height - 1)) return false;
    }
    const places = [...Array(Math.min(rules.tupleLength, MOST_LOOKED_AT) + 1).keys()];
    return rules.containments.every(
      ({ pointer, least }) =>
        least === 0 ||
        places.some((index) => this.#fits(rules.itemWith(index, [pointer]), height - 1)),
    );
  }

  #fitsObject(constraints: Constraints, height: number): boolean {
    const rules = this.#analysis.objectRules(constraints);
    return rules.required.every((name) => this.#fits(rules.member(name), height - 1));
  }
}
