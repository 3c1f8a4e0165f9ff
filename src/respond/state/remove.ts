import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { markTouched } from '../../resources/collections.ts';
import type { DeleteMeaning } from '../../resources/meaning.ts';
import type { Change, Stored } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import { findBefore } from './change.ts';
import { effectOf } from './effect.ts';
import { DELETED, deletedKey, requireParents } from './find-stored.ts';
import { isOfParents, keysInPath } from './path-keys.ts';
import { identityOf } from './placeholder.ts';
import { chooseSuccess, mayChange, showThings } from './show.ts';
import type { Asked } from './state-request.ts';

/** `DELETE /plants/7`, and of all of them `DELETE /plants`. */
export function remove(asked: Asked<DeleteMeaning>): Awaitable<Outcome> {
  if (!mayChange(asked.request.operation)) return undefined;
  if (asked.meaning.isAll) return removeAll(asked);
  const keys = keysInPath(asked);
  if (keys === undefined) return undefined;
  return after(findBefore(asked, keys, false), (before) => {
    if (before === undefined) return undefined;
    const { key, thing, expected } = before;
    const isStored = typeof expected === 'number';
    const changes: Change[] = isStored ? [removal(asked.place, key, expected)] : [];
    return answerRemoved(asked, [...changes, ...marksOf(asked, [key])], [thing], key);
  });
}

function removal(collection: string, key: string, expected: Change['expected']): Change {
  return { collection, key, expected, resource: undefined };
}

/** What tells later that something was there. */
function marksOf({ material, meaning, place }: Asked, keys: readonly string[]): readonly Change[] {
  const { declaresGone } = material.factsOf(meaning.resource);
  const gone = declaresGone ? keys : [];
  return [
    markTouched(place),
    ...gone.map((key) => ({
      collection: DELETED,
      key: deletedKey(place, key),
      expected: 'any' as const,
      resource: {},
    })),
  ];
}

function removeAll(asked: Asked<DeleteMeaning>): Awaitable<Outcome> {
  return after(requireParents(asked), () =>
    after(listAll(asked, 0, []), (all) => {
      const own = all.filter(({ resource }) => isOfParents(asked, resource));
      const keys = own.map(({ key }) => key);
      const changes = keys.map((key) => removal(asked.place, key, 'any'));
      const things = own.map(({ resource }) => resource);
      return answerRemoved(asked, [...changes, ...marksOf(asked, keys)], things, '');
    }),
  );
}

const CHUNK = 1_000;

function listAll(
  asked: Asked,
  offset: number,
  before: readonly Stored[],
): Awaitable<readonly Stored[]> {
  return after(asked.store.list(asked.place, { offset, limit: CHUNK }), (chunk) => {
    const all = [...before, ...chunk];
    return chunk.length < CHUNK ? all : listAll(asked, offset + CHUNK, all);
  });
}

function answerRemoved(
  asked: Asked<DeleteMeaning>,
  changes: readonly Change[],
  things: readonly JsonObject[],
  key: string,
): Outcome {
  const effect = effectOf(asked, changes, undefined);
  const declared = chooseSuccess(asked.request.operation, 'deleted');
  if (declared === undefined) return { answer: undefined, effect };
  return { answer: showThings(asked, declared, things, identityOf(asked, key)), effect };
}
