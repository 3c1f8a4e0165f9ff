import { getMember, isJsonObject, type JsonObject, mergeDeep } from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { once, remember } from '../../base/remember.ts';
import { plain } from '../../base/words.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator, Generators } from '../../generate/generator.ts';
import { type Known, NOTHING_KNOWN } from '../../generate/value-builder.ts';
import type { StoreBeginning } from '../../state/store.ts';
import { getProperty, isShared, keyTextOf, putAll } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import type { ResourceType, ServerSetRole } from '../resource.ts';
import { setProperty } from '../wrapping.ts';
import { acceptsInstead, checkResource } from './check-resource.ts';
import { findExampleSeeds } from './example-seeds.ts';
import { foretellKeys, keysFor, type TakenKeys } from './key-candidates.ts';
import { FreeNumbers, withKey } from './make-key.ts';
import {
  collectionsOf,
  type ParentCollection,
  type PlacedResource,
  resourcesOfSeeds,
  type Target,
} from './placed.ts';
import { chooseTarget, createReferenceFinder, type Reference, refer } from './references.ts';
import type { Seed } from './seeds.ts';

export interface Population {
  /** The least number of resources of each type. */
  readonly populate: number;
  readonly seed: string;
  readonly generators: Generators;
  /** The current time in milliseconds since 1970; generated dates are near it. */
  readonly now: number;
}

/**
 * Generates resources until there are enough of each type. References between them are set after
 * all are generated, so that they may refer to each other in circles. If each parent has a
 * collection, the resources are shared among them.
 *
 * @param seeds the existing resources; they count, and are not changed
 * @returns the seeds and the generated resources
 */
function populate(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  population: Population,
): readonly Seed[] {
  const populator = new Populator(contract, resources, population);
  const all = resourcesOfSeeds(seeds);
  const made = inOrderOfPaths(resources).flatMap((type) => {
    const here = remember(all, type.name, () => []);
    return populator.fill(type, here, collectionsOf(type, all));
  });
  populator.connect(made, (target) => all.get(target.name) ?? []);
  return gather(seeds, made);
}

/**
 * Returns the function that creates the first resources of sessions: those of files, then of
 * examples, then generated. It creates them once, when the first session begins.
 *
 * @param seeds of the files
 * @param settings `seedExamples` is true to store the document's examples
 */
export function createInitialState(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  settings: Population & { readonly seedExamples: boolean },
): StoreBeginning {
  const create = once(() => {
    try {
      const shown = settings.seedExamples ? findExampleSeeds(contract, resources, seeds) : seeds;
      const isEnough = settings.populate === 0;
      const all = isEnough ? shown : populate(contract, resources, shown, settings);
      return all.flatMap(({ name, entries }) => putAll(name, entries));
    } catch (error) {
      // It would come again, and take as long.
      return { error };
    }
  });
  return () => {
    const created = create();
    if ('error' in created) throw created.error;
    return created;
  };
}

function inOrderOfPaths({ all }: Resources): readonly ResourceType[] {
  const depthOf = (type: ResourceType): number => (isShared(type) ? 0 : type.parents.length);
  return all
    .filter(({ kind }) => kind === 'collection')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
}

interface FilledCollection extends ParentCollection {
  readonly isTaken: (key: string) => boolean;
  readonly numbers: FreeNumbers;
}

/** How often to try again if another resource has the name: there may be no other name. */
const MOST_RENAMED = 3;

/** How often to try again with other random numbers if the key is taken. */
const MOST_TRIES = 12;

export class Populator {
  readonly #contract: Contract;
  readonly #resources: Resources;
  readonly #population: Population;
  readonly #referencesOf: (type: ResourceType) => readonly Reference[];

  constructor(contract: Contract, resources: Resources, population: Population) {
    this.#contract = contract;
    this.#resources = resources;
    this.#population = population;
    const finder = once(() => createReferenceFinder(resources, contract.schemas.nodes));
    const known = new Map<ResourceType, readonly Reference[]>();
    this.#referencesOf = (type) => remember(known, type, () => finder()(type));
  }

