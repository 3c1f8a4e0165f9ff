import { type Awaitable, after } from '../../base/awaitable.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { getProperty, markWritten } from '../../resources/collections.ts';
import { compileQuery } from '../../resources/list/compile-query.ts';
import { createFilter, type Filter } from '../../resources/list/filter.ts';
import type { DeleteMeaning } from '../../resources/meaning.ts';
import { valueAt } from '../../resources/wrapping.ts';
import { type Change, listAll } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { changeExisting, type Existing } from './change.ts';
import { markDeleted, requireParents } from './find-stored.ts';
import { isOfParents, keysInPath } from './path-keys.ts';
import { mayChange, StoringEffect, showResources } from './show.ts';
import { askedFor, type StateRequest } from './state-request.ts';

type DeleteRequest = StateRequest<DeleteMeaning>;

/** `DELETE /plants/7`, all of them by `DELETE /plants`, or those that query and body select. */
export function remove(request: DeleteRequest): Awaitable<Outcome> {
  if (!request.meaning.isAll) {
    return changeExisting(request, keysInPath(request), (existing) =>
      respondRemoved(request, [existing], existing.key),
    );
  }
  if (!mayChange(request.operation)) return undefined;
  const filters = readSelection(request);
  return after(requireParents(request), () =>
    after(listAll(request.store, request.collection), (all) => {
      const own = all.filter(
        (one, position) =>
          isOfParents(request, one.resource) &&
          filters.every((isSelected) => isSelected(one, position)),
      );
      const removed = own.map(({ key, resource }) => ({ key, resource, expected: 'any' as const }));
      return respondRemoved(request, removed, '');
    }),
  );
}

function respondRemoved(request: StateRequest, removed: readonly Existing[], key: string): Outcome {
  const { collection, facts, operation } = request;
  const changes: Change[] = removed
    // A placeholder was never stored.
    .filter(({ expected }) => expected !== 'absent')
    .map((one) => ({ collection, key: one.key, expected: one.expected, resource: undefined }));
  changes.push(markWritten(collection));
  if (facts.declaresGone())
    changes.push(...removed.map((one) => markDeleted(collection, one.key, {})));
  const declared = operation.responses.success;
  const resources = removed.map(({ resource }) => resource);
  return {
    candidate: declared && showResources(request, declared, { resources, key }),
    effect: new StoringEffect(request, changes),
  };
}

function readSelection(request: DeleteRequest): readonly Filter[] {
  const { meaning, operation, material, body } = request;
  const { query, keys, type } = meaning;
  const { schemas } = material.contract;
  const compiled = compileQuery(query, operation, schemas.nodes, [], undefined);
  const filters = [...compiled.read(askedFor(request)).filters];
  const property = type.key?.property?.value.split('.') ?? [];
  const named = keys && valueAt(body?.value, keys);
  if (named !== undefined) filters.push(createFilter(property, 'equal', keysOf(named, property)));
  const wantsKeys =
    keys !== undefined ||
    query.parameters.some(
      ({ role }) => role.kind === 'filter' && role.property.join('.') === type.key?.property?.value,
    );
  // A list of keys that was not sent is empty.
  return wantsKeys && filters.length === 0 ? [() => false] : filters;
}

/** Returns the keys in a list, which may be members of its items. */
function keysOf(named: JsonValue, property: readonly string[]): JsonValue {
  return [named]
    .flat()
    .flatMap((one) => (isJsonObject(one) ? (getProperty(one, property.join('.')) ?? []) : one));
}
