import { likeness } from '../../schema/schema-node.ts';
import type { Meaning } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { ALIKE, PLAIN, RELATED } from '../shape/wrapping.ts';
import type { CollectionDraft } from './draft.ts';
import { takeOne } from './infer-collection.ts';
import {
  common,
  createsAbsent,
  fieldsOf,
  listMeaning,
  shownOf,
  showsMany,
} from './meaning-parts.ts';

/** Returns the meanings of the operations on a collection and on its items. */
export function collectionMeanings(draft: CollectionDraft, type: ResourceType): readonly Meaning[] {
  return [...ofCollection({ draft, type }), ...ofItem({ draft, type })];
}

interface Subject {
  readonly draft: CollectionDraft;
  readonly type: ResourceType;
}

function* ofCollection({ draft, type }: Subject): Generator<Meaning> {
  const { family, list, created } = draft;
  const methods = family.collection;
  for (const method of ['GET', 'HEAD']) {
    const shape = methods?.get(method);
    if (shape === undefined || list === undefined) continue;
    yield listMeaning(shape, type, list, `${method} of a collection: ${list.reason}`);
  }
  const post = methods?.get('POST');
  if (post !== undefined && created !== undefined) {
    yield {
      ...common(post, type),
      kind: 'create',
      given: created.given.wrapping,
      isMany: created.isMany,
      shown: created.isMany ? showsMany(post, draft) : shownOf(post, draft, created.given.node),
      reason: created.reason,
    };
  }
  yield* ofKeyInBody({ draft, type });
  const all = methods?.get('DELETE');
  // A query may select what is deleted.
  const isAll = all?.given === undefined && !all?.parameters.some((one) => one.in === 'query');
  if (all !== undefined && isAll && list !== undefined) {
    yield {
      ...common(all, type),
      kind: 'delete',
      isAll: true,
      shown: undefined,
      reason: 'DELETE of a whole collection',
    };
  }
}

/** `PUT /pet` with the pet and its key in the body. */
function* ofKeyInBody({ draft, type }: Subject): Generator<Meaning> {
  const { family, shown } = draft;
  const key = type.key?.property?.value;
  for (const method of ['PUT', 'PATCH'] as const) {
    const shape = family.collection?.get(method);
    const given = takeOne(shape, family.name);
    if (shape === undefined || given === undefined || key === undefined) continue;
    if (!given.node.names.has(key) || likeness(given.node, shown) < ALIKE) continue;
    const base = { ...common(shape, type), given: given.wrapping };
    const reason = `${method} to a collection, and the body has the key, ${key}`;
    const wrapping = shownOf(shape, draft, given.node);
    yield method === 'PUT'
      ? { ...base, kind: 'replace', createsAbsent: createsAbsent(shape), shown: wrapping, reason }
      : { ...base, kind: 'patch', shown: wrapping, reason };
  }
}

function* ofItem({ draft, type }: Subject): Generator<Meaning> {
  const { family, read } = draft;
  const methods = family.item;
  for (const method of ['GET', 'HEAD']) {
    const shape = methods?.get(method);
    if (shape === undefined || (read === undefined && method === 'GET')) continue;
    yield {
      ...common(shape, type),
      kind: 'read',
      query: fieldsOf(shape),
      shown: read?.wrapping,
      reason: `${method} of one by its key`,
    };
  }
  for (const method of ['PUT', 'PATCH', 'POST']) {
    const shape = methods?.get(method);
    const meaning = shape && changeOf(shape, { draft, type });
    if (meaning !== undefined) yield meaning;
  }
  const shape = methods?.get('DELETE');
  if (shape !== undefined) {
    yield {
      ...common(shape, type),
      kind: 'delete',
      isAll: false,
      shown: shownOf(shape, draft, undefined),
      reason: 'DELETE of one by its key',
    };
  }
}

function changeOf(shape: OperationShape, { draft, type }: Subject): Meaning | undefined {
  const { method } = shape.operation;
  const isPatchDocument = shape.given?.mediaType.includes('json-patch') === true;
  const given = isPatchDocument
    ? { wrapping: PLAIN, node: undefined }
    : takeOne(shape, draft.family.name);
  if (given === undefined) return changeByQuery(shape, { draft, type });
  const isOfIt =
    isPatchDocument || draft.shown === undefined || likeness(given.node, draft.shown) >= RELATED;
  const put = draft.family.item?.get('PUT')?.given?.node;
  const isAsPut = put !== undefined && put.identity === given.node?.identity;
  if (method === 'POST' && !isOfIt && !isAsPut) return undefined;
  const base = {
    ...common(shape, type),
    given: given.wrapping,
    shown: shownOf(shape, draft, given.node),
  };
  const creates = method === 'POST' && shape.statuses.has('201');
  const reason = creates ? 'POST to a key, and 201 is declared' : `${method} of one by its key`;
  return creates || method === 'PUT'
    ? { ...base, kind: 'replace', createsAbsent: createsAbsent(shape), reason }
    : { ...base, kind: 'patch', reason };
}

/** `POST /pet/{petId}?name=&status=`. */
function changeByQuery(shape: OperationShape, { draft, type }: Subject): Meaning | undefined {
  if (shape.given !== undefined || shape.takesBytes) return undefined;
  const names = shape.parameters
    .filter(({ name, in: location }) => location === 'query' && draft.shown?.names.has(name))
    .map(({ name }) => name)
    .filter((name) => name !== type.key?.property?.value);
  if (names.length === 0) return undefined;
  return {
    ...common(shape, type),
    kind: 'patch',
    given: PLAIN,
    shown: shownOf(shape, draft, undefined),
    reason: `${shape.operation.method} of one by its key, and the query says what changes: ${names.join(', ')}`,
  };
}
