import { plain } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import type { ParameterShape } from '../shape/parameter-shape.ts';
import { ALIKE, findAmong, findWrapping } from '../shape/wrapping.ts';
import type { SingletonDraft } from './draft.ts';
import type { Family } from './families.ts';
import { findList, takeOne } from './infer-collection.ts';
import { SELECTING_NONE } from './infer-removal.ts';
import {
  changesInPart,
  fieldsOf,
  isOfSame,
  shownOf,
  type UntypedMeaning,
} from './meaning-parts.ts';

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
  const get = collection?.get('GET');
  if (collection === undefined || get === undefined) return undefined;
  if (item !== undefined && !isWrittenWhole(family)) return undefined;
  if (get.parameters.some(selects)) return undefined;
  const read = findWrapping(get.success?.node, name);
  if (read === undefined || findList(family) !== undefined) return undefined;
  const written = ['PUT', 'PATCH', 'POST']
    .flatMap(
      (method) => findAmong(collection.get(method)?.given?.node, name, read.node)?.node ?? [],
    )
    .filter((given) => isOfSame(given, read.node));
  const reason = reasonFor(family, read.node, written.length > 0);
  return reason === undefined
    ? undefined
    : { kind: 'singleton', family, read, shown: read.node, written, reason };
}

/** Returns true for a required query parameter, which selects one of several; not for a version. */
function selects({ name, in: location, isRequired }: ParameterShape): boolean {
  return location === 'query' && isRequired && !/^(?:api)?version$/.test(plain(name));
}

/** `GET` and `PATCH /user`, the caller, beside `GET /user/{id}`, any other one. */
function isWrittenWhole({ collection, item, name }: Family): boolean {
  const isChanged = ['PUT', 'PATCH'].some((method) => takeOne(collection?.get(method), name));
  return isChanged && collection?.has('POST') === false && item?.size === 1 && item.has('GET');
}

function reasonFor({ name, collection }: Family, { names }: SchemaNode, isWritten: boolean) {
  if (isWritten) return 'the path names one resource, which is read and written there';
  if (names.size === 0) return undefined;
  if (USUAL.has(plain(name))) return `there is one ${name} for each user`;
  return collection?.has('DELETE') === true
    ? 'the path names one resource, which is read and deleted there'
    : undefined;
}

export function singletonMeanings(draft: SingletonDraft): readonly UntypedMeaning[] {
  const shapes = [...(draft.family.collection?.values() ?? [])];
  return shapes.flatMap((shape) => ofMethod(shape, draft) ?? []);
}

function ofMethod(shape: OperationShape, draft: SingletonDraft): UntypedMeaning | undefined {
  const { operation, method } = shape;
  const base = { operation, reason: draft.reason };
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { ...base, kind: 'read', query: fieldsOf(shape), shown: draft.read.wrapping };
    case 'DELETE':
      return {
        ...base,
        kind: 'delete',
        isAll: false,
        ...SELECTING_NONE,
        shown: shownOf(shape, draft),
      };
    case 'PUT': {
      const change = changeOfSingleton(shape, draft);
      if (change === undefined || changesInPart(shape))
        return change && { ...base, ...change, kind: 'patch' };
      return { ...base, ...change, kind: 'replace', createsAbsent: true };
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
  const given = findAmong(shape.given?.node, family.name, shown);
  if (given === undefined) return undefined;
  const answered = findAmong(shape.success?.node, family.name, shown)?.node;
  const isOfIt = isOfSame(given.node, shown) || likeness(answered, shown) >= ALIKE;
  return isOfIt
    ? { given: given.wrapping, shown: shownOf(shape, draft, { given: given.node }) }
    : undefined;
}