  /**
   * Generates the resources that are missing, in one collection after the other.
   *
   * @param here the existing resources; the generated ones are added
   * @returns the generated resources
   */
  fill(type: ResourceType, here: PlacedResource[], places: readonly ParentCollection[]) {
    const before = here.length;
    const taken = new Set(here.map(({ collection, key }) => `${collection} ${key}`));
    const collections = places.map((at): FilledCollection => {
      const isTaken = (key: string): boolean => taken.has(`${at.collection} ${key}`);
      return { ...at, isTaken, numbers: new FreeNumbers(isTaken) };
    });
    for (let index = 0; here.length < this.#population.populate; index++) {
      const at = collections[index % collections.length];
      const one = at && this.#generate(type, at, here);
      // If one cannot be generated, the next cannot either.
      if (at === undefined || one === undefined) break;
      const { collection, parameters } = at;
      taken.add(`${collection} ${one.key}`);
      here.push({ collection, parameters, ...one, type, number: here.length });
    }
    return here.slice(before);
  }

  /**
   * Returns the keys that {@link fill} gives the resources of a collection, without making them;
   * undefined where a key depends on its resource.
   *
   * @param taken the keys of existing resources
   */
  foretell(type: ResourceType, taken: TakenKeys, collection: string) {
    const random = (number: number) => this.#randomOfKey(collection, number);
    return foretellKeys(this.#contract, type, taken, this.#population.populate, random);
  }

  #nameOf(collection: string, number: number): string {
    return `${this.#population.seed}\npopulate\n${collection}\n${number}`;
  }

  /** Keys have random numbers of their own, so that they are known before the rest. */
  #randomOfKey(collection: string, number: number): Random {
    return createRandom(`${this.#nameOf(collection, number)}\nkey`);
  }

  /**
   * Sets references one by one. A reference that the schema does not allow keeps its generated
   * value.
   *
   * @param targetsOf returns the resources of a type that may be referred to
   */
  connect(
    made: readonly PlacedResource[],
    targetsOf: (type: ResourceType) => readonly Target[],
  ): void {
    for (const one of made) {
      const random = createRandom(
        `${this.#population.seed}\nreferences\n${one.collection}\n${one.key}`,
      );
      for (const reference of this.#referencesOf(one.type)) {
        const target = this.#resources.find(reference.target);
        const keyName = target?.key?.property?.value;
        if (target === undefined || keyName === undefined) continue;
        const choose = () => chooseTarget(reference, one, targetsOf(target), random);
        this.#set(reference, keyName, one, choose);
      }
    }
  }

  #set(
    reference: Reference,
    keyName: string,
    one: PlacedResource,
    choose: () => Target | undefined,
  ): void {
    // Without its parent, a resource would be in none of its lists.
    const generated = getProperty(one.value, reference.property);
    const before = generated ?? (reference.isParent ? '' : undefined);
    const after = refer(this.#contract, reference, keyName, before, choose);
    if (after === undefined) return;
    const value = { ...one.value };
    setProperty(value, reference.property, after);
    if (this.#isAcceptedWith(one.type, reference.property, one.value, value)) one.value = value;
  }

  /** Generates a resource with a free key that {@link checkResource} accepts, if it finds one. */
  #generate(
    type: ResourceType,
    at: FilledCollection,
    here: readonly PlacedResource[],
  ): GeneratedResource | undefined {
    const number = at.numbers.take();
    const name = this.#nameOf(at.collection, number);
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const random = createRandom(`${name}\n${attempt}`);
      const value = this.#generateNamed(type, random, here);
      const keyed = value && this.#addKey(type, value, number + attempt, at);
      if (keyed !== undefined) return keyed;
    }
    return undefined;
  }

  /** Returns a resource with a name of its own, if one is found soon. */
  #generateNamed(type: ResourceType, random: Random, here: readonly PlacedResource[]) {
    let value = this.#generateValue(type, random);
    for (let count = 0; count < MOST_RENAMED && value && isNamedAgain(value, here); count++) {
      value = this.#generateValue(type, random);
    }
    return value;
  }

  #generateValue(type: ResourceType, random: Random): JsonObject | undefined {
    const { schema, writtenSchema } = type;
    const { now, generators } = this.#population;
    const draw = (generator: Generator, pointer: string | undefined, known?: Known) => {
      if (pointer === undefined) return undefined;
      const value = generator.generate(pointer, { random, now }, 'free', known);
      return isJsonObject(value) ? value : undefined;
    };
    const shown = draw(generators.response, schema?.pointer);
    const written = draw(
      generators.request,
      writtenSchema?.pointer,
      shown && this.#known(type, shown),
    );
    const whole = shown && written && mergeDeep(written, shown);
    return [whole, shown, written]
      .filter(isJsonObject)
      .map((one) => inOrderOfTime(type, one))
      .find((one) => this.#isAccepted(type, one));
  }

  /** Returns the values of a response, which are not drawn again for the request. */
  #known({ schema }: ResourceType, shown: JsonObject): Known {
    const ofWhole = new Map(Object.entries(shown).map(([name, value]) => [plain(name), value]));
    const unwanted = this.#contract.schemas.nodes.at(schema?.pointer)?.names ?? new Set<string>();
    return { ...NOTHING_KNOWN, ofWhole, unwanted };
  }

  /** @param number unique in the collection, and usually the key */
  #addKey(
    type: ResourceType,
    value: JsonObject,
    number: number,
    { collection, isTaken }: FilledCollection,
  ): GeneratedResource | undefined {
    const property = type.key?.property?.value;
    if (property === undefined) {
      const key = String(number);
      return isTaken(key) ? undefined : { key, value };
    }
    const random = () => this.#randomOfKey(collection, number);
    for (const candidate of keysFor(type, value, number, random)) {
      const key = keyTextOf(candidate);
      const keyed = withKey(value, property, candidate);
      const isFitting = !isTaken(key) && this.#isAcceptedWith(type, property, value, keyed);
      if (isFitting) return { key, value: keyed };
    }
    return undefined;
  }

  /** Returns true if a resource is accepted that differs from an accepted one in one property. */
  #isAcceptedWith(type: ResourceType, name: string, before: JsonObject, after: JsonObject) {
    const member = getMember(before, name) === undefined ? undefined : getMember(after, name);
    const isSurely = member !== undefined && acceptsInstead(this.#contract, type, name, member);
    return isSurely || this.#isAccepted(type, after);
  }

  #isAccepted(type: ResourceType, value: JsonObject): boolean {
    return checkResource(this.#contract, type, value, '').length === 0;
  }
}

