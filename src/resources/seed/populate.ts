import { mergeDeep } from '../../base/json/copy.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { remember } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import { createContractGenerator, type Generator } from '../../generate/generator.ts';
import { collectionOf, isShared, keyTextOf, parametersOf, readKey } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import type { ResourceType, ServerSetRole } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { FreeNumbers, makeKey, makeSlug, withKey } from './make-key.ts';
import { createReferenceFinder, type Reference, refer } from './references.ts';
import type { Seed } from './seeds.ts';

/** How many resources to generate, and from what. */
export interface Population {
  /** The least number of resources of each type. */
  readonly populate: number;
  /** The random seed. */
  readonly seed: string;
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
export function populate(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  population: Population,
): readonly Seed[] {
  const answering = createContractGenerator(contract, 'response');
  const requesting = createContractGenerator(contract, 'request');
  const material = { ...population, contract, answering, requesting };
  const all = resourcesOfSeeds(seeds);
  const made: PlacedResource[] = [];
  for (const type of inOrderOfPaths(resources)) {
    for (const one of fill(material, type, all)) made.push(one);
  }
  connect(material, resources, all, made);
  return gather(seeds, made);
}

/** Returns the types with parents before their children. */
function inOrderOfPaths({ all }: Resources): readonly ResourceType[] {
  const depthOf = (type: ResourceType): number => (isShared(type) ? 0 : type.parents.length);
  return all
    .filter(({ kind }) => kind === 'collection')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
}

/** Returns the generated resources, and adds them to `all`. */
function fill(
  material: GenerationMaterial,
  type: ResourceType,
  all: Map<string, PlacedResource[]>,
): readonly PlacedResource[] {
  const here = remember(all, type.name, () => []);
  const before = here.length;
  const taken = new Set(here.map(({ collection, key }) => `${collection} ${key}`));
  const places = collectionsOf(type, all).map((at) => {
    const isTaken = (key: string): boolean => taken.has(`${at.collection} ${key}`);
    return { at, isTaken, numbers: new FreeNumbers(isTaken) };
  });
  for (let index = 0; here.length < material.populate; index++) {
    const parent = places[index % places.length];
    if (parent === undefined) break;
    const { at, isTaken, numbers } = parent;
    const one = generateResource(material, type, numbers.take(), at.collection, isTaken);
    // If one cannot be generated, the next cannot either.
    if (one === undefined) break;
    const placed = { ...at, ...one, type, number: here.length };
    taken.add(`${at.collection} ${one.key}`);
    here.push(placed);
  }
  return here.slice(before);
}

/**
 * Sets references one by one. A reference that the schema does not allow keeps its generated value.
 */
function connect(
  { contract, seed }: GenerationMaterial,
  resources: Resources,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
  made: readonly PlacedResource[],
): void {
  const referencesOf = createReferenceFinder(resources, contract.schemas.nodes);
  const known = new Map<ResourceType, readonly Reference[]>();
  for (const one of made) {
    const own = remember(known, one.type, () => referencesOf(one.type));
    const random = createRandom(`${seed}\nreferences\n${one.collection}\n${one.key}`);
    for (const reference of own) {
      const targets = all.get(reference.target) ?? [];
      const keyName = resources.find(reference.target)?.key?.property?.value;
      if (keyName === undefined) continue;
      const before = getMember(one.value, reference.property);
      const after = refer(contract, reference, keyName, before, () =>
        chooseOne(one, targets, random),
      );
      if (after === undefined) continue;
      const value = { ...one.value };
      setMember(value, reference.property, after);
      if (checkResource(contract, one.type, value, '').length === 0) one.value = value;
    }
  }
}

/**
 * Chooses a target at random. Of its own type only an earlier one, so that no resource is its own
 * ancestor.
 */
function chooseOne(
  { type, number }: PlacedResource,
  targets: readonly PlacedResource[],
  random: Random,
): PlacedResource | undefined {
  const isOwn = targets[number]?.type === type;
  return targets[Math.floor(random.next() * (isOwn ? number : targets.length))];
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

/** A collection and the path parameters that lead to it. */
interface ParentCollection {
  readonly collection: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A seed or a generated resource. */
interface PlacedResource extends ParentCollection {
  readonly type: ResourceType;
  /** From 0, among those of its type. */
  readonly number: number;
  readonly key: string;
  value: JsonObject;
}

/** Returns the resources of seeds, by the names of their types. */
function resourcesOfSeeds(seeds: readonly Seed[]): Map<string, PlacedResource[]> {
  const all = new Map<string, PlacedResource[]>();
  for (const { type, name: collection, entries } of seeds) {
    const list = remember(all, type.name, () => []);
    const parameters = parametersOf(type, collection);
    for (const [key, value] of entries) {
      list.push({ type, collection, parameters, key, value, number: list.length });
    }
  }
  return all;
}

/**
 * Returns the collections of a type: one, or one for each parent; none if the parents are unknown.
 *
 * @param all the existing resources, by the names of their types
 */
function collectionsOf(
  type: ResourceType,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
): readonly ParentCollection[] {
  if (isShared(type)) return [{ collection: type.name, parameters: new Map() }];
  const parent = type.parents.at(-1);
  const outer = type.parents.slice(0, -1);
  const owners = parent?.resource === undefined ? [] : (all.get(parent.resource) ?? []);
  return owners.flatMap((owner) => {
    const parameters = new Map<string, string>();
    for (const [index, { parameter, property }] of outer.entries()) {
      const value =
        [...owner.parameters.values()][index] ??
        (property && segmentOf(getMember(owner.value, property.value)));
      if (value !== undefined) parameters.set(parameter, value);
    }
    if (parent === undefined || parameters.size < outer.length) return [];
    const key = segmentOf(readKey(owner.key));
    if (key === undefined) return [];
    parameters.set(parent.parameter, key);
    return [{ collection: collectionOf(type, parameters), parameters }];
  });
}

/** Returns a key as a path segment. */
function segmentOf(key: JsonValue | undefined): string | undefined {
  if (key === undefined || key === null || typeof key === 'boolean') return undefined;
  return typeof key === 'object' && !('text' in key) ? undefined : String(key);
}

/** The material from which resources are generated. */
interface GenerationMaterial extends Population {
  readonly contract: Contract;
  /** Generates responses. */
  readonly answering: Generator;
  /** Generates request bodies. */
  readonly requesting: Generator;
}

/** How often to try again with other random numbers if the key is taken. */
const MOST_TRIES = 12;

/**
 * Generates a resource with a free key that passes {@link checkResource}.
 *
 * @param number from 1: unique in the collection, and usually its key
 * @returns undefined if none was found
 */
function generateResource(
  material: GenerationMaterial,
  type: ResourceType,
  number: number,
  collection: string,
  isTaken: (key: string) => boolean,
): { readonly key: string; readonly value: JsonObject } | undefined {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const random = createRandom(`${material.seed}\npopulate\n${collection}\n${number}\n${attempt}`);
    const value = generateValue(material, type, random);
    if (value === undefined) continue;
    const keyed = addKey(material, type, value, number + attempt, isTaken, random);
    if (keyed !== undefined) return keyed;
  }
  return undefined;
}

/** Merges a generated request and a generated response. */
function generateValue(
  { contract, answering, requesting, now }: GenerationMaterial,
  type: ResourceType,
  random: Random,
): JsonObject | undefined {
  const { schema, writtenSchema } = type;
  const draw = (generator: Generator, pointer: string | undefined): JsonObject | undefined => {
    if (pointer === undefined) return undefined;
    const value = generator.generate(pointer, { random, now }, 'free');
    return isJsonObject(value) ? value : undefined;
  };
  const shown = draw(answering, schema?.pointer);
  const written = draw(requesting, writtenSchema?.pointer);
  const whole =
    shown !== undefined && written !== undefined ? mergeDeep(written, shown) : undefined;
  return [whole, shown, written]
    .filter(isJsonObject)
    .map((one) => inOrderOfTime(type, one))
    .find((one) => checkResource(contract, type, one, '').length === 0);
}

/** Swaps the times of creation and last change if they are in the wrong order. */
function inOrderOfTime({ serverSet }: ResourceType, value: JsonObject): JsonObject {
  const nameOf = (role: ServerSetRole) => serverSet.find((one) => one.role.value === role)?.name;
  const [made, changed] = [nameOf('created-at'), nameOf('updated-at')];
  if (made === undefined || changed === undefined) return value;
  const [first, second] = [getMember(value, made), getMember(value, changed)];
  const isSo = typeof first !== typeof second || String(first ?? '') <= String(second ?? '');
  return isSo || first === undefined || second === undefined
    ? value
    : { ...value, [made]: second, [changed]: first };
}

function addKey(
  { contract }: GenerationMaterial,
  type: ResourceType,
  value: JsonObject,
  number: number,
  isTaken: (key: string) => boolean,
  random: Random,
): ReturnType<typeof generateResource> {
  const property = type.key?.property?.value;
  if (property === undefined) {
    const key = String(number);
    return isTaken(key) ? undefined : { key, value };
  }
  for (const candidate of keysFor(type, value, number, random)) {
    const key = keyTextOf(candidate);
    const keyed = withKey(value, property, candidate);
    if (!isTaken(key) && checkResource(contract, type, keyed, '').length === 0) {
      return { key, value: keyed };
    }
  }
  return undefined;
}

/** Returns candidates for the key, the best first. The generated value surely keeps the schema. */
function keysFor(
  type: ResourceType,
  value: JsonObject,
  number: number,
  random: Random,
): readonly JsonValue[] {
  const { property, generation } = type.key ?? {};
  const given = getMember(value, property?.value ?? '');
  const own = given === undefined || given === null ? [] : [given];
  if (generation?.value === 'by-schema') {
    return [...own, ...own.map((one) => `${String(one)}${number}`), number, String(number)];
  }
  const made = makeKey(type, value, number, () => random);
  return generation?.value === 'slug' ? [makeSlug(value, 0), made, ...own] : [made, ...own];
}
