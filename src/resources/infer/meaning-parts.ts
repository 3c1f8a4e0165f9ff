import { once } from '../../base/remember.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { ListParameter, ListQuery } from '../list/list-query.ts';
import type { Envelope, EnvelopePart, Meaning, Wrapping } from '../meaning.ts';
import { findEnvelope, type Listed } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { ALIKE, findHeld, findKeyAlone, nodeAt, RELATED } from '../shape/wrapping.ts';
import type { Draft } from './draft.ts';

/** A meaning before its resource type is assembled. */
export type UntypedMeaning = WithoutType<Meaning>;

type WithoutType<One> = One extends Meaning ? Omit<One, 'type' | 'source'> : never;

/** Returns true for a GET that says by its status alone whether something is there. */
export function isCheck({ method, success, givesBytes, statuses }: OperationShape): boolean {
  const isEmpty = success === undefined && !givesBytes && statuses.has('204');
  return method === 'GET' && isEmpty && statuses.has('404');
}

/** Returns true if an unknown key creates a resource. */
export function createsAbsent({ statuses }: OperationShape): boolean {
  return statuses.has('201') || !(statuses.has('404') || statuses.has('4XX'));
}

/**
 * Returns true for a PUT that changes only what it sends, and replaces nothing (RFC 9110 §9.3.4
 * notwithstanding): its description says so, or it requires nothing that a create requires. Where
 * nothing at all is required, one that is said to update or edit changes a part, if no PATCH does.
 */
export function changesInPart(
  { description, statuses }: OperationShape,
  bodies?: {
    readonly given: SchemaNode | undefined;
    readonly created: SchemaNode | undefined;
    readonly key: string | undefined;
    readonly hasPatch: boolean;
  },
): boolean {
  if (statuses.has('201')) return false;
  if (IN_PART.test(description)) return true;
  const { given, created, key, hasPatch } = bodies ?? {};
  const needed = [...(created?.required ?? [])].filter(
    (name) => name !== key && given?.names.has(name) === true,
  );
  if (needed.length > 0) return !needed.some((name) => given?.required.has(name));
  if (hasPatch === true) return false;
  const isFree = given !== undefined && [...given.required].every((name) => name === key);
  return isFree && UPDATING.test(description) && !REPLACING.test(description);
}

export const UPDATING = /^\W*(?:<\w+>\W*)?(?:updat|modif|edit|chang)(?:e|y|ie)?s?\b/i;
const REPLACING = /^[^.]*\b(?:entire|complete|whole|full)|\b(?:replac|overwrit)(?:e|ing)/i;

