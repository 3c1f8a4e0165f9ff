import { type Awaitable, after } from '../../base/awaitable.ts';
import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { type FoundPlace, findPlace, isWhole, SINGLETON_KEY } from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import type { EditableSession } from '../../session/session.ts';
import { listAll } from '../../state/list-all.ts';
import type { Store, Stored } from '../../state/store.ts';

/** More do not go out by accident: they are asked for in parts, or as a file. */
export const MOST_AT_ONCE = 100_000;

/** The places that may be named, and those of single parents that hold something, in their order. */
export function findPlaces(store: Store, resources: Resources): Awaitable<readonly FoundPlace[]> {
  return after(store.counts(), (counts) => {
    const places = new Map<string, FoundPlace>();
    for (const resource of resources.all.filter(isWhole)) {
      places.set(resource.name, { resource, place: resource.name });
    }
    for (const name of [...counts.keys()].sort()) {
      const found = places.has(name) ? undefined : findPlace(resources, name);
      if (found !== undefined) places.set(found.place, found);
    }
    return [...places.values()];
  });
}

/** Reads one moment's whole: a store that answers at once is still while it is read, else a copy is. */
export async function readStill(
  session: EditableSession,
  resources: Resources,
): Promise<JsonObject> {
  if (!(session.state.counts() instanceof Promise)) return readWhole(session.state, resources);
  const copy = await session.copyState();
  try {
    return await readWhole(copy.state, resources);
  } finally {
    await copy.drop();
  }
}

/** @returns what each place holds: lists, and of singletons the one, where there is one */
function readWhole(store: Store, resources: Resources): Awaitable<JsonObject> {
  return after(refuseTooMany(store), () =>
    after(findPlaces(store, resources), (places) => readPlaces(store, places, {})),
  );
}

function readPlaces(
  store: Store,
  [found, ...others]: readonly FoundPlace[],
  whole: JsonObject,
): Awaitable<JsonObject> {
  if (found === undefined) return whole;
  return after(readPlace(store, found), (value): Awaitable<JsonObject> => {
    if (value !== undefined) setMember(whole, found.place, value);
    return readPlaces(store, others, whole);
  });
}

/** @returns undefined for a singleton that is not there */
export function readPlace(
  store: Store,
  { resource, place }: FoundPlace,
): Awaitable<JsonValue | undefined> {
  if (resource.kind === 'singleton') {
    return after(store.get(place, SINGLETON_KEY), (stored) => stored?.resource);
  }
  return after(listAll(store, place), showAll);
}

export function showAll(stored: readonly Stored[]): JsonObject[] {
  return stored.map(({ resource }) => resource);
}

/** @throws {Problem} TOO_LARGE_AT_ONCE */
function refuseTooMany(store: Store): Awaitable<void> {
  return after(store.counts(), (counts) => {
    let total = 0;
    for (const [name, count] of counts) if (!name.startsWith('$')) total += count;
    if (total > MOST_AT_ONCE) throw tooMany('the session', total);
  });
}

export function tooMany(subject: string, count: number): Problem {
  return new Problem(
    'TOO_MANY_AT_ONCE',
    `${subject} holds ${count} resources: ask a collection for a part by limit and offset, ` +
      'or for a fixture file by Accept: application/yaml',
  );
}
