import type { Awaitable } from '../../base/awaitable.ts';
import { type JsonObject, setMember } from '../../base/json/value.ts';
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
import { beginWith } from '../../resources/seed/world.ts';
import { UnwrittenStore } from '../../respond/state/unwritten-store.ts';
import type { EditableSession } from '../../session/session.ts';
import {
  listAll,
  type Store,
  type StoreCopy,
  type Stored,
  type StoredCollections,
} from '../../state/store.ts';
import type { ControlCall } from '../call.ts';

/** A client that wants more resources reads them in parts or as a file. */
export const MOST_AT_ONCE = 100_000;

/** Returns every collection, and the nested collections that hold resources, in order. */
async function findPlaces(store: Store, resources: Resources): Promise<readonly Collection[]> {
  const counts = await store.counts();
  const places = new Map<string, Collection>();
  for (const type of resources.all.filter(isShared)) {
    places.set(type.name, { type, name: type.name });
  }
  for (const name of [...counts.keys()].sort()) {
    const found = places.has(name) ? undefined : locateCollection(resources, name);
    if (found !== undefined) places.set(found.name, found);
  }
  return [...places.values()];
}

/** Returns the list of each collection and the object of each existing singleton, at one moment. */
export async function readWholeState(
  session: EditableSession,
  resources: Resources,
  view: StateView,
): Promise<JsonObject> {
  const copy = await session.copyState();
  try {
    let total = 0;
    for (const count of Object.values(await countResources(copy.state))) total += Number(count);
    if (total > MOST_AT_ONCE) throw tooMany('the session', total);
    const whole: JsonObject = {};
    for (const found of await findPlaces(copy.state, resources)) {
      const value = await readPlace(copy.state, found, view);
      if (value !== undefined) setMember(whole, found.name, value);
    }
    return whole;
  } finally {
    await copy.drop();
  }
}

/** Returns the resources of a collection, or a singleton; undefined when it does not exist. */
export async function readPlace(store: Store, found: Collection, view: StateView) {
  const { type, name } = found;
  const state = await view.open(store, found);
  if (type.kind !== 'singleton') {
    return (await listAll(state, name)).map((stored) => view.show(found, stored));
  }
  const stored = await state.get(name, SINGLETON_KEY);
  return stored && view.show(found, stored);
}

/** The part of the state in a response. */
interface StateView {
  readonly open: (store: Store, found: Collection) => Awaitable<StoredCollections>;
  readonly show: (found: Collection, stored: Pick<Stored, 'key' | 'resource'>) => JsonObject;
}

/** Returns the view of a call: what is stored, or with `shown` what reads show. */
export function chooseView(call: ControlCall): StateView {
  if (!call.flag('shown')) return { open: (store) => store, show: (_, { resource }) => resource };
  const { pipeline, session } = call;
  return {
    async open(store, found) {
      const { type, name } = found;
      const mayBegin = type.kind === 'singleton' || pipeline.world?.shows(type);
      if (!mayBegin || (await hasBeenWritten(store, name))) return store;
      const only = type.kind === 'singleton' && pipeline.showSingleton(found, session.seed);
      const beginning = only
        ? beginWith(new Map([[SINGLETON_KEY, only]]))
        : pipeline.world?.beginningOf(type, name);
      return beginning ? new UnwrittenStore(store, name, beginning) : store;
    },
    show: (found, stored) => pipeline.showStored(found, stored, session.seed),
  };
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

/** Yields a store as a fixture file: emptied collections as empty, unwritten ones not at all. */
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

async function* writePlace(store: Store, { type, name: place }: Collection) {
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
