import { plain } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { findAmong } from '../shape/wrapping.ts';
import type { CollectionDraft } from './draft.ts';
import type { Family } from './families.ts';
import { fieldsOf } from './meaning-parts.ts';

const LATEST = /^(?:latest|newest|last|mostrecent)$/;

/** `GET /releases/tags/{tag}`, by the property `tag_name`, and `GET /releases/latest`. */
export function findOne({ name, collection, item }: Family, owner: CollectionDraft) {
  const isLatest = LATEST.test(plain(name)) && item === undefined;
  const methods = isLatest ? collection : collection === undefined ? item : undefined;
  const isRead = [...(methods?.keys() ?? [])].every((one) => one === 'GET' || one === 'DELETE');
  const shape = isRead ? methods?.get('GET') : undefined;
  const answered = findAmong(shape?.success?.node, owner.family.name, owner.shown);
  if (shape === undefined || answered === undefined || !isSame(answered.node, owner.shown)) {
    return undefined;
  }
  const by = isLatest ? 'latest' : propertyOfPath(shape, owner);
  if (by === undefined) return undefined;
  const what = by === 'latest' ? 'the last that was created' : `by ${by.property}`;
  const reason = `GET below a collection, which shows one of it, ${what}`;
  const query = fieldsOf(shape);
  return {
    operation: shape.operation,
    kind: 'read',
    query,
    by,
    shown: answered.wrapping,
    reason,
  } as const;
}

/** Returns the property that the last parameter of a path names, alone or with `name` after it. */
export function propertyOfPath({ path }: OperationShape, { shown }: CollectionDraft) {
  const { kind, name: parameter } = path.segments.at(-1) ?? { kind: 'name', name: '' };
  if (kind !== 'parameter') return undefined;
  const word = plain(parameter);
  const property = [...(shown?.names ?? [])].find((one) =>
    [word, `${word}name`].includes(plain(one)),
  );
  return property === undefined ? undefined : { property, parameter };
}

const FEWEST_TELLING = 3;

/** Returns true for two schemas of one resource. */
export function isSame(one: SchemaNode | undefined, other: SchemaNode | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.identity === other.identity) return true;
  // One with the same names may still be only a part of the other.
  const isWhole = Math.abs(one.names.size - other.names.size) <= 2;
  return one.names.size >= FEWEST_TELLING && likeness(one, other) === 1 && isWhole;
}
