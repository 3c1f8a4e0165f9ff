import { type Awaitable, after } from '../../base/awaitable.ts';
import { type Collection, hasBeenWritten, isShared } from '../../resources/collections.ts';
import { type Beginning, beginWith, type World } from '../../resources/seed/world.ts';
import type { Change, Range, Stored, StoredCollections } from '../../state/store.ts';
import type { Candidate, Effect, MockResponse, Outcome } from '../response.ts';
import { isBelowCreated } from './find-stored.ts';
import type { StateRequest } from './state-request.ts';

export const NEVER_WRITTEN = 0;

/** The resources that a collection begins with, as if they were stored. */
export class UnwrittenStore implements StoredCollections {
  readonly #store: StoredCollections;
  readonly #collection: string;
  readonly #beginning: Beginning;

  constructor(store: StoredCollections, collection: string, beginning: Beginning) {
    this.#store = store;
    this.#collection = collection;
    this.#beginning = beginning;
  }

  get(collection: string, key: string): Awaitable<Stored | undefined> {
    if (collection !== this.#collection) return this.#store.get(collection, key);
    const resource = this.#beginning.get(key);
    return resource && { key, resource, version: NEVER_WRITTEN };
  }

  list(collection: string, range: Range): Awaitable<readonly Stored[]> {
    if (collection !== this.#collection) return this.#store.list(collection, range);
    return [...this.#beginning.all()]
      .slice(range.offset, range.offset + range.limit)
      .map(([key, resource]) => ({ key, resource, version: NEVER_WRITTEN }));
  }

  count(collection: string): Awaitable<number> {
    return collection === this.#collection
      ? this.#beginning.all().size
      : this.#store.count(collection);
  }
}

const NOTHING = beginWith(new Map());

/** Returns true if nobody has said what a list shows: not even that there is nothing. */
export function isUnknown(beginning: Beginning | undefined): boolean {
  return beginning === undefined || (beginning !== NOTHING && beginning.all().size === 0);
}

/**
 * Returns the resources that a collection shows until it is written; undefined if it was written.
 * Below a parent that a client has created there is nothing.
 */
export function findUnwritten(
  request: StateRequest,
  { type, name }: Collection,
): Awaitable<Beginning | undefined> {
  const { world } = request.material;
  if (world === undefined || !world.shows(type)) return undefined;
  const isWritten = hasBeenWritten(request.call.session.state, name);
  return isWritten === true ? undefined : findBeginning(request, world, { type, name }, isWritten);
}

function findBeginning(
  request: StateRequest,
  world: World,
  { type, name }: Collection,
  hasBegun: Awaitable<boolean>,
): Awaitable<Beginning | undefined> {
  return after(hasBegun, (isWritten) => {
    if (isWritten) return undefined;
    const beginning = world.beginningOf(type, name);
    if (isShared(type)) return beginning;
    return after(isBelowCreated(request), (isNew) => (isNew ? NOTHING : beginning));
  });
}

/** Returns the outcome with the resources that the collection had before its first write. */
export function withUnwritten(outcome: Outcome, collection: string, beginning: Beginning): Outcome {
  if (outcome === undefined || 'payload' in outcome || outcome.effect === undefined) return outcome;
  return { ...outcome, effect: storeAll(outcome.effect, collection, beginning) };
}

/** Stores the resources in their order, each as the request leaves it. */
function storeAll(effect: Effect, collection: string, beginning: Beginning): Effect {
  /** The position of each change of the request among all changes. */
  let positions: readonly number[] = [];
  return {
    changes: (response: MockResponse) => {
      const own = effect.changes(response);
      // A mark has the name of the collection as its key.
      if (!own.some((change) => [change.collection, change.key].includes(collection))) {
        positions = [...own.keys()];
        return own;
      }
      const resources = beginning.all();
      const isOfThem = (change: Change) =>
        change.collection === collection && resources.has(change.key);
      const changed = new Map(own.filter(isOfThem).map((change) => [change.key, change]));
      const kept = [...resources].flatMap(([key, before]): readonly Change[] => {
        const { resource } = changed.get(key) ?? { resource: before };
        return resource === undefined ? [] : [{ collection, key, expected: 'absent', resource }];
      });
      const all = [...kept, ...own.filter((change) => !isOfThem(change))];
      const places = new Map(all.map((change, index) => [nameOf(change), index]));
      positions = own.map((change) => places.get(nameOf(change)) ?? -1);
      return all;
    },
    fields: (versions, candidate: Candidate) =>
      effect.fields?.(versionsAt(versions, positions), candidate) ?? {},
  };
}

function nameOf({ collection, key }: Change): string {
  return `${collection} ${key}`;
}

function versionsAt(versions: readonly number[], positions: readonly number[]) {
  return positions.map((position) => versions[position] ?? NEVER_WRITTEN);
}
