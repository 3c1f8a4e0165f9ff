import { isPlural, plain, singularName, wordsOf } from '../../base/words.ts';
import type { Place } from '../../document/place.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { ListParameter } from '../list/list-query.ts';
import type { ActionMeaning } from '../meaning.ts';
import { findEnvelope, type Listed } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName, type PathShape, shapeOf } from '../shape/path-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { bareName, changeOf, isNamedAction, isVerb } from '../shape/words.ts';
import { ALIKE, findAmong, findHeld, PLAIN } from '../shape/wrapping.ts';
import { findFrom, findRenewed, findSets, findUndone } from './action-sets.ts';
import { COPYING, copyOf, ofItem } from './collection-meanings.ts';
import type { CollectionDraft, Draft } from './draft.ts';
import type { Family } from './families.ts';
import { takeMany, takeOne } from './infer-collection.ts';
import { findKey } from './infer-key.ts';
import { findKeyList, findMembers } from './infer-members.ts';
import { findOne, isSame } from './infer-one.ts';
import { findPartChanges, membersIn } from './infer-part.ts';
import { findRemoveMany, findWantedKeys, MANY } from './infer-removal.ts';
import {
  fieldsOf,
  isCheck,
  listMeaning,
  shownOf,
  showsMany,
  type UntypedMeaning,
} from './meaning-parts.ts';

/** An operation below a collection, or below an item, that has no other resources. */
export interface NestedOperation {
  readonly owner: Family;
  readonly meaning: UntypedMeaning;
}

/** Returns the draft of the family whose collection has a path. */
export type DraftAt = (root: Place, path: PathShape) => Draft | undefined;

/** Returns the body of a POST to another name beside that of a family. */
type BodyBeside = (name: string) => SchemaNode | undefined;

/**
 * Finds names below collections that say what an operation does: `/pet/findByStatus`,
 * `/users/batch`, `/orders/{id}/cancel`.
 *
 * @returns the operations of the family that are about the resources of another one
 */
export function inferNested(
  family: Family,
  draftAt: DraftAt,
  bodyBeside: BodyBeside,
): readonly NestedOperation[] {
  const parent = above(family.path);
  const isBelowOne = parent.segments.at(-1)?.kind === 'parameter';
  const owner = draftAt(family.root, isBelowOne ? above(parent) : parent);
  if (!isBelowOne && owner?.kind === 'collection') {
    const found = findOne(family, owner);
    if (found !== undefined) return [{ owner: owner.family, meaning: found }];
  }
  if (family.collection === undefined) {
    const ofList = isBelowOne && owner?.kind === 'collection' ? findKeyList(family, owner) : [];
    return ofList.map((meaning) => ({ owner: owner?.family ?? family, meaning }));
  }
  if (isBelowOne && owner?.kind === 'collection') {
    return belowOne(family, owner, draftAt, bodyBeside);
  }
  if (family.item !== undefined) return [];
  if (owner?.kind === 'collection') {
    const found = [...findFinder(family, owner), ...findCreation(family, owner)];
    const ofOwner = (meaning: UntypedMeaning) => ({ owner: owner.family, meaning });
    return [...found, ...findRemoveMany(family, owner).map(ofOwner)];
  }
  return [...(isBelowOne ? [] : findBatch(family, draftAt)), ...findPlural(family, draftAt)];
}

function belowOne(
  family: Family,
  owner: CollectionDraft,
  draftAt: DraftAt,
  bodyBeside: BodyBeside,
): readonly NestedOperation[] {
  const ofOwner = (meaning: UntypedMeaning) => ({ owner: owner.family, meaning });
  const members = findMembers(family, owner).map(ofOwner);
  if (members.length > 0 || family.item !== undefined) return members;
  const changes = isPart(family, draftAt) ? findPartChanges(family, owner).map(ofOwner) : [];
  const others = changes.length > 0 ? changes : findCopy(family, owner);
  const actions = others.length > 0 ? others : findActions(family, owner, bodyBeside);
  return [...actions, ...findViews(family, owner)];
}

