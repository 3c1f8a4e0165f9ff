import { isPlural, plain, singularName } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { type Expectation, findEnvelope, type Listed } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { isVerb } from '../shape/words.ts';
import {
  ALIKE,
  findAmong,
  findHeld,
  findWrapping,
  PLAIN,
  RELATED,
  type Wrapped,
} from '../shape/wrapping.ts';
import type { CollectionDraft, Created } from './draft.ts';
import type { Family } from './families.ts';
import { GENERIC, hasKey } from './key-names.ts';

/** Returns the draft of a collection; undefined if the path names none. */
export function inferCollection(family: Family): CollectionDraft | undefined {
  const { name, collection, item } = family;
  const single = readOne(item?.get('GET'), name);
  const replaced = takeOne(item?.get('PUT'), name, single?.node);
  const patched = takeOne(item?.get('PATCH'), name, single?.node);
  const post = collection?.get('POST');
  const wrapped = findWrapping(post?.success?.node, name);
  const list = findList(family, single?.node ?? wrapped?.node ?? replaced?.node);
  const read = readAmong(item?.get('GET'), { collection: name, item: list?.item }, single);
  const givesFile = post?.takesBytes === true && item?.get('GET')?.givesBytes === true;
  const isItem = read !== undefined || isWritten(family) || givesFile;
  const known =
    read?.node ?? list?.item ?? replaced?.node ?? (givesFile ? wrapped?.node : undefined);
  const answered = findAmong(post?.success?.node, name, known);
  const isKnown = isItem || list !== undefined;
  const created = post && inferCreate({ post, family, known, answered }, isKnown);
  if (!isItem && created === undefined && !isCollection(family, list)) return undefined;
  const written = [created, replaced, patched]
    .flatMap((one) => one?.node ?? [])
    .filter(({ names }) => names.size > 0);
  const given = created?.node;
  const isAnswered =
    created !== undefined &&
    (given === undefined || likeness(answered?.node, given) > 0 || hasKey(answered?.node, name));
  const shownByCreate = isAnswered ? answered?.node : undefined;
  const nodes = [read?.node, shownByCreate, list?.item];
  return {
    kind: 'collection',
    family,
    read,
    list,
    created,
    shownByCreate,
    shown: fullest(nodes.filter((node) => node !== undefined)),
    written,
  };
}

/** Returns true if an item is replaced or patched, but not for `SetTopic`, beside which no name is. */
function isWritten({ name, item }: Family): boolean {
  const shapes = ['PUT', 'PATCH'].map((method) => item?.get(method));
  return shapes.some((one) => one?.isCall === false && takeOne(one, name) !== undefined);
}

/** Returns true for a list of resources, although nothing may create or read one of them. */
function isCollection({ name, item }: Family, list: Listed | undefined): boolean {
  if (list === undefined || isPlural(name) || item !== undefined) return list !== undefined;
  return !isVerb(name) && hasKey(list.item, name);
}

/** Returns the list at the path of a collection. */
export function findList(family: Family, known?: SchemaNode): Listed | undefined {
  const { name, collection, item } = family;
  const node = collection?.get('GET')?.success?.node;
  if (node === undefined) return undefined;
  // Without items, what can be put or patched as a whole is one resource, even with a list in it.
  const written = ['PUT', 'PATCH'].map(
    (method) => findAmong(collection?.get(method)?.given?.node, name, node)?.node,
  );
  const isOne =
    item === undefined && !node.isArray && written.some((one) => likeness(one, node) >= ALIKE);
  return isOne ? undefined : findEnvelope(node, { collection: name, item: known });
}

/** Returns the resource in the response of an item's path; undefined for a list. */
function readOne(shape: OperationShape | undefined, name: string): Wrapped | undefined {
  const node = shape?.success?.node;
  if (node === undefined || !node.isObject || node.isArray) return undefined;
  const list = findEnvelope(node, { collection: name, item: undefined, mayBeOne: true });
  const isList = list !== undefined && !list.envelope.isByKey && list.envelope.parts.length > 0;
  return isList ? undefined : findWrapping(node, name);
}

