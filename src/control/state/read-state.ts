import { type Awaitable, after } from '../../base/awaitable.ts';
import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import {
  type Collection,
  hasBeenWritten,
  isShared,
  locateCollection,
  SINGLETON_KEY,
} from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import {
  createEntryWriter,
  writeSeedEntry,
  writeSeedHeading,
  writeSeedPlace,
} from '../../resources/seed/seed-entry.ts';
import type { EditableSession } from '../../session/session.ts';
import { listAll, type Store, type StoreCopy, type Stored } from '../../state/store.ts';

/** A client that wants more resources reads them in parts or as a file. */
export const MOST_AT_ONCE = 100_000;

/** Returns every collection, and the nested collections that hold resources, in order. */
function findPlaces(store: Store, resources: Resources): Awaitable<readonly Collection[]> {
  return after(store.counts(), (counts) => {
    const places = new Map<string, Collection>();
    for (const type of resources.all.filter(isShared)) {
      places.set(type.name, { type, name: type.name });
    }
    for (const name of [...counts.keys()].sort()) {
      const found = places.has(name) ? undefined : locateCollection(resources, name);
      if (found !== undefined) places.set(found.name, found);
    }
    return [...places.values()];
  });
}

/** Reads the whole state at one moment. */
export async function readWholeState(
  session: EditableSession,
  resources: Resources,
): Promise<JsonObject> {
  const copy = await session.copyState();
  try {
    return await readWhole(copy.state, resources);
  } finally {
    await copy.drop();
  }
}

/** Returns the list of each collection and the object of each existing singleton. */
function readWhole(store: Store, resources: Resources): Awaitable<JsonObject> {
  return after(refuseTooMany(store), () =>
    after(findPlaces(store, resources), (places) => readPlaces(store, places, {})),
  );
}

function readPlaces(
  store: Store,
  [found, ...others]: readonly Collection[],
  whole: JsonObject,
): Awaitable<JsonObject> {
  if (found === undefined) return whole;
  return after(readPlace(store, found), (value): Awaitable<JsonObject> => {
    if (value !== undefined) setMember(whole, found.name, value);
    return readPlaces(store, others, whole);
  });
}

/** Returns the resources of a collection, or a singleton; undefined when it does not exist. */
export function readPlace(
  store: Store,
  { type, name: place }: Collection,
): Awaitable<JsonValue | undefined> {
  if (type.kind === 'singleton') {
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
    `${subject} holds ${count} resources: read a collection in parts with limit and offset, ` +
      'or everything as a fixture file with Accept: application/yaml',
  );
}

/** Returns the number of resources in each collection that is not empty. */
export async function countResources(state: Store): Promise<JsonObject> {
  const counts: JsonObject = {};
  for (const [name, count] of await state.counts()) {
    // Names with `$` are the engine's own.
    if (!name.startsWith('$')) setMember(counts, name, count);
  }
  return counts;
}

const CHUNK = 1_000;

/** Returns the fixture file of a copy; the copy is dropped when the stream ends or is cancelled. */
export function streamState(copy: StoreCopy, resources: Resources): ReadableStream<Uint8Array> {
  const pieces = writeState(copy.state, resources);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done !== true) {
          controller.enqueue(encoder.encode(value));
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      await copy.drop();
    },
    cancel: async () => copy.drop(),
  });
}

/**
 * Yields the content of a store as a fixture file, piece by piece. Collections that were never
 * written to are left out; those that were emptied are written as empty.
 *
 * @param store a store that does not change meanwhile
 */
async function* writeState(store: Store, resources: Resources): AsyncGenerator<string> {
  let heading = writeSeedHeading(false);
  for (const found of await findPlaces(store, resources)) {
    if (!(await hasBeenWritten(store, found.name))) continue;
    for await (const piece of writePlace(store, found)) {
      yield heading + piece;
      heading = '';
    }
  }
  if (heading !== '') yield writeSeedHeading(true);
}

async function* writePlace(
  store: Store,
  { type, name: place }: Collection,
): AsyncGenerator<string> {
  if (type.kind === 'singleton') {
    const stored = await store.get(place, SINGLETON_KEY);
    if (stored !== undefined) yield writeSeedPlace(place, stored.resource);
    return;
  }
  const count = await store.count(place);
  yield writeSeedPlace(place, count === 0 ? 'nothing' : 'list');
  const writeEntry = createEntryWriter(type);
  for (let offset = 0; offset < count; offset += CHUNK) {
    const stored = await store.list(place, { offset, limit: CHUNK });
    if (stored.length < Math.min(CHUNK, count - offset)) {
      throw new Problem('STORE_UNAVAILABLE', `${place} has lost resources while it was read`);
    }
    yield stored.map((one) => writeSeedEntry(writeEntry(one))).join('');
  }
}