/** Compares with few resources: there are not many names. */
function isNamedAgain(value: JsonObject, here: readonly PlacedResource[]): boolean {
  return here.slice(-MOST_COMPARED).some(({ value: other }) =>
    NAMES.some((name) => {
      const text = getMember(value, name);
      return typeof text === 'string' && text === getMember(other, name);
    }),
  );
}

const MOST_COMPARED = 10;
const NAMES = ['name', 'title', 'email', 'username', 'slug'];

type GeneratedResource = Pick<PlacedResource, 'key' | 'value'>;

/** Swaps the times of creation and last change if they are in the wrong order. */
function inOrderOfTime({ serverSet }: ResourceType, value: JsonObject): JsonObject {
  const nameOf = (role: ServerSetRole) => serverSet.find((one) => one.role.value === role)?.name;
  const [made, changed] = [nameOf('created-at'), nameOf('updated-at')];
  if (made === undefined || changed === undefined) return value;
  const [first, second] = [getProperty(value, made), getProperty(value, changed)];
  const isSo = typeof first !== typeof second || String(first ?? '') <= String(second ?? '');
  if (isSo || first === undefined || second === undefined) return value;
  const ordered = { ...value };
  setProperty(ordered, made, second);
  setProperty(ordered, changed, first);
  return ordered;
}

function gather(seeds: readonly Seed[], made: readonly PlacedResource[]): readonly Seed[] {
  const all = new Map(
    seeds.map((seed) => [seed.name, { ...seed, entries: new Map(seed.entries) }]),
  );
  for (const { type, collection, key, value } of made) {
    const create = () => ({ type, name: collection, entries: new Map<string, JsonObject>() });
    remember(all, collection, create).entries.set(key, value);
  }
  return [...all.values()];
}
