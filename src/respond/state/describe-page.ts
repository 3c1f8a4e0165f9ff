import type { JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { Declared } from '../../contract/responses.ts';
import type { ResponseFields } from '../../http/message.ts';
import { toText } from '../../media/text-codec.ts';
import { readKey } from '../../resources/collections.ts';
import type { ListRequest } from '../../resources/list/compile-query.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import {
  cursorValues,
  firstOffset,
  numberPages,
  type PageRelation,
  queryOf,
} from '../../resources/list/list-links.ts';
import { hasNext, type Page } from '../../resources/list/page.ts';
import type { EnvelopeFacts } from '../../resources/list/write-envelope.ts';
import type { EnvelopeRole, ListMeaning } from '../../resources/meaning.ts';
import { admittedFields } from './show.ts';
import type { StateRequest } from './state-request.ts';

const RELATIONS: Readonly<Record<string, PageRelation>> = {
  'next-link': 'next',
  'previous-link': 'previous',
  'first-link': 'first',
  'last-link': 'last',
  'self-link': 'self',
};

/** Relations of RFC 8288, in the order in which they are written. */
const LINKED: readonly PageRelation[] = ['next', 'previous', 'first', 'last'];

/** Describes a page, in members of the body and in fields. */
export function describePage(list: ListResponse) {
  const { request, page, facts } = list;
  const { query: terms } = facts;
  const [pageTerm] = terms.of('page');
  const first = pageTerm?.role.kind === 'page' ? pageTerm.role.first : 1;
  const numbers = numberPages(page, first);
  const isMore = hasNext(page);
  const urlsOf = (relation: PageRelation): readonly string[] => {
    const query = queryOf(relation, page, terms, request.query);
    return query === undefined ? [] : urlsTo(request, query);
  };
  const candidates: Partial<Record<EnvelopeRole, () => readonly JsonValue[]>> = {
    total: () => count(page.total),
    count: () => count(page.items.length),
    limit: () => count(page.limit ?? page.items.length, 1),
    offset: () => count(page.offset + firstOffset(terms)),
    page: () => count(numbers.number),
    'next-page': () => (isMore ? count(numbers.number + 1) : []),
    'previous-page': () => (page.offset > 0 ? count(Math.max(first, numbers.number - 1)) : []),
    'page-count': () => count(numbers.count, 1),
    'has-more': () => [isMore],
    'has-previous': () => [page.offset > 0],
    'next-cursor': () =>
      page.next === undefined ? [] : cursorValues(page.next, terms.of('cursor')[0]),
    'previous-cursor': () => {
      const [term] = [...terms.of('cursor-before'), ...terms.of('cursor')];
      return page.previous === undefined ? [] : cursorValues(page.previous, term);
    },
    'first-key': () => page.items.slice(0, 1).map(({ key }) => readKey(key)),
    'last-key': () => page.items.slice(-1).map(({ key }) => readKey(key)),
  };
  const values: EnvelopeFacts = (role) => {
    const relation = RELATIONS[role];
    return relation === undefined ? (candidates[role]?.() ?? []) : urlsOf(relation);
  };
  const next = isMore ? [String(numbers.number + 1)] : [];
  const previous = page.offset > 0 ? [String(Math.max(first, numbers.number - 1))] : [];
  const factsOf: FieldFacts = (name) => {
    if (name === 'link') return writeLinks(urlsOf);
    if (/^(?:x-)?content-range$/.test(name)) return [rangeOf(list)];
    if (/^(?:x-)?next-page$/.test(name)) return next;
    if (/^(?:x-)?(?:prev|previous)-page$/.test(name)) return previous;
    const role = ROLES.find(([pattern]) => pattern.test(name))?.[1];
    return role === undefined ? undefined : values(role).map(toText);
  };
  return { values, fields: writeListFields(list.declared, factsOf) };
}

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
function urlsTo({ target, fields, prefix = '' }: StateRequest, query: string): readonly string[] {
  const host = fields.get('host');
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  const path = prefix + (target.slice(origin?.length ?? 0).replace(/[?#].*$/s, '') || '/');
  const relative = query === '' ? path : `${path}?${query}`;
  if (origin !== undefined) return [origin + relative, relative];
  return host === undefined ? [relative] : [`http://${host}${relative}`, relative];
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
  [/^(?:x-)?(?:pagination-)?(?:next|next-link|next-page-url)$/, 'next-link'],
  [/^(?:x-)?(?:pagination-)?(?:prev|previous|prev-link|previous-link)$/, 'previous-link'],
];

type FieldFacts = (name: string) => readonly string[] | undefined;

/** Returns the declared fields that describe the page. */
function writeListFields(declared: Declared, factsOf: FieldFacts): ResponseFields {
  const candidates: Record<string, readonly string[]> = {};
  const { schemas, sent } = declared.response.headers;
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
