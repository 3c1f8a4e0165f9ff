import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { findEnvelope, type Listed } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { isPlural, isVerb } from '../shape/words.ts';
import { ALIKE, findWrapping, RELATED, type Wrapped } from '../shape/wrapping.ts';
import type { CollectionDraft, Created } from './draft.ts';
import type { Family } from './families.ts';

/** Returns the draft of a collection; undefined if the path names none. */
export function inferCollection(family: Family): CollectionDraft | undefined {
  const { name, collection, item } = family;
  const read = readOne(item?.get('GET'), name);
  const replaced = takeOne(item?.get('PUT'), name);
  const patched = takeOne(item?.get('PATCH'), name);
  const post = collection?.get('POST');
  const answered = findWrapping(post?.success?.node, name);
  const expected = read?.node ?? answered?.node ?? replaced?.node;
  const listed = collection?.get('GET')?.success?.node;
  const list = isWrittenWhole(collection, listed)
    ? undefined
    : findEnvelope(listed, { collection: name, item: expected });
  const isItem = read !== undefined || replaced !== undefined || patched !== undefined;
  const known = read?.node ?? list?.item ?? replaced?.node;
  const created = inferCreate(post, family, known, isItem || list !== undefined);
  // A list that nothing creates and nothing reads is a collection only if its name is a plural.
  const isList = list !== undefined && (isPlural(name) || item !== undefined);
  if (!isItem && !isList && created === undefined) return undefined;
  const written = [created?.given, replaced, patched]
    .flatMap((one) => one?.node ?? [])
    .filter(({ names }) => names.size > 0);
  const given = created?.given.node;
  const isAnswered =
    created !== undefined && (given === undefined || likeness(answered?.node, given) > 0);
  const nodes = [read?.node, isAnswered ? answered?.node : undefined, list?.item];
  return {
    kind: 'collection',
    family,
    read,
    list,
    created,
    shown: fullest(nodes.filter((node) => node !== undefined)),
    written,
  };
}

/**
 * Returns true if the whole response can be put or patched: that is one resource, even with a list
 * in it.
 */
export function isWrittenWhole(
  collection: Family['collection'],
  read: SchemaNode | undefined,
): boolean {
  if (read === undefined || read.isArray) return false;
  return ['PUT', 'PATCH'].some(
    (method) => likeness(collection?.get(method)?.given?.node, read) >= ALIKE,
  );
}

/** Returns the resource in the response of an item's path; undefined for a list. */
function readOne(shape: OperationShape | undefined, name: string): Wrapped | undefined {
  const node = shape?.success?.node;
  if (node === undefined || !node.isObject || node.isArray) return undefined;
  const list = findEnvelope(node, { collection: name, item: undefined });
  const isList = list !== undefined && !list.envelope.isByKey && list.envelope.parts.length > 0;
  return isList ? undefined : findWrapping(node, name);
}

/** Returns the resource in the body of an operation; undefined for a list. */
export function takeOne(shape: OperationShape | undefined, name: string): Wrapped | undefined {
  const node = shape?.given?.node;
  return node === undefined || node.isArray ? undefined : findWrapping(node, name);
}

function inferCreate(
  post: OperationShape | undefined,
  family: Family,
  known: SchemaNode | undefined,
  isKnown: boolean,
): Created | undefined {
  if (post === undefined || post.takesBytes) return undefined;
  const { name } = family;
  if (isVerbal(name) && family.item === undefined) return undefined;
  const body = post.given?.node;
  if (body === undefined) return createWithoutBody(post, name, known);
  const many = takeMany(body, name, known);
  if (many !== undefined) return many;
  const given = takeOne(post, name);
  if (given === undefined) return undefined;
  const reason = isKnown
    ? reasonToAdd(post, given, name, known)
    : reasonToCreate(post, given, family);
  return reason === undefined ? undefined : { given, isMany: false, reason };
}

/** `POST /deploy-keys`, without a request body, responds with the created resource. */
function createWithoutBody(
  post: OperationShape,
  name: string,
  known: SchemaNode | undefined,
): Created | undefined {
  const answered = findWrapping(post.success?.node, name);
  if (answered === undefined || known === undefined || isVerbal(name)) return undefined;
  if (post.given !== undefined || likeness(answered.node, known) < 1) return undefined;
  const given = { wrapping: { path: [], form: 'plain' as const }, node: undefined };
  return {
    given,
    isMany: false,
    reason: 'POST to a collection, which returns one of its resources',
  };
}

/** Returns the list of resources in a body; undefined if it has none of the known schema. */
export function takeMany(
  body: SchemaNode,
  name: string,
  known: SchemaNode | undefined,
): Created | undefined {
  const list = findEnvelope(body, { collection: name, item: known });
  if (list === undefined || list.envelope.isByKey || !fits(list, known)) return undefined;
  if (!body.isArray && likeness(body, known) >= ALIKE) return undefined;
  return {
    given: { wrapping: list.envelope, node: list.item },
    isMany: true,
    reason: 'the body is a list of them',
  };
}

function fits({ envelope, item }: Listed, known: SchemaNode | undefined): boolean {
  return known === undefined ? envelope.path.length === 0 : likeness(item, known) >= ALIKE;
}

/** Returns why a POST adds to a known collection; undefined if it does not. */
function reasonToAdd(
  post: OperationShape,
  given: Wrapped,
  name: string,
  known: SchemaNode | undefined,
): string | undefined {
  if (post.statuses.has('201') && !isVerbal(name)) return 'POST to a collection declares 201';
  if (likeness(given.node, known) >= RELATED)
    return 'POST to a collection with a body like its items';
  const answered = findWrapping(post.success?.node, name)?.node;
  return likeness(answered, known) >= ALIKE
    ? 'POST to a collection returns one of its resources'
    : undefined;
}

/** Returns why a POST creates; undefined if it asks for something or does something instead. */
function reasonToCreate(
  post: OperationShape,
  { node }: Wrapped,
  { name, item }: Family,
): string | undefined {
  if (node.names.size === 0) return undefined;
  const answered = findWrapping(post.success?.node, name)?.node;
  if (likeness(node, answered) >= ALIKE && (answered?.names.size ?? 0) > 0) {
    return 'POST to a name, and the response shows what was sent';
  }
  const isOfMany = isPlural(name) || item !== undefined;
  if (!isOfMany) return undefined;
  if (post.statuses.has('201')) return 'POST to a name of many declares 201';
  return post.success === undefined && !post.givesBytes
    ? 'POST to a name of many responds without a body'
    : undefined;
}

function isVerbal(name: string): boolean {
  return isVerb(name) && !isPlural(name);
}

function fullest(nodes: readonly SchemaNode[]): SchemaNode | undefined {
  return nodes.reduce<SchemaNode | undefined>(
    (best, node) => (best === undefined || node.names.size > best.names.size ? node : best),
    undefined,
  );
}
