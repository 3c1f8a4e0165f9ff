import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { markWritten } from '../../resources/collections.ts';
import type { DeleteMeaning } from '../../resources/meaning.ts';
import type { Change, Stored } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { findExisting } from './change.ts';
import { effectOf } from './effect.ts';
import { markDeleted, requireParents } from './find-stored.ts';
import { isOfParents, keysInPath } from './path-keys.ts';
import { identityOf } from './placeholder.ts';
import { mayChange, showResources } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `DELETE /plants/7`, or all of them by `DELETE /plants`. */
export function remove(request: StateRequest<DeleteMeaning>): Awaitable<Outcome> {
  if (!mayChange(request.operation)) return undefined;
  if (request.meaning.isAll) return removeAll(request);
  const keys = keysInPath(request);
  if (keys === undefined) return undefined;
  return after(findExisting(request, keys, false), (before) => {
    if (before === undefined) return undefined;
    const { key, resource, expected } = before;
    const isStored = typeof expected === 'number';
    const changes: Change[] = isStored ? [removal(request.collection, key, expected)] : [];
    return respondRemoved(request, [...changes, ...marksOf(request, [key])], [resource], key);
  });
}

function removal(collection: string, key: string, expected: Change['expected']): Change {
  return { collection, key, expected, resource: undefined };
}

/** Returns the marks that resources existed. */
function marksOf(
  { material, meaning, collection }: StateRequest,
  keys: readonly string[],
): readonly Change[] {
  const { declaresGone } = material.factsOf(meaning.type);
  const gone = declaresGone ? keys : [];
  return [markWritten(collection), ...gone.map((key) => markDeleted(collection, key, {}))];
}

function removeAll(request: StateRequest<DeleteMeaning>): Awaitable<Outcome> {
  return after(requireParents(request), () =>
    after(listAll(request, 0, []), (all) => {
      const own = all.filter(({ resource }) => isOfParents(request, resource));
      const keys = own.map(({ key }) => key);
      const changes = keys.map((key) => removal(request.collection, key, 'any'));
      const resources = own.map(({ resource }) => resource);
      return respondRemoved(request, [...changes, ...marksOf(request, keys)], resources, '');
    }),
  );
}

const CHUNK = 1_000;

function listAll(
  request: StateRequest,
  offset: number,
  before: readonly Stored[],
): Awaitable<readonly Stored[]> {
  return after(request.store.list(request.collection, { offset, limit: CHUNK }), (chunk) => {
    const all = [...before, ...chunk];
    return chunk.length < CHUNK ? all : listAll(request, offset + CHUNK, all);
  });
}

function respondRemoved(
  request: StateRequest<DeleteMeaning>,
  changes: readonly Change[],
  resources: readonly JsonObject[],
  key: string,
): Outcome {
  const declared = request.operation.responses.success;
  return {
    candidate: declared && showResources(request, declared, resources, identityOf(request, key)),
    effect: effectOf(request, changes, undefined),
  };
}
