import { plain, singularName } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { MemberPath, Wrapping } from '../meaning.ts';
import { identifies } from './words.ts';

/** Where a body contains one resource, and its schema. */
export interface Wrapped {
  readonly wrapping: Wrapping;
  /** The schema of the resource; in JSON:API, of the attributes. */
  readonly node: SchemaNode;
  /** The schema of the key if it is beside the attributes, as in JSON:API. */
  readonly key?: SchemaNode | undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set(
  'data result item response resource payload content body record entity attributes'.split(' '),
);

/** Likeness of schemas that describe the same resource, and of schemas with much in common. */
export const ALIKE = 0.6;
export const RELATED = 0.3;

export const PLAIN: Wrapping = Object.freeze({ path: Object.freeze([]), form: 'plain' });

/**
 * Finds the resource in a body.
 *
 * @param collection the last name of the path: `plants` are wrapped as `plant`
 * @returns undefined if the body is no object
 */
export function findWrapping(
  node: SchemaNode | undefined,
  collection: string,
  depth = 0,
): Wrapped | undefined {
  if (node === undefined || !node.isObject) return undefined;
  const resourceObject = readResourceObject(node);
  if (resourceObject !== undefined) return resourceObject;
  const name = node.names.size > MOST_WRAPPED ? undefined : findWrapper(node, collection);
  const isAlone =
    name !== undefined && (standsAlone(node, [name]) || isKeyed(node, name, collection));
  if (isAlone && depth < DEEPEST) {
    const inner = findWrapping(node.property(name), collection, depth + 1);
    if (inner !== undefined) {
      const { wrapping } = inner;
      return { ...inner, wrapping: { ...wrapping, path: [name, ...wrapping.path] } };
    }
  }
  return { wrapping: PLAIN, node };
}

/**
 * Finds a known resource in a body, also with members beside it that are no decoration:
 * `{"action": {…}, "server": {…}}`. Without one it is like {@link findWrapping}.
 *
 * @param known the schema of the resource, from other operations
 */
export function findAmong(
  node: SchemaNode | undefined,
  collection: string,
  known: SchemaNode | undefined,
): Wrapped | undefined {
  if (node === undefined) return undefined;
  const found = findWrapping(node, collection);
  if (known === undefined || likeness(found?.node, known) >= ALIKE) return found;
  const own = plain(singularName(collection));
  const rank = ({ path, node: inner }: Inner): number => {
    if (inner.identity === known.identity) return 3;
    const alike = likeness(inner, known);
    if (alike < ALIKE) return 0;
    if (plain(path.at(-1) ?? '') === own) return 2;
    return inner.names.size < FEWEST ? 0 : alike;
  };
  const outer = objectsIn({ path: [], node });
  const [best] = [...outer, ...outer.flatMap(objectsIn)]
    .filter((inner) => rank(inner) > 0)
    .sort((one, other) => rank(other) - rank(one));
  if (best === undefined) return found;
  const inner = readResourceObject(best.node) ?? { wrapping: PLAIN, node: best.node };
  return { ...inner, wrapping: { ...inner.wrapping, path: best.path } };
}

/** Like {@link findAmong}, also in a list that has the resource alone: `{"plants": [{…}]}`. */
export function findHeld(
  node: SchemaNode | undefined,
  collection: string,
  known: SchemaNode | undefined,
): Wrapped | undefined {
  const found = findAmong(node, collection, known);
  return likeness(found?.node, known) >= ALIKE ? found : (findInList(node, known) ?? found);
}

/** Finds the list of a known resource that is a body, or a member of it. */
export function findInList(node: SchemaNode | undefined, known: SchemaNode | undefined) {
  if (node === undefined) return undefined;
  const members = node.isArray ? [['', node] as const] : [...node.properties];
  for (const [name, { isArray, items }] of members) {
    if (!isArray || items === undefined || !isKnown(items, known)) continue;
    if (name !== '' && !standsAlone(node, [name])) continue;
    const one = readResourceObject(items) ?? { wrapping: PLAIN, node: items };
    const path = name === '' ? [] : [name];
    return { ...one, wrapping: { ...one.wrapping, path, isInList: true } };
  }
  return undefined;
}

/** Returns true for the known resource; a few members may be of any. */
function isKnown(node: SchemaNode, known: SchemaNode | undefined): boolean {
  if (node.names.size < FEWEST) return node.identity === known?.identity;
  return likeness(node, known) >= ALIKE;
}

/** Returns where an object has nothing but the key of a resource: `{"Id": {"id": 7}}`. */
export function findKeyAlone(node: SchemaNode | undefined, key: string): Wrapping | undefined {
  const holder = objectsIn({ path: [], node }).find(
    ({ node: { names } }) => names.size === 1 && names.has(key),
  );
  return holder && { path: holder.path, form: 'plain' };
}

/** Fewer members are no sign of a resource: `{"id": 7}` may be of any. */
const FEWEST = 3;

interface Inner {
  readonly path: MemberPath;
  readonly node: SchemaNode;
}

function objectsIn({ path, node }: { path: MemberPath; node: SchemaNode | undefined }) {
  return [...(node?.properties ?? [])]
    .filter(([, inner]) => inner.isObject && !inner.isArray)
    .map(([name, inner]): Inner => ({ path: [...path, name], node: inner }));
}

const DEEPEST = 3;

/** An object around a resource has few members. */
const MOST_WRAPPED = 16;

function findWrapper(node: SchemaNode, collection: string): string | undefined {
  const own = new Set([plain(singularName(collection)), plain(collection)]);
  const { all, words } = node.styled;
  for (const [index, name] of all.entries()) {
    const word = words[index] ?? '';
    // `potMetadata` of pots.
    const bare = word.replace(/(?<=..)(?:metadata|description|details?|info|summary)$/, '');
    if ((WRAPPERS.has(word) || own.has(bare)) && holdsObject(node, name)) return name;
  }
  // In some documents the resource itself is called `meta` or `info`.
  return standsAlone(node, [])
    ? ['meta', 'info'].find((name) => holdsObject(node, name))
    : undefined;
}

function holdsObject(node: SchemaNode, name: string): boolean {
  const inner = node.property(name);
  return inner?.isObject === true && !inner.isArray;
}

/** Returns the schema of the value that names of members lead to. */
export function nodeAt(node: SchemaNode | undefined, path: MemberPath): SchemaNode | undefined {
  return path.reduce((inner, name) => inner?.property(name), node);
}

/**
 * Returns the names of a request that a response writes in another style, without `new`, or inside
 * another member: `spec.image` for `image`.
 */
export function findRenamed(given: SchemaNode | undefined, shown: SchemaNode | undefined) {
  const [own, others] = [given?.names ?? new Set<string>(), shown?.names ?? new Set<string>()];
  const byWord = new Map([...others].map((name) => [plain(name), name]));
  const unknown: string[] = [];
  const renamed = new Map(
    [...own].flatMap((name) => {
      const word = plain(name);
      const other = byWord.get(word) ?? byWord.get(word.replace(/^new/, ''));
      const isOther = other !== undefined && !others.has(name) && !own.has(other);
      if (other === undefined) unknown.push(name);
      return isOther ? [[name, other] as const] : [];
    }),
  );
  const [inside] = [...(shown?.properties ?? [])].filter(
    ([name, node]) => !own.has(name) && !node.isArray && hasMost(node, unknown),
  );
  if (inside === undefined) return renamed;
  const [holder, { names }] = inside;
  for (const name of unknown) if (names.has(name)) renamed.set(name, `${holder}.${name}`);
  return renamed;
}

/** One name alone, such as `id` or `name`, says nothing. */
const FEWEST_INSIDE = 2;

function hasMost({ names }: SchemaNode, wanted: readonly string[]): boolean {
  const { length } = wanted.filter((name) => names.has(name));
  return length >= FEWEST_INSIDE && length >= wanted.length * ALIKE;
}

/** Reads a resource object, which has `type` and `attributes` (JSON:API 1.1 §7.2). */
export function readResourceObject(node: SchemaNode | undefined): Wrapped | undefined {
  const attributes = node?.property('attributes');
  if (node === undefined || attributes?.isObject !== true) return undefined;
  if (!node.names.has('type') || node.names.size > 7) return undefined;
  const type = node.property('type');
  const typeName =
    type?.keyword('const') ?? [type?.keyword('enum')].flat()[0] ?? type?.keyword('example');
  return {
    wrapping: { path: [], form: 'json-api', ...(typeof typeName === 'string' && { typeName }) },
    node: attributes,
    key: node.property('id'),
  };
}

/** Members around a resource or a list that are no part of it. */
const DECORATION: ReadonlySet<string> = new Set(
  `meta metadata links pagination paging paginator page pages pageinfo info cursor cursors object
  type kind self href url uri success successful ok status statuscode message messages error errors
  code warnings requestid correlationid traceid apiversion version etag facets aggregations filter
  filters query sort order included jsonapi timestamp time generatedat took embedded response
  responsemetadata rate ratelimit i18n hint details title description links context id3 next prev
  previous first last more hasmore hasnext hasprevious hasnextpage haspreviouspage total count limit
  offset size perpage skip start startindex endindex totalcount totalitems totalpages totalresults
  totalelements totalsize totalrecords pagesize pagelen pagelength pagenumber pagecount itemcount itemsperpage
  numberofelements empty currentpage lastpage nextpage prevpage previouspage nextcursor
  previouscursor prevcursor nextpagetoken previouspagetoken nextmarker marker nexttoken
  continuationtoken nexturl nextpageurl nextlink previouslink resultcount from to after before
  truncated istruncated firstid lastid datakey resultsize resultcode`.split(/\s+/),
);

export function isDecoration(name: string, word = plain(name)): boolean {
  return (
    DECORATION.has(word) || /^(?:has|total|next|prev|error)/.test(word) || name.startsWith('@')
  );
}

/**
 * Returns true if an object has nothing but certain members and decoration, or only single values,
 * and lists of them, beside one with a key: `{"data": {"id": 7}, "service": "crm", "status": "OK"}`.
 */
function standsAlone(node: SchemaNode, members: readonly string[]): boolean {
  const { all, words } = node.styled;
  const others = all.filter(
    (name, index) => !members.includes(name) && !isDecoration(name, words[index]),
  );
  if (others.length === 0) return true;
  const isKeyed = members.some((name) => node.property(name)?.names.has('id') === true);
  return isKeyed && areSingle(node, others);
}

/** `{"fleet": {"fleetArn": …}, "tags": […]}`: only the fleet has what identifies one. */
function isKeyed(node: SchemaNode, name: string, collection: string): boolean {
  const has = ({ names }: SchemaNode): boolean =>
    [...names].some((each) => each !== name && identifies(each, collection));
  const inner = plain(name) === plain(singularName(collection)) ? node.property(name) : undefined;
  return inner !== undefined && has(inner) && !has(node);
}

/** Returns true if members of an object are single values, or lists of them, and none is its key. */
export function areSingle(node: SchemaNode, names: readonly string[]): boolean {
  return names.every((name) => {
    const member = node.property(name);
    const inner = member?.isArray ? member.items : member;
    return name !== 'id' && inner !== undefined && !inner.isObject && !inner.isArray;
  });
}
