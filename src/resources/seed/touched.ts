import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Change, Store } from '../../state/store.ts';

/** The collection of marks: the places that somebody has written to, even if nothing is left. */
const TOUCHED = '$touched';

const MARK: JsonObject = Object.freeze({});

/**
 * @returns true for a place that holds something, or did: then what is not there is missing, where
 *   a place that nobody has written to answers by the document's examples
 */
export function isTouched(store: Store, place: string): Awaitable<boolean> {
  return after(store.count(place), (count) =>
    count > 0 ? true : after(store.get(TOUCHED, place), (mark) => mark !== undefined),
  );
}

/** @returns what keeps a place touched when a change may leave nothing in it */
export function markTouched(place: string): Change {
  return { collection: TOUCHED, key: place, expected: 'any', resource: MARK };
}