/** `GET /pets` beside `/pet/{petId}`. */
function findPlural(family: Family, draftAt: DraftAt): readonly NestedOperation[] {
  const draft = draftAt(family.root, family.path);
  const isListAlone = draft?.kind === 'collection' && family.collection?.size === 1;
  const shape = family.collection?.get('GET');
  if (!isListAlone || draft.list === undefined || shape === undefined) return [];
  const one = draftAt(family.root, beside(family.path, singularName(family.name)));
  if (one?.kind !== 'collection' || one.list !== undefined || one === draft) return [];
  const isAlike = likeness(draft.list.item, one.shown) >= ALIKE;
  return isAlike ? [finderOf(one.family, shape, draft.list)] : [];
}

function finderOf(
  owner: Family,
  shape: OperationShape,
  list: Listed,
  byKeys?: readonly ListParameter[],
): NestedOperation {
  const { method } = shape.isCall ? shape : shape.operation;
  const reason = `${method} of a name beside or below a collection, which lists the same resources`;
  return { owner, meaning: listMeaning(shape, list, reason, byKeys) };
}

/** Returns a path with another name in place of the last. */
export function beside(path: PathShape, name: string): PathShape {
  return shapeOf([...path.segments.slice(0, -1), { kind: 'name', name }]);
}

/** `/trackers-batch` beside `/trackers`. */
function findBatch(family: Family, draftAt: DraftAt): readonly NestedOperation[] {
  const [, name] = /^(.+?)[-_]?(?:batch|bulk)$/i.exec(family.name) ?? [];
  const owner = name === undefined ? undefined : draftAt(family.root, beside(family.path, name));
  return owner?.kind === 'collection' ? findCreation(family, owner) : [];
}

/** A list of the same resources below a name that says how to find them. */
function findFinder({ name, collection }: Family, owner: CollectionDraft) {
  const isAsking = SEARCHING.test(name) || (MANY.test(name) && /get|read|retrieve/i.test(name));
  const shape = collection?.get('GET') ?? (isAsking ? collection?.get('POST') : undefined);
  const item = owner.shown;
  const list = findEnvelope(shape?.success?.node, { collection: owner.family.name, item });
  if (shape === undefined || list === undefined || item === undefined) return [];
  if (!isSame(list.item, item) && list.item.identity !== owner.list?.item.identity) return [];
  const byKeys = isAsking
    ? findWantedKeys(shape, owner, findKey(owner, () => undefined).property?.value)
    : [];
  const isNamedSo = isVerb(name) || /^(?:all|by|paged|paginated)$/.test(wordsOf(name)[0] ?? '');
  const selects = (): boolean =>
    [...byKeys, ...findListQuery(shape, list.item).parameters].some(
      ({ role }) => role.kind === 'filter' || role.kind === 'search',
    );
  return isNamedSo || selects() ? [finderOf(owner.family, shape, list, byKeys)] : [];
}

/** Names of a POST that lists what its body asks for. */
const SEARCHING = /^(?:search|query|filter|find|list|lookup)/i;

const CREATING = /^(?:create|add|insert|new)(?![a-z])/;
/** Names of bulk operations that create nothing. */
const OTHERWISE = /get|read|update|patch|modify|delete|remove/i;

/** `POST /plants/batch`, `POST /plants:createOffline`. */
function findCreation({ name, collection }: Family, owner: CollectionDraft): NestedOperation[] {
  const shape = collection?.get('POST');
  if (shape === undefined) return [];
  const body = shape.given?.node;
  const known = owner.created?.node ?? owner.shown;
  const base = { operation: shape.operation, kind: 'create' } as const;
  // `/plants:createOffline`
  const isGiven = CREATING.test(name) && isSame(body, known);
  if (isGiven || (wordsOf(name).some((word) => ADDING.test(word)) && showsOne(shape, owner))) {
    const reason = `POST to a name below a collection, ${isGiven ? 'with' : 'which responds with'} what it holds`;
    const shown = shownOf(shape, owner, { given: body });
    const meaning: UntypedMeaning = { ...base, given: PLAIN, isMany: false, shown, reason };
    return [{ owner: owner.family, meaning }];
  }
  if (body === undefined || !MANY.test(name) || OTHERWISE.test(name)) return [];
  const created = takeMany(body, { collection: owner.family.name, item: known });
  if (created === undefined) return [];
  const reason = 'POST to a name below a collection, with a list of what it holds';
  const shown = showsMany(shape, owner);
  const meaning: UntypedMeaning = { ...base, given: created.wrapping, isMany: true, shown, reason };
  return [{ owner: owner.family, meaning }];
}

