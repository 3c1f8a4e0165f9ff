import type { SchemaNode } from '../../schema/schema-node.ts';
import type { EnvelopePart, EnvelopeRole } from '../meaning.ts';
import { plain } from './words.ts';

/**
 * What the members of an envelope tell of its list, by their names and types.
 *
 * @param list names that lead to the array
 */
export function findEnvelopeParts(
  body: SchemaNode,
  list: readonly string[],
): readonly EnvelopePart[] {
  return [...findParts(body, [], list.join(' '))];
}

const DEEPEST = 3;

function* findParts(
  view: SchemaNode,
  path: readonly string[],
  list: string,
): Generator<EnvelopePart> {
  for (const name of view.names) {
    const at = [...path, name];
    const inner = view.property(name);
    if (inner === undefined || at.join(' ') === list || inner.isArray) continue;
    const role = roleOf(at, inner);
    if (role !== undefined) yield { path: at, role };
    else if (inner.isObject && at.length < DEEPEST && tellsOfList(at, list)) {
      yield* findParts(inner, at, list);
    }
  }
}

const CONTAINERS =
  /^(?:meta|metadata|pagination|paging|paginator|page|pageinfo|info|links?|cursors?|pages|responsemetadata|next|prev|previous|first|last|self)$/;

function tellsOfList(path: readonly string[], list: string): boolean {
  return CONTAINERS.test(plain(path.at(-1) ?? '')) || list.startsWith(path.join(' '));
}

const NUMBERS: readonly (readonly [RegExp, EnvelopeRole])[] = [
  [
    /^(?:total(?:count|results?|items|elements|records|size|entries|hits|number|rows)?|(?:results?|items?|records?|entries)total|numfound|fullcount)$/,
    'total',
  ],
  [
    /^(?:totalpages?|pagecount|pages|lastpage|pagestotal|numpages|numberofpages|pageslength)$/,
    'page-count',
  ],
  [/^(?:currentpage|pagenumber|page|pageno|pageindex|number|current)$/, 'page'],
  [/^(?:perpage|pagesize|limit|itemsperpage|pagelimit|size|maxresults|maxitems)$/, 'limit'],
  [/^(?:offset|skip|start|startindex|from|startat)$/, 'offset'],
  [
    /^(?:count|numberofelements|resultcount|itemcount|resultsize|returned|length|entrycount)$/,
    'count',
  ],
];

const FLAGS: readonly (readonly [RegExp, EnvelopeRole])[] = [
  [/^(?:hasmore|hasnext|hasnextpage|more|(?:is)?truncated|moreresults|incomplete)$/, 'has-more'],
  [/^(?:hasprev|hasprevious|hasprevpage|haspreviouspage)$/, 'has-previous'],
];

const TEXTS: readonly (readonly [RegExp, EnvelopeRole])[] = [
  [/^(?:next(?:page)?(?:url|uri|link|href)|odatanextlink)$/, 'next-link'],
  [/^(?:prev(?:ious)?(?:page)?(?:url|uri|link|href))$/, 'previous-link'],
  [/^first(?:page)?(?:url|uri|link)$/, 'first-link'],
  [/^last(?:page)?(?:url|uri|link)$/, 'last-link'],
  [
    /^(?:next(?:page)?(?:cursor|token|marker|pagetoken|key)|pagetoken|endcursor|cursor|marker|continuationtoken|nextpagecursor|cursornext|after)$/,
    'next-cursor',
  ],
  [
    /^(?:prev(?:ious)?(?:page)?(?:cursor|token|marker|pagetoken)|startcursor|cursorprev(?:ious)?|before)$/,
    'previous-cursor',
  ],
  [/^firstid$/, 'first-key'],
  [/^lastid$/, 'last-key'],
];

/** Under a member such as `links`, the name alone says which. */
const LINKS: readonly (readonly [RegExp, EnvelopeRole])[] = [
  [/^next(?:page)?$/, 'next-link'],
  [/^prev(?:ious)?(?:page)?$/, 'previous-link'],
  [/^first(?:page)?$/, 'first-link'],
  [/^last(?:page)?$/, 'last-link'],
  [/^self$/, 'self-link'],
];

function roleOf(path: readonly string[], view: SchemaNode): EnvelopeRole | undefined {
  const name = plain(path.at(-1) ?? '');
  const owner = plain(path.at(-2) ?? '');
  if (view.types.has('boolean')) return find(FLAGS, name);
  if (view.types.has('integer') || view.types.has('number')) return find(NUMBERS, name);
  // HAL's links are objects with `href`; the role is that of the owner.
  const link = name === 'href' ? find(LINKS, owner) : undefined;
  if (link !== undefined) return link;
  const isText = view.types.has('string') || (view.types.size === 0 && view.names.size === 0);
  return isText ? roleOfText(name, owner, view) : undefined;
}

function roleOfText(name: string, owner: string, view: SchemaNode): EnvelopeRole | undefined {
  const isLink =
    /links?$/.test(owner) ||
    /^uri/.test(String(view.said('format') ?? '')) ||
    /^(?:https?:|\/)/.test(String(view.said('example') ?? ''));
  if (isLink || name === 'self') return find(LINKS, name) ?? find(TEXTS, name);
  return (
    find(BARE, name) ?? find(TEXTS, name) ?? (view.types.size > 0 ? find(NUMBERS, name) : undefined)
  );
}

/** What is no URL is a cursor. */
const BARE: readonly (readonly [RegExp, EnvelopeRole])[] = [
  [/^next$/, 'next-cursor'],
  [/^prev(?:ious)?$/, 'previous-cursor'],
];

function find(
  list: readonly (readonly [RegExp, EnvelopeRole])[],
  name: string,
): EnvelopeRole | undefined {
  return list.find(([pattern]) => pattern.test(name))?.[1];
}
