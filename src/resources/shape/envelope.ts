import { plain, singularName } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { Envelope, EnvelopePart, EnvelopeRole, MemberPath } from '../meaning.ts';
import { namesOf } from './words.ts';
import { ALIKE, areSingle, isDecoration, nodeAt, PLAIN, readResourceObject } from './wrapping.ts';

/** A body that contains a list, and the schema of the items. */
export interface Listed {
  readonly envelope: Envelope;
  readonly item: SchemaNode;
  /** Schema of the key if it is beside the attributes, as in JSON:API. */
  readonly key?: SchemaNode | undefined;
  readonly reason: string;
}

/** The facts that are known about a list before its body is read. */
export interface Expectation {
  /** The last name of the path. */
  readonly collection: string;
  /** The schema of one resource, if it is known. */
  readonly item: SchemaNode | undefined;
  /** True if the body may as well be one resource, with a list in it. */
  readonly mayBeOne?: boolean;
}

/**
 * Finds the list of objects in a body.
 *
 * @returns undefined if there is none
 */
export function findEnvelope(node: SchemaNode | undefined, expected: Expectation) {
  if (node === undefined) return undefined;
  if (node.isArray) return node.items?.isObject === true ? listAt(node, []) : undefined;
  const byKey = findByKey(node, expected);
  if (byKey !== undefined) return byKey;
  const [best] = [...findArrays(node, expected, [])].sort((a, b) => b.score - a.score);
  return best && listAt(node, best.path);
}

/**
 * Returns the list at a path of a body.
 *
 * @returns undefined if there is no array
 */
export function listAt(body: SchemaNode | undefined, path: MemberPath): Listed | undefined {
  const array = nodeAt(body, path);
  const item = array?.items;
  if (body === undefined || array?.isArray !== true || item === undefined) return undefined;
  const found = path.length === 0 ? [] : countAll([...findParts(body, [], path.join(' '))]);
  const parts = found.length === 0 ? found : [...found, ...linksIn(body)];
  const place = path.length === 0 ? 'is an array' : `has an array under ${path.join('.')}`;
  const resourceObject = readResourceObject(item);
  return {
    envelope: { ...(resourceObject?.wrapping ?? PLAIN), path, isByKey: false, parts },
    item: resourceObject?.node ?? item,
    key: resourceObject?.key,
    reason: `the response ${place}${resourceObject === undefined ? '' : " of JSON:API's resource objects"}`,
  };
}

/** `{"fern": {…}, "moss": {…}}`, if the values are like a known resource. */
function findByKey(node: SchemaNode, { item }: Expectation): Listed | undefined {
  const { additional } = node;
  const isMap = node.names.size === 0 && additional?.isObject === true;
  if (!isMap || item === undefined || likeness(additional, item) < ALIKE) return undefined;
  return {
    envelope: { path: [], form: 'plain', isByKey: true, parts: [] },
    item: additional,
    reason: 'the response is an object of them by their keys',
  };
}

const DEEPEST = 3;

const LIST_NAMES: ReadonlySet<string> = new Set(
  `data items results result entries records values list content contents rows elements objects
  resources collection hits value members docs documents`.split(/\s+/),
);

/** Arrays that are usually beside a list. */
const ASIDE = /^(?:errors?|warnings|links|included|facets|messages|filters|sort|aggregations)$/;

function* findArrays(
  node: SchemaNode,
  expected: Expectation,
  path: MemberPath,
): Generator<{ readonly path: MemberPath; readonly score: number }> {
  // An object with a key is a resource, and its arrays are its properties.
  if (path.length > DEEPEST || (node.names.has('id') && !isPage(node, expected))) return;
  for (const name of node.names) {
    const inner = node.property(name);
    if (inner === undefined) continue;
    const at = [...path, name];
    if (inner.isArray) {
      const score = scoreOf(node, name, expected);
      if (score > 0) yield { path: at, score: score - path.length };
    } else if (inner.isObject && leadsToList(node, name, expected)) {
      yield* findArrays(inner, expected, at);
    }
  }
}

/** Returns 0 for an array that is a property of a resource. */
function scoreOf(owner: SchemaNode, name: string, expected: Expectation): number {
  const { collection, item } = expected;
  const items = owner.property(name)?.items;
  if (items === undefined || !items.isObject) return 0;
  const word = plain(name);
  const isOwn =
    word === plain(collection) || singularName(word) === singularName(plain(collection));
  if (ASIDE.test(word) && !isOwn) return 0;
  const alike = item === undefined ? 0 : likeness(items, item);
  const others = [...owner.names].filter((other) => other !== name && !isDecoration(other));
  // Beside `deletedPots` of the same schema, `pots` are the pots.
  if (alike >= ALIKE) return 20 + alike + Number(isOwn);
  if (others.length > (isOwn ? 1 : 0)) return isFound(name, owner, others, expected) ? 11 : 0;
  if (isOwn) return 15;
  return LIST_NAMES.has(word) ? 12 : 10;
}

