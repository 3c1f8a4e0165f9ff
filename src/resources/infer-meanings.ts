import type { Operation } from '../contract/contract.ts';
import type { Assembled, AssembledResource } from './assemble.ts';
import type { CollectionDraft, Draft, SingletonDraft } from './draft.ts';
import { findEnvelope } from './find-envelope.ts';
import { findSets } from './find-sets.ts';
import { findWrapping } from './find-wrapping.ts';
import type { Below } from './infer-below.ts';
import { takeOne } from './infer-collection.ts';
import { isOfSame } from './infer-singleton.ts';
import type { ListQuery } from './list-query.ts';
import type { Envelope, EnvelopePart, Meaning, Wrapping } from './meaning.ts';
import type { OperationShape } from './operation-shape.ts';
import { findListQuery } from './query-roles.ts';
import type { Resource } from './resource.ts';
import { likeness, type SchemaView } from './schema-view.ts';

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
        shown: showsMany(one, draft),
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

/** Where no parameter takes a cursor, a bare `next` can only be the URL of the next page. */
function settleLinks(envelope: Envelope, { parameters }: ListQuery): Envelope {
  if (parameters.some(({ role }) => role.kind.startsWith('cursor'))) return envelope;
  const parts = envelope.parts.map(({ path, role }): EnvelopePart => {
    const isBare = /^(?:next|prev|previous)$/i.test(path.at(-1) ?? '');
    if (!isBare) return { path, role };
    if (role === 'next-cursor') return { path, role: 'next-link' };
    return { path, role: role === 'previous-cursor' ? 'previous-link' : role };
  });
  return { ...envelope, parts };
}

/** Where an answer shows what was created: the list of them, or the last. */
function showsMany({ shape }: Pick<Below, 'shape'>, draft: Draft): Wrapping | undefined {
  const { name } = draft.family;
  const list = findEnvelope(shape.success?.view, { collection: name, item: draft.shown });
  const isOfIt =
    list !== undefined && !list.envelope.isByKey && likeness(list.item, draft.shown) > 0;
  if (isOfIt) {
    const { path, form, type } = list.envelope;
    return { path, form, ...(type !== undefined && { type }) };
  }
  return shownOf(shape, name, draft.shown, undefined);
}

function meaningsOf({ draft, resource }: AssembledResource): readonly Meaning[] {
  return draft.kind === 'collection'
    ? [...ofCollection(draft, resource), ...ofItem(draft, resource)]
    : ofSingleton(draft, resource);
}

interface Common {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly source: 'inferred';
}

function common({ operation }: OperationShape, resource: Resource): Common {
  return { operation, resource, source: 'inferred' };
}

const PLAIN: Wrapping = Object.freeze({ path: Object.freeze([]), form: 'plain' });
const NO_QUERY: ListQuery = Object.freeze({ parameters: Object.freeze([]) });

function* ofCollection(draft: CollectionDraft, resource: Resource): Generator<Meaning> {
  const { family, list, created } = draft;
  const methods = family.collection?.methods;
  for (const method of ['GET', 'HEAD']) {
    const shape = methods?.get(method);
    if (shape === undefined || list === undefined) continue;
    const query = findListQuery(shape, list.item);
    yield {
      ...common(shape, resource),
      kind: 'list',
      envelope: settleLinks(list.envelope, query),
      query,
      shown: undefined,
      reason: `${method} of a collection: ${list.reason}`,
    };
  }
  const post = methods?.get('POST');
  if (post !== undefined && created !== undefined) {
    yield {
      ...common(post, resource),
      kind: 'create',
      given: created.given.wrapping,
      isMany: created.isMany,
      shown: created.isMany
        ? showsMany({ shape: post }, draft)
        : shownBy(post, draft, created.given.view),
      reason: created.reason,
    };
  }
  yield* ofKeyInBody(draft, resource);
  const all = methods?.get('DELETE');
  if (all !== undefined && all.given === undefined && list !== undefined && !asksFor(all)) {
    yield {
      ...common(all, resource),
      kind: 'delete',
      isAll: true,
      shown: undefined,
      reason: 'DELETE of a whole collection',
    };
  }
}

