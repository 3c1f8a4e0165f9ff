import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { Contract } from '../../contract/contract.ts';
import { createContractGenerator } from '../../generate/contract-generator.ts';
import { collectionOf, isShared, parametersOf } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { type GenerationMaterial, generateResource } from './generate-resource.ts';
import { FreeNumbers } from './make-key.ts';
import { type Reference, References, refer } from './references.ts';
import { readKey } from './seed-entry.ts';
import type { Seed } from './seeds.ts';

/** How many, and of what chance. */
interface Population {
  readonly populate: number;
  readonly seed: string;
  readonly now: number;
}

/**
 * Makes up resources until there are so many of each kind. All are made before any refers to
 * another, so that those that refer to each other in a circle find what they mean as well. Where
 * each parent has a collection of its own, each gets its share.
 *
 * @param seeds what is there already; it counts, and stays as it is
 * @returns the seeds, and what was made up
 */
export function populate(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  { populate: count, seed, now }: Population,
): readonly Seed[] {
  const answering = createContractGenerator(contract, 'response');
  const requesting = createContractGenerator(contract, 'request');
  const material = { contract, answering, requesting, seed, now };
  const all = resourcesOfSeeds(seeds);
  const made: PlacedResource[] = [];
  for (const type of inOrderOfPaths(resources)) {
    const here = all.get(type.name) ?? [];
    all.set(type.name, here);
    for (const one of fill(material, type, all, here, count)) made.push(one);
  }
  connect(material, resources, all, made);
  return gather(seeds, made);
}

/** Parents stand before what they have. */
function inOrderOfPaths({ all }: Resources): readonly ResourceType[] {
  const depthOf = (type: ResourceType): number => (isShared(type) ? 0 : type.parents.length);
  return all
    .filter(({ kind }) => kind === 'collection')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
}

/** @returns what was made up, which stands in `here` as well */
function fill(
  material: GenerationMaterial,
  type: ResourceType,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
  here: PlacedResource[],
  count: number,
): readonly PlacedResource[] {
  const made: PlacedResource[] = [];
  const taken = new Set(here.map(({ collection, key }) => `${collection} ${key}`));
  const places = collectionsOf(type, all).map((at) => {
    const isTaken = (key: string): boolean => taken.has(`${at.collection} ${key}`);
    return { at, isTaken, numbers: new FreeNumbers(isTaken) };
  });
  for (let index = 0; here.length < count; index++) {
    const parent = places[index % places.length];
    if (parent === undefined) break;
    const { at, isTaken, numbers } = parent;
    const which = { number: numbers.take(), collection: at.collection };
    const one = generateResource(material, type, which, isTaken);
    // What cannot be made up now cannot be made up later either.
    if (one === undefined) break;
    const placed = { ...at, ...one, type, number: here.length };
    taken.add(`${at.collection} ${one.key}`);
    here.push(placed);
    made.push(placed);
  }
  return made;
}

/** Every reference is tried alone: one that the schema does not take is left as it was made up. */
function connect(
  { contract, seed }: GenerationMaterial,
  resources: Resources,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
  made: readonly PlacedResource[],
): void {
  const references = new References(resources, contract.schemas.nodes);
  const known = new Map<ResourceType, readonly Reference[]>();
  for (const one of made) {
    const own = known.get(one.type) ?? references.of(one.type);
    known.set(one.type, own);
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
      const value = withMember(one.value, reference.property, after);
      if (checkResource(contract, one.type, value, '').length === 0) one.value = value;
    }
  }
}

/** Of its own kind, one that was made before: so none is above itself. */
function chooseOne(
  { type, number }: PlacedResource,
  targets: readonly PlacedResource[],
  random: Random,
): PlacedResource | undefined {
  const isOwn = targets[number]?.type === type;
  return targets[Math.floor(random.next() * (isOwn ? number : targets.length))];
}

function withMember(value: JsonObject, name: string, member: JsonObject[string]): JsonObject {
  const changed = { ...value };
  setMember(changed, name, member);
  return changed;
}

function gather(seeds: readonly Seed[], made: readonly PlacedResource[]): readonly Seed[] {
  const all = new Map(
    seeds.map((seed) => [seed.name, { ...seed, entries: new Map(seed.entries) }]),
  );
  for (const { type, collection, key, value } of made) {
    const seed = all.get(collection) ?? {
      type,
      name: collection,
      entries: new Map<string, JsonObject>(),
    };
    all.set(collection, seed);
    seed.entries.set(key, value);
  }
  return [...all.values()];
}

/** A place and the parameters that lead there. */
interface ParentCollection {
  readonly collection: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A resource that is there from the start. */
interface PlacedResource extends ParentCollection {
  readonly type: ResourceType;
  /** From 0, among those of its kind. */
  readonly number: number;
  readonly key: string;
  value: JsonObject;
}

/** @returns the resources of seeds by the names of their kinds */
function resourcesOfSeeds(seeds: readonly Seed[]): Map<string, PlacedResource[]> {
  const all = new Map<string, PlacedResource[]>();
  for (const { type, name: collection, entries } of seeds) {
    const list = all.get(type.name) ?? [];
    all.set(type.name, list);
    const parameters = parametersOf(type, collection);
    for (const [key, value] of entries) {
      list.push({ type, collection, parameters, key, value, number: list.length });
    }
  }
  return all;
}

/**
 * @param all what there is of the parents, by the names of their kinds
 * @returns where a kind is kept: one place, or one of each parent; none where nobody knows them
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

/** @returns a key as a path has it */
function segmentOf(key: JsonValue | undefined): string | undefined {
  if (key === undefined || key === null || typeof key === 'boolean') return undefined;
  return typeof key === 'object' && !('text' in key) ? undefined : String(key);
}