/**
 * Returns the resource in the response of an item's path, also one that a list has alone.
 *
 * @param single the resource by the response itself
 */
function readAmong(
  shape: OperationShape | undefined,
  { collection, item }: Expectation,
  single: Wrapped | undefined,
): Wrapped | undefined {
  const found = findHeld(shape?.success?.node, collection, item);
  if (found?.wrapping.isInList !== true) return single && found;
  // `/products/{category}` lists those of a category.
  return endsInKey(shape) ? found : single;
}

/** Returns true for a path whose last parameter is called as keys are. */
function endsInKey(shape: OperationShape | undefined): boolean {
  const word = plain(shape?.path.segments.at(-1)?.name ?? '');
  return GENERIC.test(word) || /(?:id|key|code|number|name|slug)$/.test(word);
}

/**
 * Returns the resource in the body of an operation; undefined for a list.
 *
 * @param known the schema of the resource, from other operations
 */
export function takeOne(
  shape: OperationShape | undefined,
  name: string,
  known?: SchemaNode,
): Wrapped | undefined {
  const node = shape?.given?.node;
  if (node === undefined || node.isArray) return undefined;
  const found = findWrapping(node, name);
  // `{"message": "Hi", "item": {…}}` is a comment on an item if a comment has an item.
  const [wrapper] = found?.wrapping.path ?? [];
  const isOwn = wrapper !== undefined && known?.names.has(wrapper) === true;
  return isOwn && likeness(node, known) >= RELATED ? { wrapping: PLAIN, node } : found;
}

/** A POST to a collection. */
interface Posted {
  readonly post: OperationShape;
  readonly family: Family;
  /** The schema of the resources, from other operations. */
  readonly known: SchemaNode | undefined;
  readonly answered: Wrapped | undefined;
}

function inferCreate(posted: Posted, isKnown: boolean): Created | undefined {
  const { post, family, known } = posted;
  const { name } = family;
  if (isVerbal(post, name) && family.item === undefined) return undefined;
  if (post.takesBytes) return createByFile(posted);
  const body = post.given?.node;
  if (body === undefined) return createWithoutBody(posted);
  const many = takeMany(body, { collection: name, item: known });
  const isOfMany = isKnown || isPlural(name) || post.statuses.has('201');
  if (many !== undefined) return isOfMany ? many : undefined;
  const given = takeOne(post, name, known);
  if (given === undefined) return undefined;
  const reason = isKnown ? reasonToAdd(posted, given) : reasonToCreate(posted, given);
  return reason === undefined ? undefined : { ...given, isMany: false, reason };
}

/** `POST /deploy-keys`, without a request body, responds with the created resource. */
function createWithoutBody({ post, family, known, answered }: Posted): Created | undefined {
  if (answered === undefined || known === undefined || isVerbal(post, family.name))
    return undefined;
  if (post.given !== undefined || likeness(answered.node, known) < 1) return undefined;
  const reason = 'POST to a collection, which returns one of its resources';
  return { wrapping: PLAIN, node: undefined, isMany: false, reason };
}

/** `POST /files`, with a file, responds with the resource that describes it. */
function createByFile({ post, known, answered }: Posted): Created | undefined {
  const isOne = likeness(answered?.node, known) >= ALIKE;
  if (!isOne && !(post.statuses.has('201') && known !== undefined)) return undefined;
  const reason = 'POST to a collection takes a file, which it stores';
  return { wrapping: PLAIN, node: undefined, isMany: false, takesFile: true, reason };
}

/** Returns the list of resources in a body; undefined if it has none of the known schema. */
export function takeMany(body: SchemaNode, expected: Expectation): Created | undefined {
  const list = findEnvelope(body, expected);
  const { item: known } = expected;
  if (list === undefined || list.envelope.isByKey) return undefined;
  const inside = fits(list, known) ? undefined : findAmong(list.item, expected.collection, known);
  const item = inside?.node ?? list.item;
  if (!fits({ ...list, item }, known)) return undefined;
  const one = body.isArray ? undefined : findWrapping(body, expected.collection);
  if (likeness(one?.node, known) >= ALIKE) return undefined;
  const reason = 'the body is a list of them';
  return {
    wrapping: { ...list.envelope, ...(inside && { inItem: inside.wrapping.path }) },
    node: item,
    isMany: true,
    reason,
  };
}

