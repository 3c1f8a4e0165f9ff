import { toText } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { Declared } from '../../contract/responses.ts';
import { NO_FIELDS, type ResponseFields } from '../../http/message.ts';
import { encodePercent, splitPairs } from '../../http/query.ts';
import { readKey } from '../../resources/collections.ts';
import type {
  CompiledParameter,
  CompiledQuery,
  ListRequest,
} from '../../resources/list/compile-query.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import { type Cursor, hasNext, type Page, writeCursor } from '../../resources/list/page.ts';
import type { EnvelopeFacts } from '../../resources/list/write-envelope.ts';
import type { EnvelopeRole, ListMeaning } from '../../resources/meaning.ts';
import { ORIGIN, withOrigin } from './links.ts';
import { admittedFields } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** Relations of RFC 8288, in the order in which they are written. */
const LINKED: readonly PageRelation[] = ['next', 'previous', 'first', 'last'];

export function describePage(list: ListResponse) {
  const { request, page, facts } = list;
  const { query: terms } = facts;
  const [pageTerm] = terms.of('page');
  const first = pageTerm?.role.kind === 'page' ? pageTerm.role.first : 1;
  const urlsOf = (relation: PageRelation): readonly string[] => {
    const query = queryOf(relation, page, terms, request.query);
    return query === undefined ? [] : urlsTo(request, query);
  };
  const described = { request, page, terms, first, urlsOf };
  const values: EnvelopeFacts = (role) => valuesOf[role](described);
  const factsOf: FieldFacts = (name) => {
    if (name === 'link') return writeLinks(urlsOf);
    if (/^(?:x-)?content-range$/.test(name)) return [rangeOf(list)];
    const role = ROLES.find(([pattern]) => pattern.test(name))?.[1];
    return role && values(role).map(toText);
  };
  return { values, fields: writeListFields(list.declared, factsOf) };
}

interface DescribedPage {
  readonly request: StateRequest;
  readonly page: Page;
  readonly terms: CompiledQuery;
  /** The number of the first page. */
  readonly first: 0 | 1;
  readonly urlsOf: (relation: PageRelation) => readonly string[];
}

const valuesOf: Readonly<Record<EnvelopeRole, (described: DescribedPage) => readonly JsonValue[]>> =
  {
    total: ({ page }) => count(page.total),
    count: ({ page }) => count(page.items.length),
    limit: ({ page }) => count(page.limit ?? page.items.length, 1),
    offset: ({ page, terms }) => count(page.offset + firstOffset(terms)),
    page: ({ page, first }) => count(numberPages(page, first).number),
    'next-page': ({ page, first }) =>
      hasNext(page) ? count(numberPages(page, first).number + 1) : [],
    'previous-page': ({ page, first }) =>
      page.offset > 0 ? count(Math.max(first, numberPages(page, first).number - 1)) : [],
    'page-count': ({ page, first }) => count(numberPages(page, first).count, 1),
    'has-more': ({ page }) => [hasNext(page)],
    'has-previous': ({ page }) => [page.offset > 0],
    'is-last': ({ page }) => [!hasNext(page)],
    'is-first': ({ page }) => [page.offset === 0],
    'next-cursor': ({ page, terms }) => cursorValues(page.next, cursorTerm('next', terms)),
    'previous-cursor': ({ page, terms }) =>
      cursorValues(page.previous, cursorTerm('previous', terms)),
    'next-link': ({ urlsOf }) => urlsOf('next'),
    'previous-link': ({ urlsOf }) => urlsOf('previous'),
    'first-link': ({ urlsOf }) => urlsOf('first'),
    'last-link': ({ urlsOf }) => urlsOf('last'),
    'self-link': ({ urlsOf }) => urlsOf('self'),
    'list-link': ({ request }) => urlsTo(request, ''),
    'first-key': ({ page }) => page.items.slice(0, 1).map(({ key }) => readKey(key)),
    'last-key': ({ page }) => page.items.slice(-1).map(({ key }) => readKey(key)),
  };

/** Returns the field with the URLs of other pages (RFC 8288 §3); none without a page. */
function writeLinks(urlsOf: (relation: PageRelation) => readonly string[]): readonly string[] {
  const links = LINKED.flatMap((relation) => {
    const [url] = urlsOf(relation);
    const name = relation === 'previous' ? 'prev' : relation;
    return url === undefined ? [] : [`<${url}>; rel="${name}"`];
  });
  return links.length === 0 ? [] : [links.join(', ')];
}

/** Returns the forms of a count: a number, a string, or another number if it must not be zero. */
function count(value: number, least = 0): readonly JsonValue[] {
  const other = Math.max(value, least);
  return other === value ? [value, String(value)] : [value, String(value), other];
}