const ADDING = /^(?:add|create|insert|new|import|generate|register|quick)$/;

/** Returns true if the response is one of a collection: `POST /events/quickAdd?text=`. */
function showsOne({ success }: OperationShape, { family, shown }: CollectionDraft): boolean {
  return isSame(findAmong(success?.node, family.name, shown)?.node, shown);
}

/** `POST /folders/{id}/copy`, which responds with another folder. */
function findCopy({ name, collection }: Family, owner: CollectionDraft): NestedOperation[] {
  const shape = collection?.get('POST');
  if (shape === undefined || !COPYING.test(wordsOf(name)[0] ?? '')) return [];
  const reason = `POST to ${name}, below one of a collection, responds with another`;
  const meaning = copyOf(shape, owner, reason);
  return meaning === undefined ? [] : [{ owner: owner.family, meaning }];
}

/** Verbs that only ask, and verbs that create another resource. */
const ASKING =
  /^(?:search|query|preview|calculate|estimate|validate|check|test|compare|simulate|export|download|introspect|render|predict|analy[sz]e|evaluate|lookup|find|get|list|fetch|read|retrieve|describe|detect|suggest|recommend|view|show|count|create|copy|clone|duplicate|replicate|fork|upload|import|generate|convert)$/;

function findActions(
  family: Family,
  owner: CollectionDraft,
  bodyBeside: BodyBeside,
): readonly NestedOperation[] {
  const { collection: methods } = family;
  const name = bareName(family.name);
  const check = methods?.get('GET');
  if (methods === undefined || ASKING.test(wordsOf(name)[0] ?? '')) return [];
  if (check !== undefined && !(isCheck(check) && flagOf(name, owner) !== undefined)) return [];
  if (isOfOther(family, owner)) return [];
  const actions = ['POST', 'PUT', 'PATCH'].flatMap((method): readonly NestedOperation[] => {
    const shape = methods.get(method);
    if (shape === undefined || shape.givesBytes) return [];
    if (shape.takesBytes && !isVerb(name)) return [];
    const answered = findHeld(shape.success?.node, owner.family.name, owner.shown);
    if (!isVerb(name) && !isDoing(shape, owner, answered?.node)) return [];
    const given = takeOne(shape, owner.family.name);
    const how = changeOf(name);
    const isOfIt = hasMembers(given?.node, owner.shown, how);
    const isShown = likeness(answered?.node, owner.shown) >= ALIKE;
    const done = findSets(name, owner.shown);
    const sets = done.length > 0 ? done : findUndone(name, owner.shown, bodyBeside);
    const declares409 = shape.statuses.has('409');
    const meaning: UntypedMeaning = {
      operation: shape.operation,
      kind: 'action',
      name,
      given: isOfIt ? given?.wrapping : undefined,
      how,
      sets,
      renews: findRenewed(name, owner.shown),
      from: findFrom(name, sets, { shown: owner.shown, declares409 }),
      shown: isShown ? answered?.wrapping : undefined,
      reason: `${method} to ${name}, below one of a collection`,
    };
    return [{ owner: owner.family, meaning }];
  });
  return actions.length === 0 ? [] : [...actions, ...findUndoing(family, owner)];
}

/** Returns the flag that a verb sets: the property `merged` of `merge`. */
function flagOf(name: string, { shown }: CollectionDraft) {
  return findSets(name, shown).find(({ value }) => value.value === true);
}

