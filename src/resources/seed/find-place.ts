import { placeOf } from '../list/place.ts';
import type { Resources } from '../meaning.ts';
import type { Resource } from '../resource.ts';

/** A collection or a singleton of the store, found by what it is called. */
export interface FoundPlace {
  readonly resource: Resource;
  /** What the store calls it. */
  readonly place: string;
}

/**
 * The way back from {@link placeOf}.
 *
 * @param text as people and the control API call it: `plants`, `gardens/7/plants`
 * @returns undefined where the document has no such place
 */
export function findPlace(resources: Resources, text: string): FoundPlace | undefined {
  const named = resources.find(text);
  if (named !== undefined && isWhole(named)) return { resource: named, place: named.name };
  for (const resource of resources.all) {
    if (isWhole(resource)) continue;
    const parameters = readParameters(resource.path, text);
    if (parameters !== undefined) return { resource, place: placeOf(resource, parameters) };
  }
  return undefined;
}

/** @returns the parameters that lead to a place, none where it has one for all parents */
export function parametersOf(resource: Resource, place: string): ReadonlyMap<string, string> {
  return (isWhole(resource) ? undefined : readParameters(resource.path, place)) ?? new Map();
}

/** True where one collection holds those of all parents. */
export function isWhole({ parents }: Resource): boolean {
  return parents.every(({ property }) => property !== undefined);
}

/** @returns the places as people may write them: `gardens/{gardenId}/plants` where parents part it */
export function describePlaces(resources: Resources): readonly string[] {
  return resources.all.map((one) => (isWhole(one) ? one.name : one.path.replace(/^\//, '')));
}

/** A segment of a path template is a text, a parameter, or both mixed. */
const PARAMETER = /\{([^{}]*)\}/g;

function readParameters(path: string, text: string): ReadonlyMap<string, string> | undefined {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
  const values = toPattern(path).exec(text)?.slice(1).map(decode);
  if (values === undefined || values.includes(undefined)) return undefined;
  return new Map(names.map((name, index) => [name, values[index] ?? '']));
}

/** @returns what the places of a kind are called that each parent has its own of */
export function patternOfPlaces({ path }: Resource): RegExp {
  return toPattern(path);
}

function toPattern(path: string): RegExp {
  const parts = path.replace(/^\//, '').split(PARAMETER);
  const pattern = parts.map((part, index) =>
    index % 2 === 1 ? '([^/]+)' : part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  return new RegExp(`^${pattern.join('')}$`);
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
