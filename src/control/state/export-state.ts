import { Problem } from '../../base/problem.ts';
import { type Collection, hasBeenWritten, SINGLETON_KEY } from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import {
  createEntryWriter,
  writeSeedEntry,
  writeSeedHeading,
  writeSeedPlace,
} from '../../resources/seed/seed-entry.ts';
import type { Store, StoreCopy } from '../../state/store.ts';
import { findPlaces } from './read-state.ts';

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