/** Names of what a search or a query has found, whatever is beside it. */
const FOUND = /^(?:data|records|entries|rows|results?|hits|docs|documents)$/;

/** Returns true for a list with a count beside it, or of items with keys beside single values. */
function isFound(
  name: string,
  owner: SchemaNode,
  others: readonly string[],
  expected: Expectation,
): boolean {
  const beside = others.filter((other) => other !== 'id');
  if (isPage(owner, expected) && areSingle(owner, beside)) return true;
  const items = owner.property(name)?.items;
  const isKeyed = items?.names.has('id') === true && areSingle(owner, others);
  return FOUND.test(plain(name)) && (isKeyed || isCounted(owner));
}

/** Returns true for an object that says how many items there are, or where the next page is. */
function isPage(node: SchemaNode, { mayBeOne = false }: Expectation): boolean {
  if (mayBeOne) return false;
  return isCounted(node) || [...node.properties].some(([name, one]) => leadsOn(name, one));
}

/** Returns true for a member that leads to the next page. */
function leadsOn(name: string, node: SchemaNode): boolean {
  const word = plain(name);
  if (!LEADING.some((pattern) => pattern?.test(word))) return false;
  const role = roleOf([name], node);
  return role === 'next-cursor' || role === 'next-link';
}

/** Returns true for an object that says how many items it has. */
function isCounted({ properties }: SchemaNode): boolean {
  return [...properties].some(([name, node]) => {
    if (!node.types.has('integer') && !node.types.has('number')) return false;
    const word = plain(name);
    if (!COUNTING.some((pattern) => pattern?.test(word))) return false;
    const role = find(NUMBERS, word);
    return role === 'total' || role === 'count';
  });
}

/** Returns true for a member that leads to a list. */
function leadsToList(owner: SchemaNode, name: string, { collection }: Expectation): boolean {
  const word = plain(name);
  const leads =
    isDecoration(name) ||
    LIST_NAMES.has(word) ||
    word === 'payload' ||
    word === 'body' ||
    word === plain(collection);
  return leads && [...owner.names].every((other) => other === name || isDecoration(other));
}

/**
 * Yields the members of an envelope that describe its list, by their names and types.
 *
 * @param list names that lead to the array, joined
 */
function* findParts(node: SchemaNode, path: MemberPath, list: string): Generator<EnvelopePart> {
  for (const name of node.names) {
    const at = [...path, name];
    const inner = node.property(name);
    if (inner === undefined || at.join(' ') === list || inner.isArray) continue;
    const role = roleOf(at, inner);
    if (role !== undefined) yield { path: at, role };
    else if (inner.isObject && at.length < DEEPEST && describesList(at, list)) {
      yield* findParts(inner, at, list);
    }
  }
}

/** Returns the `url` beside a count or what leads to the next page: that of the list. */
function linksIn({ properties }: SchemaNode): readonly EnvelopePart[] {
  return [...properties]
    .filter(([name, { types }]) => /^(?:url|uri|href)$/.test(plain(name)) && types.has('string'))
    .map(([name]) => ({ path: [name], role: 'list-link' }));
}

/** Reads a bare `count` beside the pages before and after as that of all, as they need it. */
function countAll(parts: readonly EnvelopePart[]): readonly EnvelopePart[] {
  const has = (pattern: RegExp): boolean => parts.some(({ role }) => pattern.test(role));
  if (has(/^total$/) || !has(/^next-/) || !has(/^previous-/)) return parts;
  return parts.map((part) => (isBareCount(part) ? { ...part, role: 'total' } : part));
}

function isBareCount({ path: [name], role }: EnvelopePart): boolean {
  return role === 'count' && name === 'count';
}

const CONTAINERS =
  /^(?:meta|metadata|pagination|paging|paginator|page|pageinfo|info|links?|cursors?|pages|responsemetadata|next|prev|previous|first|last|self)$/;

function describesList(path: MemberPath, list: string): boolean {
  return CONTAINERS.test(plain(path.at(-1) ?? '')) || list.startsWith(path.join(' '));
}

