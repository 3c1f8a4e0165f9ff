import { type Awaitable, after } from '../base/awaitable.ts';
import type { Store, Stored } from './store.ts';

const CHUNK = 10_000;

/** @returns all that a collection holds, in its order; at once where the store answers at once */
export function listAll(store: Store, collection: string): Awaitable<readonly Stored[]> {
  return listFrom(store, collection, []);
}

function listFrom(store: Store, collection: string, all: Stored[]): Awaitable<readonly Stored[]> {
  const range = { offset: all.length, limit: CHUNK };
  return after(store.list(collection, range), (part): Awaitable<readonly Stored[]> => {
    for (const one of part) all.push(one);
    return part.length < CHUNK ? all : listFrom(store, collection, all);
  });
}
