import { copyJson, type JsonValue } from '../base/json/value.ts';
import { createRandom } from '../base/random.ts';
import type { Contract } from '../contract/contract.ts';
import { isDocumentFault } from '../document/diagnostic.ts';
import type { Direction } from '../schema/message-direction.ts';
import { Builder } from './builder.ts';
import type { Chance } from './chance.ts';
import { Analysis, NOWHERE, type Setting } from './space/analysis.ts';
import { ConstraintStore } from './space/constraint-store.ts';
import { pathName, propertyName } from './space/discriminator.ts';
import { type SchemaSource, ScopedSchemas } from './space/schema-space.ts';
import { createFacts } from './text/topic.ts';
import { findVocabulary } from './text/vocabulary.ts';
import {
  Budget,
  type Known,
  NOTHING_KNOWN,
  type Subjects,
  type Wish,
  wishAny,
} from './value-builder.ts';

/** The source of schemas, and the check of generated values. */
export interface Generation {
  readonly source: SchemaSource;
  /** What other generators of the source have merged, too. */
  readonly store?: ConstraintStore;
  /** Requests leave out `readOnly` properties, responses `writeOnly` ones. */
  readonly direction: Direction;
  /** The language of people and places, and the address of the service. */
  readonly setting?: Setting;
  /** Returns true if a generated value conforms to the schema at a pointer. */
  accepts(pointer: string, value: JsonValue): boolean;
}

/** Generates values that conform to schemas, and remembers how it analysed each schema. */
export interface Generator {
  /**
   * @param pointer of the schema
   * @param chance what is drawn from: the same chance gives the same value
   * @param manner `given` takes what the document gives of the parts wherever it does, `free`
   *   makes up some of it all the same
   * @param known what the request says of the members
   * @param room the approximate number of values in it
   * @returns undefined when no value that conforms was found
   */
  generate(
    pointer: string,
    chance: Chance,
    manner?: 'given' | 'free',
    known?: Known,
    room?: number,
  ): JsonValue | undefined;
  /** Like {@link generate} in the manner `given`, with a value that depends on the seed alone. */
  generateSeeded(pointer: string, seed: string, known?: Known): JsonValue | undefined;
  /** Like {@link generate}, always the same: only what is required. */
  generateMinimal(pointer: string): JsonValue | undefined;
  /**
   * Like {@link generate}, always the same: all properties of a failure, to a small depth.
   *
   * @param subjects the objects to leave out
   */
  generateFull(pointer: string, subjects?: Subjects): JsonValue | undefined;
}

/** The approximate number of values within a generated one. */
const USUAL_ROOM = 120;
const FULL_ROOM = 2_000;

/** Steps that one value may take; a usual one takes a hundred. */
const BUDGET = 60_000;

/** Tries to build a value that the check accepts. */
const MOST_DRAWS = 6;

/** The current time for values that must not depend on it. */
const MOMENT = Date.UTC(2026, 0, 1);

/** Returns a generator for one document and direction; it may be shared. */
export function createGenerator({
  source,
  store = new ConstraintStore(source),
  direction,
  accepts,
  setting,
}: Generation): Generator {
  const analysis = new Analysis(store, direction, setting);

  /** A schema that refers to itself without end cannot be checked. */
  const isAccepted = (pointer: string, value: JsonValue): boolean => {
    try {
      return accepts(pointer, value);
    } catch (error) {
      if (isDocumentFault(error)) return false;
      throw error;
    }
  };

  /** Pointers of schemas for which no value was found. */
  const barren = new Set<string>();

  const search = (pointer: string, chance: Chance, wish: Wish): JsonValue | undefined => {
    const constraints = analysis.store.of([pointer]);
    const budget = new Budget(BUDGET);
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const builder = new Builder(analysis, chance, budget);
      const isLeast = wish.isLeast || draw >= MOST_DRAWS - 2;
      const value = builder.build(constraints, { ...wish, isLeast, facts: createFacts() });
      if (value === undefined) {
        if (isLeast || !budget.spend()) return undefined;
        continue;
      }
      if (isAccepted(pointer, value)) return value;
    }
    return undefined;
  };

  /** A schema without even a smallest value costs its whole budget once. */
  const generate = (pointer: string, chance: Chance, wish: Wish): JsonValue | undefined => {
    if (barren.has(pointer)) return undefined;
    const value = search(pointer, chance, wish);
    if (value !== undefined || wish.isGiven) return value;
    const least = search(pointer, fixedChance(), { ...usual(pointer), isLeast: true });
    if (least === undefined) barren.add(pointer);
    return undefined;
  };

  const usual = (pointer: string, room = USUAL_ROOM): Wish => ({
    ...wishAny(),
    name: propertyName(pointer),
    parent: pathName(pointer),
    room,
  });
  const draw: Generator['generate'] = (pointer, chance, manner, known = NOTHING_KNOWN, room) => {
    const wish = { ...usual(pointer, room), known };
    const given = manner === 'given' && generate(pointer, chance, { ...wish, isGiven: true });
    return given === false || given === undefined ? generate(pointer, chance, wish) : given;
  };
  const drawSeeded = (pointer: string, seed: string, known?: Known) =>
    draw(pointer, { random: createRandom(seed), now: MOMENT }, 'given', known);
  /** The last value: a create takes members from it for its resource, and then for its response. */
  let last: { readonly of: string; readonly value: JsonValue | undefined } | undefined;
  return {
    generate: draw,
    generateSeeded(pointer, seed, known) {
      if (known !== undefined) return drawSeeded(pointer, seed, known);
      const of = `${seed} ${pointer}`;
      if (last?.of !== of) last = { of, value: drawSeeded(pointer, seed) };
      return last.value && copyJson(last.value);
    },
    generateMinimal: (pointer) =>
      generate(pointer, fixedChance(), { ...usual(pointer), isLeast: true }),
    generateFull: (pointer, subjects) =>
      generate(pointer, fixedChance(), {
        ...usual(pointer, FULL_ROOM),
        known: { ...NOTHING_KNOWN, isFailure: true, ...(subjects && { subjects }) },
      }),
  };
}

/** Returns the same random numbers and time for every call. */
function fixedChance(): Chance {
  return { random: createRandom('coldframe'), now: MOMENT };
}

/** The generators of a document, by the direction of messages; they analyse its schemas together. */
export type Generators = Readonly<Record<Direction, Generator>>;

/**
 * Returns generators of values for the schemas of a contract, checked by its own validators.
 *
 * @param locale the language tag of people and places; that of the document if it is empty
 */
export function createContractGenerators(
  { document, schemas }: Pick<Contract, 'document' | 'schemas'>,
  locale = '',
): Generators {
  const source = new ScopedSchemas(document);
  const store = new ConstraintStore(source);
  const root = document.entries[0]?.place ?? '';
  const named = locale === '' ? document.at(`${root}/x-faker-locale`) : locale;
  const server = String(document.at(`${root}/servers/0/url`) ?? '');
  const [site = NOWHERE.site] = /^https?:\/\/[\w.-]+(?::\d+)?/.exec(server) ?? [];
  const words = findVocabulary(typeof named === 'string' ? named : 'en');
  const create = (direction: Direction): Generator =>
    createGenerator({
      source,
      store,
      direction,
      setting: { words, site },
      accepts: (pointer, value) =>
        schemas.schemaAt(source.plain(pointer), direction).accepts(value),
    });
  return { request: create('request'), response: create('response') };
}