/** The names that members with a role have. */
type RoleTable = Partial<Record<EnvelopeRole, RegExp>>;

const NUMBERS: RoleTable = {
  total:
    /^(?:total(?:count|results?|items|elements|records|size|entries|hits|number|rows)?|num(?:ber)?(?:of)?results|(?:results?|items?|records?|entries)total|numfound|fullcount|results|records|hits)$/,
  'page-count':
    /^(?:totalpages?|pagecount|pages|lastpage|pagestotal|numpages|numberofpages|pageslength)$/,
  page: /^(?:currentpage|pagenumber|page|pageno|pageindex|number|current)$/,
  limit:
    /^(?:perpage|page(?:size|len(?:gth)?)|limit|itemsperpage|pagelimit|size|maxresults|maxitems)$/,
  offset: /^(?:offset|skip|start|startindex|from|startat)$/,
  'next-page': /^nextpage(?:number|no|num)?$/,
  'previous-page': /^prev(?:ious)?page(?:number|no|num)?$/,
  count: /^(?:count|numberofelements|resultcount|itemcount|resultsize|returned|length|entrycount)$/,
};

const FLAGS: RoleTable = {
  'has-more': /^(?:hasmore|hasnext|hasnextpage|more|(?:is)?truncated|moreresults|incomplete)$/,
  'has-previous': /^(?:hasprev|hasprevious|hasprevpage|haspreviouspage)$/,
  'is-last': /^(?:(?:is)?last(?:page)?|(?:is)?done|endoflist)$/,
  'is-first': /^(?:is)?first(?:page)?$/,
};

const TEXTS: RoleTable = {
  // A `next` that is no URL is a cursor.
  'next-cursor':
    /^(?:next(?:(?:page)?(?:cursor|token|marker|pagetoken|key))?|pagetoken|endcursor|cursor|iterator|marker|continuationtoken|nextpagecursor|cursornext|after|continue)$/,
  'previous-cursor':
    /^(?:prev(?:ious)?(?:(?:page)?(?:cursor|token|marker|iterator|pagetoken))?|startcursor|cursorprev(?:ious)?|before)$/,
  'next-link': /^(?:next(?:page)?(?:url|uri|link|href)|odatanextlink)$/,
  'previous-link': /^prev(?:ious)?(?:page)?(?:url|uri|link|href)$/,
  'first-link': /^first(?:page)?(?:url|uri|link)$/,
  'last-link': /^last(?:page)?(?:url|uri|link)$/,
  'first-key': /^firstid$/,
  'last-key': /^lastid$/,
};

/** Below a member such as `links`, the name alone is enough. */
const LINKS: RoleTable = {
  'next-link': /^next(?:page)?$/,
  'previous-link': /^prev(?:ious)?(?:page)?$/,
  'first-link': /^first(?:page)?$/,
  'last-link': /^last(?:page)?$/,
  'self-link': /^self$/,
};

/** Matches the names of counts and of links to the next page. */
const COUNTING = [NUMBERS.total, NUMBERS.count];
const LEADING = [TEXTS['next-cursor'], TEXTS['next-link'], LINKS['next-link']];

function roleOf(path: MemberPath, node: SchemaNode): EnvelopeRole | undefined {
  const name = plain(path.at(-1) ?? '');
  const owner = plain(path.at(-2) ?? '');
  if (node.types.has('boolean')) return find(FLAGS, name);
  if (node.types.has('integer') || node.types.has('number')) {
    const role = find(NUMBERS, name);
    return role === 'limit' && /^total number/i.test(String(node.keyword('description') ?? ''))
      ? 'total'
      : role;
  }
  // HAL's links are objects with `href`; the member around it has the role.
  const link = name === 'href' ? find(LINKS, owner) : undefined;
  if (link !== undefined) return link;
  const isText = node.types.has('string') || (node.types.size === 0 && node.names.size === 0);
  return isText ? roleOfText(name, owner, node) : undefined;
}

function roleOfText(name: string, owner: string, node: SchemaNode): EnvelopeRole | undefined {
  const isLink =
    /links?$/.test(owner) ||
    /^uri/.test(String(node.keyword('format') ?? '')) ||
    /^(?:https?:|\/)/.test(String(node.keyword('example') ?? ''));
  if (isLink || name === 'self') return find(LINKS, name) ?? find(TEXTS, name);
  return find(TEXTS, name) ?? (node.types.size > 0 ? find(NUMBERS, name) : undefined);
}

function find(table: RoleTable, name: string): EnvelopeRole | undefined {
  return namesOf(table).find((role) => table[role]?.test(name));
}
