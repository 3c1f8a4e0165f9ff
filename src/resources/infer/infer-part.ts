import { plain } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { ActionMeaning } from '../meaning.ts';
import { inferred } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { namesItemOf } from '../shape/words.ts';
import { ALIKE, findHeld, nodeAt, RELATED } from '../shape/wrapping.ts';
import type { CollectionDraft } from './draft.ts';
import type { Family } from './families.ts';
import { takeOne } from './infer-collection.ts';
import type { UntypedMeaning } from './meaning-parts.ts';
import type { Methods } from './places.ts';

type Change = Pick<ActionMeaning, 'how' | 'given' | 'part'> & Partial<Pick<ActionMeaning, 'sets'>>;

/**
 * Returns the meanings of operations on a part of a resource, which have its name:
 * `PUT /quotes/{id}/status`, `POST` and `DELETE /firewalls/{id}/tags`.
 */
export function findPartChanges({ name, collection }: Family, { shown, family }: CollectionDraft) {
  if (shown === undefined || collection === undefined || collection.has('GET')) return [];
  return ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method): readonly UntypedMeaning[] => {
    const shape = collection.get(method);
    const change =
      shape && (findChange(shape, name, shown) ?? findUndoing(shape, collection, shown));
    if (shape === undefined || change === undefined) return [];
    const reason = `${method} to ${name}, a part of one of ${family.name}`;
    const { operation, success } = shape;
    const answered = findHeld(success?.node, family.name, shown);
    const isShown = likeness(answered?.node, shown) >= ALIKE;
    const base = { operation, kind: 'action', name, sets: [], from: [], ...change } as const;
    return [{ ...base, shown: isShown ? answered?.wrapping : undefined, reason }];
  });
}

function findChange(shape: OperationShape, name: string, shown: SchemaNode): Change | undefined {
  const { method, given, takesBytes, givesBytes } = shape;
  if (takesBytes || givesBytes) return undefined;
  const property = findListed(shown, name) ?? [...shown.names].find((one) => isAlike(one, name));
  if (given === undefined) {
    return property === undefined ? undefined : changeByMethod(method, property, shown);
  }
  const isListed = property !== undefined && shown.property(property)?.isArray === true;
  const how = method === 'DELETE' ? 'remove' : method === 'POST' && isListed ? 'add' : 'set';
  return (
    changeOfMembers(shape, { name, how, shown, isNamed: property !== undefined }) ??
    changeOfValue(given.node, { property, how, shown })
  );
}

/** `DELETE /plants/{id}/pot` takes it away; `PUT` and `DELETE /plants/{id}/favourite` set a flag. */
function changeByMethod(method: string, property: string, shown: SchemaNode): Change | undefined {
  const isEnd = method === 'DELETE';
  if (!shown.property(property)?.types.has('boolean')) {
    return isEnd ? { how: 'remove', given: undefined, part: { property, path: [] } } : undefined;
  }
  const value = inferred(!isEnd, `${method} ${isEnd ? 'takes it back' : 'sets it'}`);
  return { how: 'set', given: undefined, part: undefined, sets: [{ property, value }] };
}

/** `DELETE /plants/{id}/place` after `PUT` with a `bedId` takes this member away. */
function findUndoing({ method }: OperationShape, methods: Methods, shown: SchemaNode) {
  const body = methods.get('PUT')?.given?.node;
  const names = [...(body?.names ?? [])];
  const isOfIt = names.length > 0 && names.every((name) => shown.names.has(name));
  if (method !== 'DELETE' || !isOfIt) return undefined;
  const value = inferred(null, 'PUT sets it');
  const sets = names.map((property) => ({ property, value }));
  return { how: 'set', given: undefined, part: undefined, sets } as const;
}

interface Named {
  readonly name: string;
  readonly how: NonNullable<Change['how']>;
  readonly shown: SchemaNode;
  /** True if the path names a property. */
  readonly isNamed: boolean;
}

/** `{"droplet_ids": [7]}` has a member of the resource. */
function changeOfMembers(shape: OperationShape, { name, how, shown, isNamed }: Named) {
  const body = takeOne(shape, name);
  const names = [...(body?.node.names ?? [])];
  if (body === undefined || names.length === 0) return undefined;
  const own = membersIn(body.node, shown);
  // `PUT /shelves/{id}/label` with the label, and a token beside it.
  const isAmong = isNamed && own.some((one) => isAlike(one, name));
  if (own.length < names.length && !isAmong) return undefined;
  const { method } = shape;
  const isOfLists = names.every((one) => findListed(shown, one) !== undefined);
  if (!isNamed && !isOfLists && method !== 'PUT' && method !== 'PATCH') return undefined;
  const isAdding = method === 'POST' && isOfLists;
  return { how: isAdding ? 'add' : how, given: body.wrapping, part: undefined } as const;
}

interface OfProperty {
  readonly property: string | undefined;
  readonly how: NonNullable<Change['how']>;
  readonly shown: SchemaNode;
}

/** `["moss"]` and `{"value": "moss"}` are the value of the property that the path names. */
function changeOfValue(given: SchemaNode | undefined, { property, how, shown }: OfProperty) {
  const node = property === undefined ? undefined : shown.property(property);
  if (given === undefined || property === undefined || node === undefined) return undefined;
  const [only, ...others] = given.isArray ? [] : given.names;
  const paths = only !== undefined && others.length === 0 ? [[only], []] : [[]];
  const path = paths.find((one) => {
    const value = nodeAt(given, one);
    return value !== undefined && fits(value, node);
  });
  return path && { how, given: undefined, part: { property, path } };
}

/** Returns the members of a body that the resource has too: `droplet` for its `droplets`. */
export function membersIn(body: SchemaNode, shown: SchemaNode): readonly string[] {
  return [...body.names].filter(
    (name) => shown.names.has(name) || findListed(shown, name) !== undefined,
  );
}

/** Returns the list that one of its items, or their keys, name: `tags` for `tag` and `tagIds`. */
function findListed(shown: SchemaNode, name: string): string | undefined {
  return [...shown.names].find((one) => shown.property(one)?.isArray && namesItemOf(one, name));
}

function isAlike(one: string, name: string): boolean {
  return plain(one) === plain(name);
}

/** Returns true if a value can be that of a property, or one of its items. */
function fits(value: SchemaNode, property: SchemaNode): boolean {
  if (property.isArray) return value.isArray || !value.isObject || isLike(value, property.items);
  if (property.isObject) return isLike(value, property);
  const isSingle = !value.isArray && !value.isObject;
  return isSingle && [...value.types].every((type) => property.types.has(type));
}

function isLike(value: SchemaNode, other: SchemaNode | undefined): boolean {
  return value.isObject && likeness(value, other) >= RELATED;
}
