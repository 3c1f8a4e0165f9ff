import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { collectionOf, getProperty, isShared, parametersOf, readKey } from '../collections.ts';
import type { ResourceType } from '../resource.ts';
import type { Seed } from './seeds.ts';

/** A collection and the path parameters that lead to it. */
export interface ParentCollection {
  readonly collection: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface PlacedResource extends ParentCollection {
  readonly type: ResourceType;
  /** From 0, among those of its type. */
  readonly number: number;
  readonly key: string;
  value: JsonObject;
}

/** A resource that others may refer to. */
export type Target = Readonly<Pick<PlacedResource, 'type' | 'key' | 'value'>>;

export function resourcesOfSeeds(seeds: readonly Seed[]): Map<string, PlacedResource[]> {
  const all = new Map<string, PlacedResource[]>();
  for (const seed of seeds) {
    const list = remember(all, seed.type.name, () => []);
    list.push(...placeAll(seed, list.length));
  }
  return all;
}

/** @param first the number of the first resource */
export function placeAll({ type, name: collection, entries }: Seed, first = 0): PlacedResource[] {
  const parameters = parametersOf(type, collection);
  return [...entries].map(([key, value], index) => {
    return { type, collection, parameters, key, value, number: first + index };
  });
}

/** Returns the collections of a type: one, or one for each parent; none if these are unknown. */
export function collectionsOf(
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
        (property && segmentOf(getProperty(owner.value, property.value)));
      if (value !== undefined) parameters.set(parameter, value);
    }
    if (parent === undefined || parameters.size < outer.length) return [];
    const key = segmentOf(readKey(owner.key));
    if (key === undefined) return [];
    parameters.set(parent.parameter, key);
    return [{ collection: collectionOf(type, parameters), parameters }];
  });
}

function segmentOf(key: JsonValue | undefined): string | undefined {
  if (key === undefined || key === null || typeof key === 'boolean') return undefined;
  return typeof key === 'object' && !('text' in key) ? undefined : String(key);
}
