import { plain } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { MemberPath, MembersMeaning } from '../meaning.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { namesItemOf } from '../shape/words.ts';
import { ALIKE, findAmong } from '../shape/wrapping.ts';
import type { CollectionDraft } from './draft.ts';
import type { Family } from './families.ts';
import { findIdentifier } from './infer-key.ts';
import type { UntypedMeaning } from './meaning-parts.ts';

/** A list in a resource that has a path of its own. */
interface MemberList {
  readonly owner: CollectionDraft;
  readonly name: string;
  readonly property: string;
  /** The schema of an item in the resource. */
  readonly item: SchemaNode;
  /** The property by which requests name an item. */
  readonly member: string;
}

/**
 * Finds what changes a list in a resource by the names of its items: `POST`, `PUT` and `DELETE
 * /issues/7/labels` with `{"labels": ["urgent"]}`, and `DELETE /issues/7/labels/urgent`.
 *
 * @param owner of the path above
 */
export function findMembers(family: Family, owner: CollectionDraft): readonly UntypedMeaning[] {
  const { name, collection, item: below } = family;
  const property = owner.shown?.nameLike(name);
  const list = property === undefined ? undefined : owner.shown?.property(property);
  const isRead = ['GET', 'PUT', 'PATCH'].some(
    (method) => below?.get(method)?.success !== undefined,
  );
  const item = list?.items;
  if (property === undefined || list?.isArray !== true || !item?.names.size || isRead) return [];
  const shapes = [...(collection?.values() ?? [])];
  // Where nothing is created at a path, what writes the resource writes its list.
  const isView = shapes.every(({ method }) => method === 'GET') && isGiven(owner, property);
  if (!isView && shapes.every((shape) => namesIn(shape, name) === undefined)) return [];
  const listed = collection?.get('GET')?.success?.node?.items;
  const member = findIdentifier(listed) ?? findIdentifier(item);
  if (member === undefined) return [];
  const found = { owner, name, property, item, member };
  const removal = below?.get('DELETE');
  return [
    ...shapes.flatMap((shape) => ofCollection(shape, found) ?? []),
    ...(removal === undefined ? [] : [ofItem(removal, found)]),
  ];
}

function isGiven({ written }: CollectionDraft, property: string): boolean {
  return written.some(
    (node) => node.property(property)?.keyword('readOnly') !== true && node.names.has(property),
  );
}

/**
 * `PUT` and `DELETE /customers/7/groups/3` without a body change the `groupIds` of a customer.
 *
 * @param owner of the path above
 */
export function findKeyList(
  { name, collection, item }: Family,
  owner: CollectionDraft,
): readonly UntypedMeaning[] {
  const property = [...(owner.shown?.names ?? [])].find(
    (one) => isListOfNames(owner.shown?.property(one)) && namesItemOf(one, name),
  );
  const node = property === undefined ? undefined : owner.shown?.property(property)?.items;
  if (property === undefined || node === undefined || collection !== undefined) return [];
  return ['PUT', 'POST', 'DELETE'].flatMap((method) => {
    const shape = item?.get(method);
    if (shape === undefined || shape.given !== undefined) return [];
    const does = method === 'DELETE' ? 'remove' : 'add';
    const parameter = shape.path.segments.at(-1)?.name ?? '';
    const list = { owner, name, property, item: node, member: parameter };
    return [meaningOf(shape, list, { does, parameter })];
  });
}

/** Returns where a body has a list of names; undefined if it has none. */
function namesIn({ given }: OperationShape, name: string): MemberPath | undefined {
  const body = given?.node;
  if (isListOfNames(body)) return [];
  const property = [...(body?.names ?? [])].find(
    (one) => isListOfNames(body?.property(one)) && plain(name).endsWith(plain(one)),
  );
  return property === undefined ? undefined : [property];
}

function isListOfNames(node: SchemaNode | undefined): boolean {
  const types = node?.isArray === true ? node.items?.types : undefined;
  return types?.has('string') === true || types?.has('integer') === true;
}

function ofCollection(shape: OperationShape, list: MemberList): UntypedMeaning | undefined {
  const { method } = shape;
  if (method === 'GET') {
    const items = itemsIn(shape, list);
    return items && meaningOf(shape, list, { does: 'list', items });
  }
  const names = namesIn(shape, list.name);
  if (names === undefined) {
    const isAll = method === 'DELETE' && shape.given === undefined;
    return isAll ? meaningOf(shape, list, { does: 'set' }) : undefined;
  }
  const does = ({ POST: 'add', PUT: 'set', DELETE: 'remove' } as const)[method];
  return does && meaningOf(shape, list, { does, names });
}

function ofItem(shape: OperationShape, list: MemberList): UntypedMeaning {
  const parameter = shape.path.segments.at(-1)?.name;
  return meaningOf(shape, list, { does: 'remove', parameter });
}

type Change = Pick<MembersMeaning, 'does'> &
  Partial<Pick<MembersMeaning, 'names' | 'parameter' | 'items'>>;

function meaningOf(shape: OperationShape, list: MemberList, change: Change): UntypedMeaning {
  const { operation, success } = shape;
  const { owner, property, member, name } = list;
  const items = change.items ?? itemsIn(shape, list);
  const whole = items ? undefined : findAmong(success?.node, owner.family.name, owner.shown);
  const isShown = likeness(whole?.node, owner.shown) >= ALIKE;
  return {
    kind: 'members',
    operation,
    property,
    member,
    names: change.names,
    parameter: change.parameter,
    does: change.does,
    items,
    shown: isShown ? whole?.wrapping : undefined,
    reason: `${operation.method} of ${name}, a list in one of ${owner.family.name}`,
  };
}

/** Returns where a response has items of the list; undefined if it has none. */
function itemsIn({ success }: OperationShape, { item }: MemberList): MemberPath | undefined {
  const node = success?.node;
  const isOfIt = (list: SchemaNode | undefined) =>
    list?.isArray === true && likeness(list.items, item) >= ALIKE;
  if (isOfIt(node)) return [];
  if (node === undefined || node.names.size > MOST_BESIDE) return undefined;
  const property = [...node.names].find((one) => isOfIt(node.property(one)));
  return property === undefined ? undefined : [property];
}

/** A response with more members than these is no list with something beside it. */
const MOST_BESIDE = 4;
