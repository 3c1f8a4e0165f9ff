import type { Operation } from '../../contract/contract.ts';
import type { Meaning } from '../meaning.ts';
import { common, settleLinks, showsMany } from '../meaning-parts.ts';
import type { Assembled, AssembledResource } from '../seed/assemble.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { collectionMeanings } from './collection-meanings.ts';
import { findSets } from './find-sets.ts';
import type { Below } from './infer-below.ts';
import { singletonMeanings } from './singleton-meanings.ts';

/** @returns what each operation means, of those that mean something */
export function inferMeanings(
  { resources }: Assembled,
  below: readonly Below[],
): Map<Operation, Meaning> {
  const meanings = new Map<Operation, Meaning>();
  for (const assembled of resources.values()) {
    for (const meaning of meaningsOf(assembled)) meanings.set(meaning.operation, meaning);
  }
  for (const one of below) {
    const assembled = resources.get(one.owner);
    if (assembled === undefined) continue;
    meanings.set(one.shape.operation, ofBelow(one, assembled));
  }
  return meanings;
}

function ofBelow(one: Below, { draft, resource }: AssembledResource): Meaning {
  const base = common(one.shape, resource);
  switch (one.kind) {
    case 'find': {
      const query = findListQuery(one.shape, one.list.item);
      return {
        ...base,
        kind: 'list',
        envelope: settleLinks(one.list.envelope, query),
        query,
        shown: undefined,
        reason: 'GET of a name beside or below a collection, which lists the same things',
      };
    }
    case 'create-many':
      return {
        ...base,
        kind: 'create',
        given: one.created.given.wrapping,
        isMany: true,
        shown: showsMany(one.shape, draft),
        reason: 'POST to a name below a collection, with a list of what it holds',
      };
    case 'act':
      return {
        ...base,
        kind: 'action',
        name: one.name,
        given: one.given?.wrapping,
        sets: findSets(one.name, draft.shown).map(({ property, value, reason }) => ({
          property,
          value: { value, reason, source: 'inferred' },
        })),
        shown: one.answered?.wrapping,
        reason: `${one.shape.operation.method} to ${one.name}, below one of a collection`,
      };
  }
}

function meaningsOf({ draft, resource }: AssembledResource): readonly Meaning[] {
  return draft.kind === 'collection'
    ? collectionMeanings(draft, resource)
    : singletonMeanings(draft, resource);
}