/** `DELETE /issues/{id}/lock` after PUT, and `GET /pulls/{id}/merge`, which says if it was done. */
function findUndoing({ name, collection }: Family, owner: CollectionDraft): NestedOperation[] {
  const set = flagOf(name, owner);
  if (set === undefined) return [];
  const undo = collection?.get('DELETE');
  const check = collection?.get('GET');
  const found: UntypedMeaning[] = [];
  // The earlier state is unknown.
  if (undo !== undefined && findSets(name, owner.shown).length === 1) {
    const value = { ...set.value, value: false };
    const reason = `DELETE of ${name}, which sets ${set.property}`;
    const base = { operation: undo.operation, kind: 'action', name, reason } as const;
    const sets = [{ property: set.property, value }];
    found.push({ ...base, given: undefined, sets, from: [], shown: undefined });
  }
  if (check !== undefined) {
    const reason = `GET of ${name} says by its status whether one is ${set.property}`;
    const base = { operation: check.operation, kind: 'read', reason } as const;
    found.push({ ...base, query: fieldsOf(check), flag: set.property, shown: undefined });
  }
  return found.map((meaning) => ({ owner: owner.family, meaning }));
}

/** Returns true for a name that is no verb, at which no response shows a resource. */
function isPart({ root, path, name }: Family, draftAt: DraftAt): boolean {
  const own = draftAt(root, path);
  return own?.shown === undefined && !isVerb(name);
}

/**
 * Returns true if an operation without a verb in its name can only do something: its path says so, it responds with
 * the resource, or returns nothing and takes nothing that the resource has (`/items/{id}/live`).
 */
function isDoing(shape: OperationShape, owner: CollectionDraft, answered: SchemaNode | undefined) {
  const { given, statuses, path } = shape;
  if (isNamedAction(shape.operation)) return true;
  const isBare =
    !shape.hasContent() &&
    (given === undefined || (!statuses.has('201') && likeness(given.node, owner.shown) === 0));
  return (isSame(answered, owner.shown) || isBare) && !isPlural(lastName(path));
}

/** Returns true for a body with members of the resource, or with items of its lists. */
function hasMembers(
  given: SchemaNode | undefined,
  shown: SchemaNode | undefined,
  how: ActionMeaning['how'],
): boolean {
  if (likeness(given, shown) > 0) return true;
  if (given === undefined || shown === undefined || how === 'set') return false;
  return membersIn(given, shown).length > 0;
}

/** Names of paths below a resource that show the same one. */
const SAME = /^(?:details?|full|complete|info|information|overview|summary|extended|expanded)$/;

const VIEWING = /^(?:get|list|show|describe|view|read)(?![a-z])/;

/**
 * `/orders/{id}/details`, `POST /orders/{id}/showDetails`, and a path at which the whole resource is
 * read and replaced: `/pods/{name}/status`.
 */
function findViews(family: Family, owner: CollectionDraft): readonly NestedOperation[] {
  const { name, collection: methods } = family;
  const { identity } = owner.shown ?? {};
  const isOfIt = (node: SchemaNode | undefined) =>
    identity !== undefined && node?.identity === identity;
  const post = methods?.get('POST');
  const isAsked = post?.given === undefined && VIEWING.test(name);
  const get = methods?.get('GET') ?? (isAsked ? post?.with({ method: 'GET' }) : undefined);
  const put = methods?.get('PUT');
  if (get === undefined || !isOfIt(get.success?.node)) return [];
  if (get.method === get.operation.method && !SAME.test(plain(name)) && !isOfIt(put?.given?.node))
    return [];
  return [get, put, methods?.get('PATCH')].flatMap((shape): readonly NestedOperation[] => {
    const meaning = shape && ofItem({ shape, draft: owner, key: undefined });
    if (meaning === undefined) return [];
    const reason = `${meaning.operation.method} of ${name} shows the resource that it is below`;
    return [{ owner: owner.family, meaning: { ...meaning, reason } }];
  });
}

/** `/v1/{name}` has resources of all kinds; `/v1/{parent}:run` is not about one of them. */
function isOfOther({ path }: Family, { family: { name, item } }: CollectionDraft): boolean {
  const [shape] = item?.values() ?? [];
  const isVersion = /^v\d+\w*$/.test(name);
  return isVersion && shape?.path.segments.at(-1)?.name !== above(path).segments.at(-1)?.name;
}
