import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { Contract } from '../../contract/contract.ts';
import { createContractGenerator } from '../../generate/contract-generator.ts';
import { isWhole, parametersOf, placeOf } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import type { Resource } from '../resource.ts';
import { checkKept } from './check-resource.ts';
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
  const all = placesOfSeeds(seeds);
  const made: PlacedResource[] = [];
  for (const resource of inOrderOfPaths(resources)) {
    const here = all.get(resource.name) ?? [];
    all.set(resource.name, here);
    for (const one of fill(material, resource, all, here, count)) made.push(one);
  }
  connect(material, resources, all, made);
  return gather(seeds, made);
}

/** Parents stand before what they have. */
function inOrderOfPaths({ all }: Resources): readonly Resource[] {
  const depthOf = (resource: Resource): number => (isWhole(resource) ? 0 : resource.parents.length);
  return all
    .filter(({ kind }) => kind === 'collection')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
}

/** @returns what was made up, which stands in `here` as well */
function fill(
  material: GenerationMaterial,
  resource: Resource,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
  here: PlacedResource[],
  count: number,
): readonly PlacedResource[] {
  const made: PlacedResource[] = [];
  const taken = new Set(here.map(({ place, key }) => `${place} ${key}`));
  const places = placesOf(resource, all).map((at) => {
    const isTaken = (key: string): boolean => taken.has(`${at.place} ${key}`);
    return { at, isTaken, numbers: new FreeNumbers(isTaken) };
  });
  for (let index = 0; here.length < count; index++) {
    const parent = places[index % places.length];
    if (parent === undefined) break;
    const { at, isTaken, numbers } = parent;
    const which = { number: numbers.take(), place: at.place };
    const one = generateResource(material, resource, which, isTaken);
    // What cannot be made up now cannot be made up later either.
    if (one === undefined) break;
    const placed = { ...at, ...one, resource, number: here.length };
    taken.add(`${at.place} ${one.key}`);
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
  const known = new Map<Resource, readonly Reference[]>();
  for (const one of made) {
    const own = known.get(one.resource) ?? references.of(one.resource);
    known.set(one.resource, own);
    const random = createRandom(`${seed}\nreferences\n${one.place}\n${one.key}`);
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
      if (checkKept(contract, one.resource, value, '').length === 0) one.value = value;
    }
  }
}

/** Of its own kind, one that was made before: so none is above itself. */
function chooseOne(
  { resource, number }: PlacedResource,
  targets: readonly PlacedResource[],
  random: Random,
): PlacedResource | undefined {
  const isOwn = targets[number]?.resource === resource;
  return targets[Math.floor(random.next() * (isOwn ? number : targets.length))];
}

function withMember(value: JsonObject, name: string, member: JsonObject[string]): JsonObject {
  const changed = { ...value };
  setMember(changed, name, member);
  return changed;
}

function gather(seeds: readonly Seed[], made: readonly PlacedResource[]): readonly Seed[] {
  const all = new Map(
    seeds.map((seed) => [seed.place, { ...seed, entries: new Map(seed.entries) }]),
  );
  for (const { resource, place, key, value } of made) {
    const seed = all.get(place) ?? { resource, place, entries: new Map<string, JsonObject>() };
    all.set(place, seed);
    seed.entries.set(key, value);
  }
  return [...all.values()];
}

/** A place and the parameters that lead there. */
interface ParentPlace {
  readonly place: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A resource that is there from the start. */
interface PlacedResource extends ParentPlace {
  readonly resource: Resource;
  /** From 0, among those of its kind. */
  readonly number: number;
  readonly key: string;
  value: JsonObject;
}

/** @returns the resources of seeds by the names of their kinds */
function placesOfSeeds(seeds: readonly Seed[]): Map<string, PlacedResource[]> {
  const all = new Map<string, PlacedResource[]>();
  for (const { resource, place, entries } of seeds) {
    const list = all.get(resource.name) ?? [];
    all.set(resource.name, list);
    const parameters = parametersOf(resource, place);
    for (const [key, value] of entries) {
      list.push({ resource, place, parameters, key, value, number: list.length });
    }
  }
  return all;
}

/**
 * @param all what there is of the parents, by the names of their kinds
 * @returns where a kind is kept: one place, or one of each parent; none where nobody knows them
 */
function placesOf(
  resource: Resource,
  all: ReadonlyMap<string, readonly PlacedResource[]>,
): readonly ParentPlace[] {
  if (isWhole(resource)) return [{ place: resource.name, parameters: new Map() }];
  const parent = resource.parents.at(-1);
  const outer = resource.parents.slice(0, -1);
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
    return [{ place: placeOf(resource, parameters), parameters }];
  });
}

/** @returns a key as a path has it */
function segmentOf(key: JsonValue | undefined): string | undefined {
  if (key === undefined || key === null || typeof key === 'boolean') return undefined;
  return typeof key === 'object' && !('text' in key) ? undefined : String(key);
}
