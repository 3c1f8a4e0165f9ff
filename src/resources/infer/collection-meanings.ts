import { plain, singularName, wordsOf } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { MemberPath } from '../meaning.ts';
import { findEnvelope, type Listed, listAt } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import type { ParameterShape } from '../shape/parameter-shape.ts';
import { ALIKE, findAmong, findInList, PLAIN, RELATED } from '../shape/wrapping.ts';
import { findSets } from './action-sets.ts';
import type { CollectionDraft, Created } from './draft.ts';
import { takeMany, takeOne } from './infer-collection.ts';
import { propertyOfPath } from './infer-one.ts';
import { findSelection, findWantedKeys, SELECTING_NONE } from './infer-removal.ts';
import {
  changesInPart,
  createsAbsent,
  fieldsOf,
  isCheck,
  isOfSame,
  listMeaning,
  shownOf,
  shownOfDeleted,
  showsMany,
  type UntypedMeaning,
  UPDATING,
} from './meaning-parts.ts';

interface Subject {
  readonly shape: OperationShape;
  readonly draft: CollectionDraft;
  /** The property with the key. */
  readonly key: string | undefined;
}

/** Returns the meanings of the operations on a collection and on its items. */
export function collectionMeanings(draft: CollectionDraft, key: string | undefined) {
  const { collection, item } = draft.family;
  const mean = (mean: typeof ofItem) => (shape: OperationShape) =>
    mean({ shape, draft, key }) ?? [];
  return [
    ...[...(collection?.values() ?? [])].flatMap(mean(ofCollection)),
    ...[...(item?.values() ?? [])].flatMap(mean(ofItem)),
  ];
}

function ofCollection(subject: Subject): UntypedMeaning | undefined {
  const { shape, draft, key } = subject;
  const { operation, method } = shape;
  switch (method) {
    case 'GET':
    case 'HEAD': {
      const list = listOf(subject);
      if (list === undefined) return undefined;
      const byKeys = shape.isCall ? findWantedKeys(shape, draft, key) : [];
      const said = shape.isCall ? shape : operation;
      const reason = `${said.method} of a collection: ${list.reason}`;
      return listMeaning(shape, list, reason, byKeys, draft.shown);
    }
    case 'POST': {
      const created = createdBy(subject);
      if (created === undefined) return undefined;
      const { isMany, reason } = created;
      const shown = isMany
        ? showsMany(shape, draft)
        : shownOf(shape, draft, { given: created.node, key });
      return { operation, kind: 'create', given: created.wrapping, isMany, shown, reason };
    }
    case 'PUT':
    case 'PATCH':
      return ofKeyInBody(subject) ?? writeMany(subject);
    case 'DELETE':
      return removalOf(subject);
    default:
      return undefined;
  }
}

/** Returns the list in a response: that of the collection, or one like it by another name. */
function listOf({ shape, draft: { family, list, shown } }: Subject): Listed | undefined {
  const isOwn = family.collection?.get(shape.method) === shape;
  if (isOwn && list !== undefined) return list;
  const item = list?.item;
  const other = item && findEnvelope(shape.success?.node, { collection: family.name, item });
  return likeness(other?.item, item) >= RELATED ? other : findValues(shape, shown);
}

/** `{"fleetNames": ["red"]}` of fleets with a `fleetName`. */
function findValues({ success }: OperationShape, shown: SchemaNode | undefined) {
  for (const [name, { isArray, items }] of success?.node?.properties ?? []) {
    const one = plain(singularName(name));
    const only = [...(shown?.names ?? [])].find((property) => plain(property) === one);
    const isOfTexts = isArray && items?.types.has('string') === true;
    const list = only !== undefined && isOfTexts ? listAt(success?.node, [name]) : undefined;
    if (list === undefined || only === undefined || shown === undefined) continue;
    return { ...list, envelope: { ...list.envelope, only }, item: shown };
  }
  return undefined;
}

