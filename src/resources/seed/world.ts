import type { JsonObject } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import { ifReadable } from '../../document/diagnostic.ts';
import { isShared, parametersOf } from '../collections.ts';
import type { Meaning, Resources } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import { findExamples, groupShown } from './example-seeds.ts';
import { type PlacedResource, placeAll, type Target } from './placed.ts';
import { type Population, Populator } from './populate.ts';
import type { Seed } from './seeds.ts';

/** The resources that a collection has before its first write; they are made when one is needed. */
export type Beginning = () => ReadonlyMap<string, JsonObject>;

interface WorldSettings extends Omit<Population, 'populate'> {
  /** True to leave the document's examples out. */
  readonly ignoreExamples: boolean;
}

const NOTHING: ReadonlyMap<string, JsonObject> = new Map();

/** How many resources a collection begins with, unless an example shows a list. */
const SIZE = 3;

/** How many collections of parents are remembered; the others are made again, and are the same. */
const MOST_REMEMBERED = 1000;

interface Begun {
  readonly all: readonly PlacedResource[];
  readonly made: readonly PlacedResource[];
}

/**
 * The resources that collections have before their first write: those of the document's examples,
 * then generated ones. Each collection is made when it is first needed, and is the same for all
 * sessions.
 */
export class World {
  readonly #contract: Contract;
  readonly #settings: WorldSettings;
  /** The collections that begin with resources of files. */
  readonly #seeds: ReadonlyMap<string, Seed>;
  readonly #meanings: () => ReadonlyMap<string, readonly Meaning[]>;
  readonly #listed: () => ReadonlySet<string>;
  readonly #populator: () => Populator;
  readonly #begun = new Map<string, Begun>();
  readonly #promised = new Map<string, readonly Target[]>();
  readonly #known = new Map<string, Beginning>();

  constructor(
    contract: Contract,
    resources: Resources,
    seeds: readonly Seed[],
    settings: WorldSettings,
  ) {
    this.#contract = contract;
    this.#settings = settings;
    this.#seeds = new Map(seeds.map((seed) => [seed.name, seed]));
    this.#meanings = once(() => groupShown(resources));
    this.#listed = once(() => {
      // Those of lists come first.
      const listed = [...this.#meanings()].filter(([, [first]]) => first?.kind === 'list');
      return new Set(listed.map(([name]) => name));
    });
    const population = { ...settings, populate: SIZE };
    this.#populator = once(() => new Populator(contract, resources, population));
  }

  /** Returns true for a type whose resources a list shows: nobody would find the others. */
  shows({ kind, name }: ResourceType): boolean {
    return kind === 'collection' && this.#listed().has(name);
  }

  /** Returns what a collection begins with; undefined for a type whose resources nobody finds. */
  beginningOf(type: ResourceType, collection: string): Beginning | undefined {
    if (!this.shows(type)) return undefined;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    // A schema that cannot be compiled is refused where it is used.
    const make = () => ifReadable(() => this.#connected(type, collection)) ?? NOTHING;
    return remember(this.#known, collection, () => once(make));
  }

  #connected(type: ResourceType, collection: string): ReadonlyMap<string, JsonObject> {
    const { all, made } = this.#begin(type, collection);
    this.#populator().connect(made, (target) => this.#targets(target, type, all));
    return new Map(all.map(({ key, value }) => [key, value]));
  }

  /** Resources in a collection of each parent cannot be referred to from elsewhere. */
  #targets(target: ResourceType, type: ResourceType, own: readonly Target[]) {
    if (target.name === type.name) return own;
    if (!isShared(target)) return [];
    const seed = this.#seeds.get(target.name);
    return seed
      ? placeAll(seed)
      : remember(this.#promised, target.name, () => this.#promise(target));
  }

  /** Returns the resources of a shared collection, of which only the keys are made if that is possible. */
  #promise(type: ResourceType): readonly Target[] {
    const { all, isWhole } = this.#examplesOf(type, type.name);
    const keys = isWhole ? [] : this.#populator().foretell(type, all, type.name);
    if (keys === undefined) return this.#begin(type, type.name).all;
    const madeOf = (key: string) =>
      this.#begin(type, type.name).all.find((one) => one.key === key)?.value ?? {};
    const promised = keys.map((key): Target => {
      return {
        type,
        key,
        get value() {
          return madeOf(key);
        },
      };
    });
    return [...all, ...promised];
  }

  #begin(type: ResourceType, collection: string): Begun {
    const make = () => this.#make(type, collection);
    return isShared(type) ? remember(this.#begun, collection, make) : make();
  }

  #make(type: ResourceType, collection: string): Begun {
    const { all, isWhole } = this.#examplesOf(type, collection);
    const at = { collection, parameters: parametersOf(type, collection) };
    return { all, made: isWhole ? [] : this.#populator().fill(type, all, [at]) };
  }

  #examplesOf(type: ResourceType, collection: string) {
    const meanings = this.#settings.ignoreExamples ? [] : (this.#meanings().get(type.name) ?? []);
    const { entries, isWhole } = findExamples(this.#contract, type, meanings);
    return { all: placeAll({ type, name: collection, entries }), isWhole };
  }
}
