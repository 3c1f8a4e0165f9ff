import { likeness } from '../../schema/schema-node.ts';
import type { Meaning, Wrapping } from '../meaning.ts';
import { common, fieldsOf, shownOf } from '../meaning-parts.ts';
import type { Resource } from '../resource.ts';
import { findWrapping } from '../shape/find-wrapping.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import type { SingletonDraft } from './draft.ts';
import { takeOne } from './infer-collection.ts';
import { isOfSame } from './infer-singleton.ts';

/** @returns what the operations of a single thing mean */
export function singletonMeanings(draft: SingletonDraft, resource: Resource): readonly Meaning[] {
  const methods = draft.family.collection?.methods ?? new Map<string, OperationShape>();
  return [...methods].flatMap(([method, shape]) => ofMethod(method, shape, draft, resource) ?? []);
}

function ofMethod(
  method: string,
  shape: OperationShape,
  draft: SingletonDraft,
  resource: Resource,
): Meaning | undefined {
  const base = { ...common(shape, resource), reason: draft.reason };
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { ...base, kind: 'read', query: fieldsOf(shape), shown: draft.read.wrapping };
    case 'DELETE': {
      const shown = shownOf(shape, draft.family.name, draft.shown, undefined);
      return { ...base, kind: 'delete', isAll: false, shown };
    }
    case 'PUT': {
      const change = changeOfSingleton(shape, draft);
      return change && { ...base, ...change, kind: 'replace', createsAbsent: true };
    }
    case 'PATCH':
    case 'POST': {
      const change = changeOfSingleton(shape, draft);
      return change && { ...base, ...change, kind: 'patch' };
    }
    default:
      return undefined;
  }
}

/** @returns where the body has the singleton and the answer shows it; undefined for another thing */
function changeOfSingleton(
  shape: OperationShape,
  { family, shown }: SingletonDraft,
): { readonly given: Wrapping; readonly shown: Wrapping | undefined } | undefined {
  const given = takeOne(shape, family.name);
  if (given === undefined) return undefined;
  const answered = findWrapping(shape.success?.view, family.name)?.view;
  const isOfIt = isOfSame(given.view, shown) || likeness(answered, shown) >= ALIKE;
  if (!isOfIt) return undefined;
  return { given: given.wrapping, shown: shownOf(shape, family.name, shown, given.view) };
}

const ALIKE = 0.6;