/** `PUT /pet` with the pet, and its key in it. */
function* ofKeyInBody(draft: CollectionDraft, resource: Resource): Generator<Meaning> {
  const { family, shown } = draft;
  const key = resource.key?.property?.value;
  for (const method of ['PUT', 'PATCH'] as const) {
    const shape = family.collection?.methods.get(method);
    const given = takeOne(shape, family.name);
    if (shape === undefined || given === undefined || key === undefined) continue;
    if (!given.view.names.has(key) || likeness(given.view, shown) < ALIKE) continue;
    const base = { ...common(shape, resource), given: given.wrapping };
    const reason = `${method} to a collection, and the body has the key, ${key}`;
    const wrapping = shownBy(shape, draft, given.view);
    yield method === 'PUT'
      ? { ...base, kind: 'replace', createsAbsent: createsAbsent(shape), shown: wrapping, reason }
      : { ...base, kind: 'patch', shown: wrapping, reason };
  }
}

function* ofItem(draft: CollectionDraft, resource: Resource): Generator<Meaning> {
  const { family, read } = draft;
  const methods = family.item?.methods;
  for (const method of ['GET', 'HEAD']) {
    const shape = methods?.get(method);
    if (shape === undefined || (read === undefined && method === 'GET')) continue;
    yield {
      ...common(shape, resource),
      kind: 'read',
      query: fieldsOf(shape),
      shown: read?.wrapping,
      reason: `${method} of one by its key`,
    };
  }
  for (const method of ['PUT', 'PATCH', 'POST'] as const) {
    const shape = methods?.get(method);
    const meaning = shape && changeOf(shape, method, draft, resource);
    if (meaning !== undefined) yield meaning;
  }
  const shape = methods?.get('DELETE');
  if (shape !== undefined) {
    yield {
      ...common(shape, resource),
      kind: 'delete',
      isAll: false,
      shown: shownBy(shape, draft, undefined),
      reason: 'DELETE of one by its key',
    };
  }
}

function changeOf(
  shape: OperationShape,
  method: 'PUT' | 'PATCH' | 'POST',
  draft: CollectionDraft,
  resource: Resource,
): Meaning | undefined {
  const isPatchDocument = shape.given?.mediaType.includes('json-patch') === true;
  const given = isPatchDocument
    ? { wrapping: PLAIN, view: undefined }
    : takeOne(shape, draft.family.name);
  if (given === undefined) return undefined;
  const isOfIt =
    isPatchDocument || draft.shown === undefined || likeness(given.view, draft.shown) >= RELATED;
  const put = draft.family.item?.methods.get('PUT')?.given?.view;
  const isAsPut = put !== undefined && put.identity === given.view?.identity;
  if (method === 'POST' && !isOfIt && !isAsPut) return undefined;
  const base = {
    ...common(shape, resource),
    given: given.wrapping,
    shown: shownBy(shape, draft, given.view),
  };
  if (method === 'PUT') {
    return {
      ...base,
      kind: 'replace',
      createsAbsent: createsAbsent(shape),
      reason: 'PUT of one by its key',
    };
  }
  const creates = method === 'POST' && shape.statuses.has('201');
  return creates
    ? {
        ...base,
        kind: 'replace',
        createsAbsent: true,
        reason: 'POST to a key, and 201 is declared',
      }
    : { ...base, kind: 'patch', reason: `${method} of one by its key` };
}

function ofSingleton(draft: SingletonDraft, resource: Resource): readonly Meaning[] {
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
const RELATED = 0.3;

/** True where a key that is free makes a resource. */
export function createsAbsent({ statuses }: OperationShape): boolean {
  return statuses.has('201') || !(statuses.has('404') || statuses.has('4XX'));
}

/** True where a parameter must be given besides the path's: it selects what is meant. */
function asksFor({ parameters }: OperationShape): boolean {
  return parameters.some((one) => one.in === 'query');
}

/** What of a single resource is asked for. */
export function fieldsOf(shape: OperationShape): ListQuery {
  const { parameters } = findListQuery(shape, undefined);
  const fields = parameters.filter(({ role }) => role.kind === 'fields');
  return fields.length === 0 ? NO_QUERY : { parameters: fields };
}

function shownBy(
  shape: OperationShape,
  draft: CollectionDraft,
  given: SchemaView | undefined,
): Wrapping | undefined {
  return shownOf(shape, draft.family.name, draft.shown, given);
}

/** @returns where an answer shows the resource; undefined for an answer of something else */
function shownOf(
  { success }: OperationShape,
  name: string,
  shown: SchemaView | undefined,
  given: SchemaView | undefined,
): Wrapping | undefined {
  const answered = findWrapping(success?.view, name);
  if (answered === undefined) return undefined;
  const isOfIt = likeness(answered.view, shown) > 0 || likeness(answered.view, given) > 0;
  return isOfIt || answered.view.names.size === 0 ? answered.wrapping : undefined;
}
