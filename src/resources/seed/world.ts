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
export interface Beginning {
  all(): ReadonlyMap<string, JsonObject>;
  /** Makes nothing where it is known that no resource has the key. */
  get(key: string): JsonObject | undefined;
}

/** Returns the beginning with these resources. */
export function beginWith(resources: ReadonlyMap<string, JsonObject>): Beginning {
  return { all: () => resources, get: (key) => resources.get(key) };
}

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

/** What a collection will begin with. */
interface Plan {
  readonly beginning: Beginning;
  /** Its resources, of which only those are made whose values are asked for, if that is possible. */
  readonly targets: () => readonly Target[];
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
  readonly #plans = new Map<string, Plan>();
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
    return remember(this.#known, collection, () => this.#planOf(type, collection).beginning);
  }

  /** Resources in a collection of each parent cannot be referred to from elsewhere. */
  #targets(target: ResourceType, type: ResourceType, own: readonly Target[]) {
    if (target.name === type.name) return own;
    if (!isShared(target)) return [];
    const seed = this.#seeds.get(target.name);
    return seed ? placeAll(seed) : this.#planOf(target, target.name).targets();
  }

  #planOf(type: ResourceType, collection: string): Plan {
    const plan = () => this.#plan(type, collection);
    return isShared(type) ? remember(this.#plans, collection, plan) : plan();
  }

  #plan(type: ResourceType, collection: string): Plan {
    const examples = once(() => {
      const isIgnored = this.#settings.ignoreExamples;
      const meanings = isIgnored ? [] : (this.#meanings().get(type.name) ?? []);
      return findExamples(this.#contract, type, meanings);
    });
    const keys = once(() => {
      const { entries, isWhole } = examples();
      const more = isWhole ? [] : this.#populator().foretell(type, entries, collection);
      return more && [...entries.keys(), ...more];
    });
    const begin = once((): Begun => {
      const { entries, isWhole } = examples();
      const all = placeAll({ type, name: collection, entries });
      const at = { collection, parameters: parametersOf(type, collection) };
      return { all, made: isWhole ? [] : this.#populator().fill(type, all, [at]) };
    });
    let made: ReadonlyMap<string, JsonObject> | undefined;
    let isConnecting = false;
    const connect = () => {
      const { all: own, made: generated } = begin();
      try {
        isConnecting = true;
        this.#populator().connect(generated, (target) => this.#targets(target, type, own));
      } finally {
        isConnecting = false;
      }
      return new Map(own.map(({ key, value }) => [key, value]));
    };
    // A schema that cannot be compiled is refused where it is used.
    const all = () => {
      made ??= ifReadable(connect) ?? NOTHING;
      return made;
    };
    // Two types may refer to each other.
    const find = (key: string) =>
      isConnecting ? begin().all.find((one) => one.key === key)?.value : all().get(key);
    const targets = once(() => {
      const named = keys() ?? begin().all.map(({ key }) => key);
      return named.map((key) => createTarget(type, key, () => find(key) ?? {}));
    });
    const isAbsent = (key: string) =>
      made === undefined && ifReadable(keys)?.includes(key) === false;
    const get = (key: string) => (isAbsent(key) ? undefined : all().get(key));
    return { targets, beginning: { all, get } };
  }
}

function createTarget(type: ResourceType, key: string, make: () => JsonObject): Target {
  return {
    type,
    key,
    get value() {
      return make();
    },
  };
}
