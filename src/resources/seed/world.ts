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

interface PlanSources {
  examples(type: ResourceType): Examples;
  populator(): Populator;
  /** Returns the resources that those of a type may refer to. */
  targets(target: ResourceType, type: ResourceType, own: readonly Target[]): readonly Target[];
}

type Examples = ReturnType<typeof findExamples>;

/** The beginning of one collection. */
class Plan implements Beginning {
  readonly #type: ResourceType;
  readonly #collection: string;
  readonly #sources: PlanSources;
  readonly #examples: () => Examples;
  /** Returns the keys of all resources; undefined if these must be made to know them. */
  readonly #keys: () => readonly string[] | undefined;
  readonly #begun: () => Begun;
  /** Returns its resources. Where the keys are known, the values are made when one is needed. */
  readonly targets: () => readonly Target[];
  #made: ReadonlyMap<string, JsonObject> | undefined;
  #isConnecting = false;

  constructor(type: ResourceType, collection: string, sources: PlanSources) {
    this.#type = type;
    this.#collection = collection;
    this.#sources = sources;
    this.#examples = once(() => sources.examples(type));
    this.#keys = once(() => this.#findKeys());
    this.#begun = once(() => this.#begin());
    this.targets = once(() => this.#findTargets());
  }

  all(): ReadonlyMap<string, JsonObject> {
    // A schema that cannot be compiled is refused where it is used.
    this.#made ??= ifReadable(() => this.#connect()) ?? NOTHING;
    return this.#made;
  }

  get(key: string): JsonObject | undefined {
    const isAbsent = this.#made === undefined && ifReadable(this.#keys)?.includes(key) === false;
    return isAbsent ? undefined : this.all().get(key);
  }

  #findKeys() {
    const { entries, isWhole } = this.#examples();
    const populator = this.#sources.populator();
    const more = isWhole ? [] : populator.foretell(this.#type, entries, this.#collection);
    return more && [...entries.keys(), ...more];
  }

  #begin(): Begun {
    const { entries, isWhole } = this.#examples();
    const [type, collection] = [this.#type, this.#collection];
    const all = placeAll({ type, name: collection, entries });
    const at = { collection, parameters: parametersOf(type, collection) };
    return { all, made: isWhole ? [] : this.#sources.populator().fill(type, all, [at]) };
  }

  #findTargets(): readonly Target[] {
    const keys = this.#keys() ?? this.#begun().all.map(({ key }) => key);
    return keys.map((key) => createTarget(this.#type, key, () => this.#valueOf(key) ?? {}));
  }

  #connect() {
    const { all, made } = this.#begun();
    try {
      this.#isConnecting = true;
      const targetsOf = (target: ResourceType) => this.#sources.targets(target, this.#type, all);
      this.#sources.populator().connect(made, targetsOf);
    } finally {
      this.#isConnecting = false;
    }
    return new Map(all.map(({ key, value }) => [key, value]));
  }

  /** Two types may refer to each other: then the value has no references yet. */
  #valueOf(key: string): JsonObject | undefined {
    if (!this.#isConnecting) return this.all().get(key);
    return this.#begun().all.find((one) => one.key === key)?.value;
  }
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
  readonly #sources: PlanSources;
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
    this.#sources = {
      examples: (type) => this.#examplesOf(type),
      populator: once(() => new Populator(contract, resources, population)),
      targets: (target, type, own) => this.#targets(target, type, own),
    };
  }

  /** Returns true for a type whose resources a list shows: nobody would find the others. */
  shows({ kind, name }: ResourceType): boolean {
    return kind === 'collection' && this.#listed().has(name);
  }

  /** Returns what a collection begins with; undefined for a type whose resources nobody finds. */
  beginningOf(type: ResourceType, collection: string): Beginning | undefined {
    if (!this.shows(type)) return undefined;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    return remember(this.#known, collection, () => this.#planOf(type, collection));
  }

  /** Resources in a collection of each parent cannot be referred to from elsewhere. */
  #targets(target: ResourceType, type: ResourceType, own: readonly Target[]) {
    if (target.name === type.name) return own;
    if (!isShared(target)) return [];
    const seed = this.#seeds.get(target.name);
    return seed ? placeAll(seed) : this.#planOf(target, target.name).targets();
  }

  #planOf(type: ResourceType, collection: string): Plan {
    const plan = () => new Plan(type, collection, this.#sources);
    return isShared(type) ? remember(this.#plans, collection, plan) : plan();
  }

  #examplesOf(type: ResourceType): Examples {
    const isIgnored = this.#settings.ignoreExamples;
    const meanings = isIgnored ? [] : (this.#meanings().get(type.name) ?? []);
    return findExamples(this.#contract, type, meanings);
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