/** "Only the fields provided are updated", "parameters not sent stay unchanged", "sparse update". */
const IN_PART =
  /\bonly\b(?=[^.]{0,90}\b(?:fields?|propert(?:y|ies)|attributes?|parameters?|values?|elements?)\b)[^.]{0,90}\b(?:provided|included|passed|specified|supplied|sent)\b|\b(?:omit(?:ted|s)?|unspecified|(?:not|n't) (?:\w+ )?(?:provided|included|specified|passed|supplied|sent|given))\b[^.]{0,90}\b(?:unchanged|unmodified|untouched|not (?:be )?(?:changed|modified|updated))|\bsparse\b|\bto (?:remove|clear|delete|unset) an? (?:\w+ )?(?:field|attribute|property|value)\b/i;

/** Returns the query parameters that select members of a single resource. */
export function fieldsOf(shape: OperationShape): ListQuery {
  const fields = once(() => {
    const { parameters } = findListQuery(shape, undefined);
    return parameters.filter(({ role }) => role.kind === 'fields');
  });
  return {
    get parameters() {
      return fields();
    },
  };
}

/**
 * Returns the meaning of an operation that lists resources, all or those of some keys. What its
 * parameters ask for is found when it is first needed: most operations are never called.
 */
export function listMeaning(
  shape: OperationShape,
  list: Listed,
  reason: string,
  byKeys: readonly ListParameter[] = [],
  shown = list.item,
): UntypedMeaning {
  const parameters = once(() => {
    const others = findListQuery(shape, shown).parameters;
    return [...byKeys, ...others.filter(({ name }) => !byKeys.some((one) => one.name === name))];
  });
  const isNewestFirst = once(() => saysNewestFirst(shape));
  const query = {
    get parameters() {
      return parameters();
    },
    get isNewestFirst() {
      return isNewestFirst();
    },
  };
  const envelope = settleLinks(list.envelope, query);
  return { operation: shape.operation, kind: 'list', envelope, query, shown: undefined, reason };
}

/** Returns true if the description of a list says that the newest come first. */
function saysNewestFirst({ description }: OperationShape): boolean {
  return NEWEST_FIRST.test(description);
}

const NEWEST_FIRST =
  /(?:most recent|newest|latest)(?:ly)?\b[^.;]{0,60}\bfirst\b|\breverse(?:d)?[ -]chronological|\b(?:descending|reverse) (?:order )?(?:of|by|based on)?\W{0,3}(?:creation|created)|creat(?:ed|ion)[^.;]{0,30}\bdescending\b/i;

/** Reads a bare `next` as a URL if no parameter takes a cursor. */
function settleLinks(envelope: Envelope, query: ListQuery): Envelope {
  if (!envelope.parts.some(isBareCursor)) return envelope;
  if (query.parameters.some(({ role }) => role.kind.startsWith('cursor'))) return envelope;
  const parts = envelope.parts.map((part): EnvelopePart => {
    if (!isBareCursor(part)) return part;
    const { path, role } = part;
    return { path, role: role === 'next-cursor' ? 'next-link' : 'previous-link' };
  });
  return { ...envelope, parts };
}

function isBareCursor({ path, role }: EnvelopePart): boolean {
  const isCursor = role === 'next-cursor' || role === 'previous-cursor';
  return isCursor && /^(?:next|prev|previous)$/i.test(path.at(-1) ?? '');
}

/** Returns where the response contains what was created: the list, or the last resource. */
export function showsMany(shape: OperationShape, draft: Draft): Wrapping | undefined {
  const { name } = draft.family;
  const list = findEnvelope(shape.success?.node, { collection: name, item: draft.shown });
  const isOfIt = list?.envelope.isByKey === false && likeness(list.item, draft.shown) > 0;
  return isOfIt ? list.envelope : shownOf(shape, draft);
}

/**
 * Returns where the response to a DELETE contains the resource; undefined if it says how the
 * request went, though it may have a name in common.
 */
export function shownOfDeleted(
  shape: OperationShape,
  draft: Draft,
  key: string | undefined,
): Wrapping | undefined {
  const wrapping = shownOf(shape, draft, { key });
  const node = wrapping && nodeAt(shape.success?.node, wrapping.path);
  const names = [...(node?.names ?? [])];
  const shared = names.filter((name) => draft.shown?.names.has(name));
  const isOther = names.length > FEWEST_TELLING && shared.length < ALIKE * names.length;
  return isOther ? undefined : wrapping;
}

const FEWEST_TELLING = 3;

/**
 * Returns where the response contains the resource, or its key; undefined if it contains something
 * else.
 */
export function shownOf(
  { success }: OperationShape,
  draft: Draft,
  {
    given,
    key,
  }: { readonly given?: SchemaNode | undefined; readonly key?: string | undefined } = {},
): Wrapping | undefined {
  const { family, shown } = draft;
  const answered = findHeld(success?.node, family.name, shown);
  if (answered === undefined) return undefined;
  const isOfIt =
    likeness(answered.node, shown) > 0 ||
    likeness(answered.node, given) > 0 ||
    (key !== undefined && answered.node.names.has(key));
  const isAlone = !isOfIt || success?.node?.names.size === 1;
  const alone = isAlone && key !== undefined ? findKeyAlone(success?.node, key) : undefined;
  if (alone !== undefined) return alone;
  return isOfIt || answered.node.names.size === 0 ? answered.wrapping : undefined;
}

/** Returns true if request and response describe the same resource, or neither describes one. */
export function isOfSame(given: SchemaNode, read: SchemaNode): boolean {
  const saysNothing = given.names.size === 0 && read.names.size === 0;
  return saysNothing || likeness(given, read) >= RELATED;
}