/** Returns the resource in the body of a create: the usual one, or one like it by another name. */
function createdBy({ shape, draft: { family, created, shown } }: Subject): Created | undefined {
  const isOwn = family.collection?.get('POST') === shape;
  const body = shape.given?.node;
  if (isOwn || created === undefined || body === undefined) return isOwn ? created : undefined;
  const item = created.node ?? shown;
  const given = takeOne(shape, family.name, item);
  const isLike = likeness(given?.node, item) >= RELATED;
  return given && isLike
    ? { ...given, isMany: false, reason: created.reason }
    : takeMany(body, { collection: family.name, item });
}

/** `DELETE /plants`, `DELETE /plants?ids=7,8`, `DELETE /plants` with keys in the body. */
function removalOf({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation } = shape;
  const selection = findSelection(shape, draft, key);
  if (selection === undefined) return undefined;
  const isOfSome = selection.keys !== undefined || selection.query.parameters.length > 0;
  if (draft.list === undefined && !isOfSome) return undefined;
  const reason = `DELETE of a whole collection${isOfSome ? ', of what is selected' : ''}`;
  return { operation, kind: 'delete', isAll: true, ...selection, shown: undefined, reason };
}

/** `PUT /pet` with the pet and its key in the body. */
function ofKeyInBody({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, method } = shape;
  const given = takeOne(shape, draft.family.name, draft.shown);
  if (given === undefined || key === undefined) return undefined;
  const isKeyed = given.node.names.has(key);
  // Without a key, the body is of one that the service names, if each has a path.
  const least = isKeyed ? ALIKE : RELATED;
  if (likeness(given.node, draft.shown) < least || !(isKeyed || draft.family.item))
    return undefined;
  const shown = shownOf(shape, draft, { given: given.node, key });
  const base = { operation, given: given.wrapping, shown };
  if (method === 'PUT' && draft.created === undefined && !given.node.required.has(key)) {
    const reason = `PUT to a collection, which nothing else adds to, and the body may have no ${key}`;
    return { ...base, kind: 'create', isMany: false, reason };
  }
  if (!isKeyed) return undefined;
  const reason = `${method} to a collection, and the body has the key, ${key}`;
  return method === 'PUT' && !changesInPart(shape)
    ? { ...base, kind: 'replace', createsAbsent: createsAbsent(shape), reason }
    : { ...base, kind: 'patch', reason };
}

/**
 * `PUT /pets` with a list of pets creates those, or replaces those of the same keys; `PATCH` changes
 * them.
 */
function writeMany({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, given, method } = shape;
  const { family, shown } = draft;
  const many =
    given?.node && shown && takeMany(given.node, { collection: family.name, item: shown });
  if (many === undefined) return undefined;
  const reason = `${method} to a collection, and the body is a list of them`;
  const shownThere = showsMany(shape, draft);
  const base = {
    operation,
    given: many.wrapping,
    isMany: true,
    shown: shownThere,
    reason,
  } as const;
  if (method === 'PUT') return { ...base, kind: 'create' };
  return key !== undefined && many.node?.names.has(key) ? { ...base, kind: 'patch' } : undefined;
}

/** Returns the meaning of an operation on one resource. */
export function ofItem(subject: Subject): UntypedMeaning | undefined {
  const { shape, draft, key } = subject;
  const { operation, method } = shape;
  switch (method) {
    case 'GET':
    case 'HEAD':
      return readOf(subject);
    case 'PUT':
    case 'PATCH':
      return changeOf(subject);
    case 'POST': {
      const [verb = ''] = wordsOf(shape.description);
      const reason = `POST of one by its key, and its description says ${verb}`;
      const copied = COPYING.test(verb) ? copyOf(shape, draft, reason) : undefined;
      return copied ?? changeOf(subject);
    }
    case 'DELETE': {
      // `DELETE /tags/{resource}?keys=a,b` deletes a part.
      if (shape.parameters.some(selectsPart)) return undefined;
      const shown = shownOfDeleted(shape, draft, key);
      const base = { operation, kind: 'delete', isAll: false, ...SELECTING_NONE } as const;
      return endOf(subject) ?? { ...base, shown, reason: `${method} of one by its key` };
    }
    default:
      return undefined;
  }
}

