import type { SchemaNode } from '../../schema/schema-node.ts';
import { findSets } from '../infer/action-sets.ts';
import type { AssembledType } from '../infer/assemble.ts';
import type { Draft } from '../infer/draft.ts';
import { createsAbsent, fieldsOf } from '../infer/meaning-parts.ts';
import type { ActionMeaning, Envelope, Meaning, Wrapping } from '../meaning.ts';
import { findEnvelope, findEnvelopeParts } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { lastName } from '../shape/path-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { findWrapping, nodeAt, PLAIN, readResourceObject } from '../shape/wrapping.ts';
import type { OperationKind, OperationOverride, Sourced } from './overrides.ts';

/**
 * Returns the meaning that an override gives to an operation. What the override leaves out is
 * inferred.
 *
 * @returns undefined if the override does not fit the operation, which is reported
 */
export function overrideMeaning(
  shape: OperationShape,
  sourced: Sourced<OperationOverride>,
  does: Exclude<OperationKind, 'nothing'>,
  { draft, type }: AssembledType,
  inferred: Meaning | undefined,
): Meaning | undefined {
  const { value, source } = sourced;
  const reason = value.does === undefined ? (inferred?.reason ?? '') : 'an override says so';
  const shown = shownAt(shape, value, draft, inferred);
  const base = { operation: shape.operation, type, reason, source, shown };
  const given = givenAt(shape, value, draft, inferred);
  switch (does) {
    case 'list':
      return listMeaning(shape, sourced, draft, base);
    case 'create': {
      const isMany = value.isMany ?? (inferred?.kind === 'create' && inferred.isMany);
      return { ...base, kind: 'create', given, isMany };
    }
    case 'read':
      return { ...base, kind: 'read', query: fieldsOf(shape) };
    case 'replace':
      return { ...base, kind: 'replace', given, createsAbsent: createsAbsent(shape) };
    case 'patch':
      return { ...base, kind: 'patch', given };
    case 'delete':
    case 'delete-all':
      return { ...base, kind: 'delete', isAll: does === 'delete-all' };
    case 'action':
      return {
        ...base,
        kind: 'action',
        name: lastName(shape.path),
        given: shape.given === undefined ? undefined : given,
        sets: setsOf(shape, sourced, draft),
      };
  }
}

function shownAt(
  { success }: OperationShape,
  { shown }: OperationOverride,
  { family }: Draft,
  inferred: Meaning | undefined,
): Wrapping | undefined {
  if (shown !== undefined) return wrappingAt(success?.node, shown);
  return inferred?.shown ?? findWrapping(success?.node, family.name)?.wrapping;
}

function givenAt(
  { given }: OperationShape,
  override: OperationOverride,
  { family }: Draft,
  inferred: Meaning | undefined,
): Wrapping {
  if (override.given !== undefined) return wrappingAt(given?.node, override.given);
  const known = inferred !== undefined && 'given' in inferred ? inferred.given : undefined;
  return known ?? findWrapping(given?.node, family.name)?.wrapping ?? PLAIN;
}

function listMeaning(
  shape: OperationShape,
  { value, report }: Sourced<OperationOverride>,
  { shown, family }: Draft,
  base: Pick<Meaning, 'operation' | 'type' | 'reason' | 'source'>,
): Meaning | undefined {
  const list = listAt(shape.success?.node, value.list, shown, family.name);
  if (list === undefined) {
    report('its response has no list of objects', 'Say where it is: `list: [data, items]`.');
    return undefined;
  }
  const query = findListQuery(shape, list.item);
  return { ...base, kind: 'list', envelope: list.envelope, query, shown: undefined };
}

function setsOf(
  shape: OperationShape,
  { value: { sets }, source }: Sourced<OperationOverride>,
  { shown }: Draft,
): ActionMeaning['sets'] {
  if (sets.size === 0) return findSets(lastName(shape.path), shown);
  return [...sets].map(([property, value]) => ({
    property,
    value: { value, reason: 'an override says so', source },
  }));
}

function wrappingAt(node: SchemaNode | undefined, path: readonly string[]): Wrapping {
  const inner = nodeAt(node, path);
  const resourceObject = inner && readResourceObject(inner);
  return { ...(resourceObject?.wrapping ?? PLAIN), path };
}

function listAt(
  node: SchemaNode | undefined,
  path: readonly string[] | undefined,
  item: SchemaNode | undefined,
  collection: string,
): { readonly envelope: Envelope; readonly item: SchemaNode } | undefined {
  if (path === undefined) return findEnvelope(node, { collection, item });
  const array = nodeAt(node, path);
  const one = array?.items;
  if (node === undefined || array?.isArray !== true || one === undefined) return undefined;
  const resourceObject = readResourceObject(one);
  const parts = path.length === 0 ? [] : findEnvelopeParts(node, path);
  return {
    envelope: { ...(resourceObject?.wrapping ?? PLAIN), path, isByKey: false, parts },
    item: resourceObject?.node ?? one,
  };
}
