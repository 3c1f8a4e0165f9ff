import { getMember, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { placeOf } from '../list/place.ts';
import type { Resource } from '../resource.ts';
import { isWhole, parametersOf } from './find-place.ts';
import { readKey } from './seed-entry.ts';
import type { Seed } from './seeds.ts';

/** A place and the parameters that lead there. */
export interface ParentPlace {
  readonly place: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A resource that is there from the start. */
export interface PlacedResource extends ParentPlace {
  readonly resource: Resource;
  /** From 0, among those of its kind. */
  readonly number: number;
  readonly key: string;
  value: JsonObject;
}

/** @returns the resources of seeds by the names of their kinds */
export function placesOfSeeds(seeds: readonly Seed[]): Map<string, PlacedResource[]> {
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
export function placesOf(
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