function fits({ envelope, item }: Listed, known: SchemaNode | undefined): boolean {
  return known === undefined ? envelope.path.length === 0 : likeness(item, known) >= ALIKE;
}

/** Returns why a POST adds to a known collection; undefined if it does not. */
function reasonToAdd({ post, family, known, answered }: Posted, given: Wrapped) {
  const isDeclared = post.statuses.has('201') && !isVerbal(post, family.name);
  if (isDeclared) return 'POST to a collection declares 201';
  const isLike = likeness(given.node, known) >= RELATED;
  if (isLike) return 'POST to a collection with a body like its items';
  return likeness(answered?.node, known) >= ALIKE
    ? 'POST to a collection returns one of its resources'
    : undefined;
}

/** Returns why a POST creates; undefined if it asks for something or does something instead. */
function reasonToCreate({ post, family, answered }: Posted, { node }: Wrapped) {
  const { name, item } = family;
  const shown = answered?.node;
  if (node.names.size === 0 || onlyDoes(family, node, shown)) return undefined;
  const isDeclared = post.statuses.has('201');
  const isOfMany = isPlural(name) || item !== undefined;
  if (likeness(node, shown) >= ALIKE && (isDeclared || isResource(family, node, shown))) {
    return 'POST to a name, and the response shows what was sent';
  }
  if (!isOfMany) return undefined;
  if (isDeclared) return 'POST to a name of many declares 201';
  if (isPlural(name) && hasKey(shown, name) && likeness(node, shown) >= RELATED)
    return 'POST to a name of many, and the response has a key';
  if (shown?.names.size === 1 && hasKey(shown, name))
    return 'POST to a name of many responds with a key';
  return post.success === undefined && !post.givesBytes
    ? 'POST to a name of many responds without a body'
    : undefined;
}

/** Returns false for the response to a question, which repeats the question without a key. */
function isResource({ name, item }: Family, given: SchemaNode, shown: SchemaNode | undefined) {
  if (shown === undefined || shown.names.size === 0) return false;
  if (item !== undefined || hasKey(shown, name)) return true;
  const isSame = given.names.size === shown.names.size && likeness(given, shown) === 1;
  return isPlural(name) && (isSame || hasKey(given, name));
}

/** Returns true for a question, and for `POST /import-images`; `POST /import-jobs` has a key. */
function onlyDoes({ name, item }: Family, given: SchemaNode, shown: SchemaNode | undefined) {
  if (item !== undefined) return false;
  return asks(given, name) || (isVerb(name) && !hasKey(shown, name));
}

/** Returns true for a body with a question, `{"query": "ferns"}`; not for `POST /questions`. */
function asks({ names }: SchemaNode, collection: string): boolean {
  const own = singularName(plain(collection));
  // JSON-RPC calls a method of the service.
  return (
    names.has('jsonrpc') ||
    [...names].some((name) => QUESTIONS.test(plain(name)) && plain(name) !== own)
  );
}

const QUESTIONS = /^(?:q|query|search|keywords?|prompt|question)$/;

/** `/pots:testPermissions` does something, whatever is many; `/searches` may be created. */
function isVerbal({ operation: { path } }: OperationShape, name: string): boolean {
  if (isVerb(name) && (!isPlural(name) || path.endsWith(`:${name}`))) return true;
  // `#Action=CountPots` names no collection.
  return /^[#?]/.test(name);
}

/** Returns the schema with the most properties. */
export function fullest(nodes: readonly SchemaNode[]): SchemaNode | undefined {
  const most = Math.max(...nodes.map(({ names }) => names.size));
  return nodes.find(({ names }) => names.size === most);
}