/** Returns the URLs of the list with another query, with and without scheme and host. */
function urlsTo(request: StateRequest, query: string): readonly string[] {
  const { target, prefix = '' } = request;
  const path = prefix + (target.replace(ORIGIN, '').replace(/[?#].*$/s, '') || '/');
  return withOrigin(request, query === '' ? path : `${path}?${query}`);
}

/** Returns a range (RFC 9110 §14.4) in a unit named like the resources. */
function rangeOf({ request, page }: ListResponse): string {
  const { items, offset, total } = page;
  const { name } = request.meaning.type;
  const unit = name.replaceAll(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'items';
  if (items.length === 0) return `${unit} */${total}`;
  return `${unit} ${offset}-${offset + items.length - 1}/${total}`;
}

/** The roles of fields, by their names in lower case. */
const ROLES: readonly (readonly [name: RegExp, role: EnvelopeRole])[] = [
  [/^(?:x-)?(?:pagination-)?(?:total|total-count|total-items|total-results|count)$/, 'total'],
  [/^(?:x-)?(?:pagination-)?(?:total-pages|page-count|pages)$/, 'page-count'],
  [/^(?:x-)?(?:pagination-)?(?:page|current-page|page-number)$/, 'page'],
  [/^(?:x-)?(?:pagination-)?(?:per-page|page-size|limit)$/, 'limit'],
  [/^(?:x-)?(?:pagination-)?offset$/, 'offset'],
  [/^(?:x-)?(?:pagination-)?(?:has-more|has-next)$/, 'has-more'],
  [/^(?:x-)?(?:pagination-)?(?:next-cursor|cursor|next-token|next-page-token)$/, 'next-cursor'],
  [/^(?:x-)?next-page$/, 'next-page'],
  [/^(?:x-)?(?:prev|previous)-page$/, 'previous-page'],
  [/^(?:x-)?(?:pagination-)?(?:next|next-link|next-page-url)$/, 'next-link'],
  [/^(?:x-)?(?:pagination-)?(?:prev|previous|prev-link|previous-link)$/, 'previous-link'],
];

type FieldFacts = (name: string) => readonly string[] | undefined;

function writeListFields(declared: Declared, factsOf: FieldFacts): ResponseFields {
  const { schemas, sent } = declared.response.headers;
  if (schemas.size === 0) return NO_FIELDS;
  const candidates: Record<string, readonly string[]> = {};
  for (const name of schemas.keys()) {
    const texts = factsOf(name);
    if (texts === undefined) continue;
    // The document's example would name a next page even if there is none.
    candidates[name] = texts.length === 0 && sent[name] !== undefined ? [''] : texts;
  }
  return admittedFields(declared, candidates);
}

export interface ListResponse {
  readonly request: StateRequest<ListMeaning>;
  readonly declared: Declared;
  /** Undefined if the response has no body. */
  readonly content: Content | undefined;
  readonly facts: ListFacts;
  readonly wanted: ListRequest;
  readonly page: Page;
}

type PageRelation = 'self' | 'first' | 'previous' | 'next' | 'last';

function numberPages({ offset, limit, total }: Page, first: 0 | 1) {
  if (limit === undefined || limit === 0) return { number: first, count: 1 };
  return { number: Math.floor(offset / limit) + first, count: Math.ceil(total / limit) };
}

/**
 * Returns the query that asks for another page.
 *
 * @param query of the request, percent-encoded; other parameters are kept
 * @returns undefined if there is no such page, or no parameter for it
 */
function queryOf(
  relation: PageRelation,
  page: Page,
  terms: CompiledQuery,
  query: string,
): string | undefined {
  if (relation === 'self') return query;
  const names = new Set(
    PLACES.flatMap((kind) => terms.of(kind).map(({ writtenName }) => writtenName)),
  );
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !names.has(splitPairs(part)[0]?.name ?? ''));
  if (relation === 'first') return kept.join('&');
  const place = placeOf(relation, page, terms);
  if (place === undefined) return undefined;
  const [name, value] = [place.term.writtenName, toText(place.value)];
  return [...kept, `${encodePercent(name)}=${encodePercent(value)}`].join('&');
}

const PLACES = ['cursor', 'cursor-before', 'page', 'offset', 'offset-from-1'] as const;

type OtherPage = Exclude<PageRelation, 'self' | 'first'>;

interface PagePlace {
  readonly term: CompiledParameter;
  readonly value: JsonValue;
}

function placeOf(to: OtherPage, page: Page, terms: CompiledQuery): PagePlace | undefined {
  const hasCursors = cursorTerm('previous', terms) !== undefined;
  if (!hasCursors) return placeByOffset(to, page, terms);
  if (to === 'last') return undefined;
  const term = cursorTerm(to, terms);
  const [value] = cursorValues(page[to], term);
  return term && value !== undefined ? { term, value } : undefined;
}

/** Returns the parameter that asks for the next page by a cursor, or for the previous one. */
function cursorTerm(to: 'next' | 'previous', terms: CompiledQuery): CompiledParameter | undefined {
  const [after] = terms.of('cursor');
  return to === 'next' ? after : (terms.of('cursor-before')[0] ?? after);
}

function placeByOffset(to: OtherPage, page: Page, terms: CompiledQuery): PagePlace | undefined {
  const { offset, limit, total } = page;
  if (limit === undefined || limit === 0) return undefined;
  if (to === 'next' ? !hasNext(page) : to === 'previous' && offset === 0) return undefined;
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const previous = Math.max(0, Math.min(offset - limit, last));
  const value = { next: offset + limit, previous, last }[to];
  const [pageTerm] = terms.of('page');
  if (pageTerm?.role.kind === 'page') {
    return { term: pageTerm, value: Math.floor(value / limit) + pageTerm.role.first };
  }
  const [term] = [...terms.of('offset'), ...terms.of('offset-from-1')];
  return term && { term, value: value + firstOffset(terms) };
}

/** Returns the offset of the first item, as clients count. */
function firstOffset(terms: CompiledQuery): 0 | 1 {
  return terms.of('offset-from-1').length > 0 ? 1 : 0;
}

/** Returns the values for a cursor; a parameter for the page after a key has none before it. */
function cursorValues(
  cursor: Cursor | undefined,
  term: CompiledParameter | undefined,
): readonly JsonValue[] {
  if (cursor === undefined) return [];
  const key = readKey(cursor.seen);
  const isBackward = cursor.direction === 'before' && term?.role.kind === 'cursor';
  const candidates = isBackward ? [writeCursor(cursor)] : [writeCursor(cursor), key, toText(key)];
  const schema = term?.member === undefined ? term?.declared?.schema : undefined;
  return candidates.filter((one) => schema?.accepts(one) !== false);
}