function selectsPart({ in: location, isRequired, node }: ParameterShape): boolean {
  return location === 'query' && isRequired && node?.isArray === true;
}

function readOf({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, method, isCall } = shape;
  if (draft.read === undefined && method === 'GET' && !isCheck(shape)) return undefined;
  const base = { operation, kind: 'read', query: fieldsOf(shape) } as const;
  const reason = `${method} of one by its key`;
  if (draft.family.item?.get(method) === shape) {
    return { ...base, shown: draft.read?.wrapping, reason };
  }
  const shown = shownOf(shape, draft, { key });
  if (shown === undefined) return undefined;
  // `/orders/{number}` beside `/orders/{id}`.
  const by = isCall ? undefined : propertyOfPath(shape, draft);
  return by === undefined || by.property === key
    ? { ...base, shown, reason }
    : { ...base, by, shown, reason: `${method} of one by its ${by.property}` };
}

/** `DELETE /subscriptions/{id}` that cancels, as its description says, and shows the result. */
function endOf({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, description } = shape;
  const [, name = ''] = /^(?:\W*<\w+>)*\W*([a-z]+?)s?\b/i.exec(description) ?? [];
  if (/^(?:delete|remove|)$/i.test(name)) return undefined;
  const sets = findSets(name.toLowerCase(), draft.shown);
  const shown = sets.length === 0 ? undefined : shownOf(shape, draft, { key });
  if (shown === undefined) return undefined;
  const reason = `DELETE of one by its key, and its description says ${name}`;
  return {
    operation,
    kind: 'action',
    name: name.toLowerCase(),
    given: undefined,
    sets,
    from: [],
    shown,
    reason,
  };
}

export const COPYING = /^(?:copy|clone|duplicate|replicate)$/;

/** Returns the meaning of a POST that responds with a copy of the resource that its path names. */
export function copyOf(
  shape: OperationShape,
  { family, shown }: CollectionDraft,
  reason: string,
): UntypedMeaning | undefined {
  const answered = findAmong(shape.success?.node, family.name, shown);
  if (answered === undefined || likeness(answered.node, shown) < ALIKE) return undefined;
  return {
    operation: shape.operation,
    kind: 'create',
    given: takeOne(shape, family.name, shown)?.wrapping ?? PLAIN,
    isMany: false,
    copies: true,
    shown: answered.wrapping,
    reason,
  };
}

function changeOf(subject: Subject): UntypedMeaning | undefined {
  const { shape, draft, key } = subject;
  const { operation, method } = shape;
  const patches = findPatches(shape);
  const given = patches
    ? { wrapping: { ...PLAIN, path: patches }, node: undefined }
    : takeHeld(shape, draft);
  if (given === undefined) return changeByQuery(subject);
  const isOfIt =
    given.node === undefined || draft.shown === undefined || isOfSame(given.node, draft.shown);
  const put = draft.family.item?.get('PUT')?.given?.node;
  const isAsPut = put !== undefined && put.identity === given.node?.identity;
  if (method === 'POST' && !isOfIt && !isAsPut && !changesSome(subject, given.node))
    return undefined;
  const shown = shownOf(shape, draft, { given: given.node, key });
  return { operation, given: given.wrapping, shown, ...kindOfChange(subject, given.node) };
}

/** Returns the resource in a body, also one that a list has alone. */
function takeHeld(shape: OperationShape, { family, shown }: CollectionDraft) {
  const one = takeOne(shape, family.name, shown);
  const isOfIt = likeness(one?.node, shown) >= RELATED;
  return isOfIt ? one : (findInList(shape.given?.node, shown) ?? one);
}

