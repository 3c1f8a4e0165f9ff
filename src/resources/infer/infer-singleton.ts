import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { Meaning } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { plain } from '../shape/words.ts';
import { ALIKE, findWrapping, RELATED } from '../shape/wrapping.ts';
import type { SingletonDraft } from './draft.ts';
import type { Family } from './families.ts';
import { findList, takeOne } from './infer-collection.ts';
import { common, fieldsOf, shownOf } from './meaning-parts.ts';

/** Names of resources that every client has exactly one of. */
const USUAL: ReadonlySet<string> = new Set(
  `me self myself whoami currentuser user account profile settings preferences config configuration
  cart basket session organization workspace company store shop tenant subscription plan`.split(
    /\s+/,
  ),
);

/** Returns the draft of a singleton; undefined if the path names none. */
export function inferSingleton(family: Family): SingletonDraft | undefined {
  const { collection, item, name } = family;
  const node = collection?.get('GET')?.success?.node;
  if (collection === undefined || item !== undefined || node?.isObject !== true) return undefined;
  // A required query parameter selects one of several.
  const parameters = collection.get('GET')?.parameters ?? [];
  if (parameters.some((one) => one.in === 'query' && one.isRequired)) return undefined;
  const read = findWrapping(node, name);
  if (read === undefined || findList(family, undefined) !== undefined) return undefined;
  const written = ['PUT', 'PATCH', 'POST'].flatMap((method) => {
    const given = takeOne(collection.get(method), name)?.node;
    return given !== undefined && isOfSame(given, read.node) ? [given] : [];
  });
  const reason = reasonFor(family, read.node, written.length > 0);
  return reason === undefined
    ? undefined
    : { kind: 'singleton', family, read, shown: read.node, written, reason };
}

/** Returns true if request and response describe the same resource, or neither describes one. */
function isOfSame(given: SchemaNode, read: SchemaNode): boolean {
  const saysNothing = given.names.size === 0 && read.names.size === 0;
  return saysNothing || likeness(given, read) >= RELATED;
}

function reasonFor({ name, collection }: Family, { names }: SchemaNode, isWritten: boolean) {
  if (isWritten) return 'the path names one resource, which is read and written there';
  if (names.size === 0) return undefined;
  if (USUAL.has(plain(name))) return `there is one ${name} for each user`;
  return collection?.has('DELETE') === true
    ? 'the path names one resource, which is read and deleted there'
    : undefined;
}

export function singletonMeanings(draft: SingletonDraft, type: ResourceType): readonly Meaning[] {
  const methods = draft.family.collection ?? new Map<string, OperationShape>();
  return [...methods.values()].flatMap((shape) => ofMethod(shape, draft, type) ?? []);
}

function ofMethod(
  shape: OperationShape,
  draft: SingletonDraft,
  type: ResourceType,
): Meaning | undefined {
  const base = { ...common(shape, type), reason: draft.reason };
  switch (shape.operation.method) {
    case 'GET':
    case 'HEAD':
      return { ...base, kind: 'read', query: fieldsOf(shape), shown: draft.read.wrapping };
    case 'DELETE': {
      const shown = shownOf(shape, draft, undefined);
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

/**
 * Returns where request and response contain the singleton; undefined if they contain something
 * else.
 */
function changeOfSingleton(shape: OperationShape, draft: SingletonDraft) {
  const { family, shown } = draft;
  const given = takeOne(shape, family.name);
  if (given === undefined) return undefined;
  const answered = findWrapping(shape.success?.node, family.name)?.node;
  const isOfIt = isOfSame(given.node, shown) || likeness(answered, shown) >= ALIKE;
  if (!isOfIt) return undefined;
  return { given: given.wrapping, shown: shownOf(shape, draft, given.node) };
}