/** Returns whether an operation on one resource replaces it, or changes a part of it. */
function kindOfChange({ shape, draft, key }: Subject, given: SchemaNode | undefined) {
  const { method } = shape;
  const isDeclared = shape.statuses.has('201');
  // Beside what changes it, nothing else creates it.
  const change = ['PUT', 'PATCH'].find((one) => draft.family.item?.get(one)?.given?.node);
  const isOnly = change !== undefined && draft.created === undefined;
  if (method === 'POST' && (isDeclared || isOnly)) {
    const reason = `POST to a key, and ${isDeclared ? '201 is declared' : `only ${change} changes it`}`;
    return { kind: 'replace' as const, createsAbsent: true, reason };
  }
  const reason = `${method} of one by its key`;
  const hasPatch = draft.family.item?.has('PATCH') === true;
  if (method !== 'PUT') return { kind: 'patch' as const, reason };
  return changesInPart(shape, { given, created: draft.created?.node, key, hasPatch })
    ? { kind: 'patch' as const, reason: `${reason}, which changes what it sends` }
    : { kind: 'replace' as const, createsAbsent: createsAbsent(shape), reason };
}

/**
 * Returns true if the response is the resource, or the description says so and the body has one of
 * its properties among other parameters: `POST /calls/{id}` with a URL, a method and a status.
 */
function changesSome({ shape, draft }: Subject, given: SchemaNode | undefined): boolean {
  const { identity } = shape.success?.node ?? {};
  const isShown = identity !== undefined && identity === draft.shown?.identity;
  return isShown || (UPDATING.test(shape.description) && likeness(given, draft.shown) > 0);
}

/** Returns where a body has a list of operations (RFC 6902): alone, or beside texts such as a comment. */
function findPatches({ given, method }: OperationShape): MemberPath | undefined {
  if (given?.mediaType.includes('json-patch') === true) return [];
  if (method !== 'PATCH' || given === undefined) return undefined;
  const { node } = given;
  const isPatch = (list: SchemaNode | undefined) =>
    list?.isArray === true && list.items?.names.has('op') && list.items.names.has('path');
  if (isPatch(node)) return [];
  const lists = [...(node?.properties ?? [])].filter(([, one]) => one.isArray || one.isObject);
  const [[name, list] = [], ...others] = lists;
  return name !== undefined && others.length === 0 && isPatch(list) ? [name] : undefined;
}

/** `POST /pet/{petId}?name=&status=`. */
function changeByQuery({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, method, given, takesBytes, parameters } = shape;
  if (given !== undefined || takesBytes) return undefined;
  const names = parameters
    .filter((one) => one.in === 'query' && draft.shown?.names.has(one.name) && one.name !== key)
    .map(({ name }) => name);
  if (names.length === 0) return changeByNothing({ shape, draft, key });
  const reason = `${method} of one by its key, and the query says what changes: ${names.join(', ')}`;
  return { operation, kind: 'patch', given: PLAIN, shown: shownOf(shape, draft, { key }), reason };
}

/**
 * `PUT /teams/7/members/anna` without a body puts one into a list that nothing else adds to. So does
 * POST, where DELETE takes it out again, and only the list shows it. Where something adds, PUT changes nothing.
 */
function changeByNothing({ shape, draft, key }: Subject): UntypedMeaning | undefined {
  const { operation, method } = shape;
  const { item } = draft.family;
  const isPut = method === 'PUT';
  const shown = shownOf(shape, draft, { key });
  const base = { operation, given: PLAIN, shown };
  const isListed = draft.list !== undefined && !item?.has('GET') && !item?.has('PUT');
  const isRemoved = item?.has('DELETE') === true && (isPut || (method === 'POST' && isListed));
  if (draft.created === undefined && (isRemoved || (isPut && key !== undefined))) {
    const reason = `${method} of one by its key, without a body, adds it`;
    return { ...base, kind: 'replace', createsAbsent: true, reason };
  }
  const reason = 'PUT of one by its key, without a body';
  return isPut && shown !== undefined ? { ...base, kind: 'patch', reason } : undefined;
}
