import type { JsonValue } from '../../base/json/value.ts';
import { splitPairs } from '../../http/query.ts';
import { toText } from '../../media/text-codec.ts';
import { readKey } from '../collections.ts';
import type { CompiledParameter, CompiledQuery } from './compile-query.ts';
import { type Cursor, hasNext, type Page, writeCursor } from './page.ts';

export type PageRelation = 'self' | 'first' | 'previous' | 'next' | 'last';

/** Returns the number of a page. A list without a limit is one page. */
export function numberPages({ offset, limit, total }: Page, first: 0 | 1) {
  if (limit === undefined || limit === 0) return { number: first, count: 1 };
  return { number: Math.floor(offset / limit) + first, count: Math.ceil(total / limit) };
}

/**
 * Returns the query that asks for another page.
 *
 * @param query of the request, percent-encoded; other parameters are kept
 * @returns undefined if there is no such page, or no parameter for it
 */
export function queryOf(
  relation: PageRelation,
  page: Page,
  terms: CompiledQuery,
  query: string,
): string | undefined {
  if (relation === 'self') return query;
  if (relation === 'first') return withTerm(terms, query, undefined);
  const [cursorTerm] = terms.of('cursor');
  const [beforeTerm] = terms.of('cursor-before');
  if (cursorTerm !== undefined || beforeTerm !== undefined) {
    const term = relation === 'previous' ? (beforeTerm ?? cursorTerm) : cursorTerm;
    const cursor = relation === 'last' ? undefined : page[relation];
    const text = term && cursor && cursorValues(cursor, term)[0];
    return term && text !== undefined ? withTerm(terms, query, { term, value: text }) : undefined;
  }
  return queryByPlace(relation, page, terms, query);
}

function queryByPlace(
  relation: Exclude<PageRelation, 'self' | 'first'>,
  page: Page,
  terms: CompiledQuery,
  query: string,
): string | undefined {
  const { offset, limit, total } = page;
  if (limit === undefined || limit === 0) return undefined;
  if (relation === 'next' ? !hasNext(page) : relation === 'previous' && offset === 0) {
    return undefined;
  }
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const previous = Math.max(0, Math.min(offset - limit, last));
  const wanted = { next: offset + limit, previous, last }[relation];
  const [pageTerm] = terms.of('page');
  if (pageTerm?.role.kind === 'page') {
    const value = Math.floor(wanted / limit) + pageTerm.role.first;
    return withTerm(terms, query, { term: pageTerm, value });
  }
  const [offsetTerm] = terms.of('offset');
  return offsetTerm && withTerm(terms, query, { term: offsetTerm, value: wanted });
}

const PLACES = ['cursor', 'cursor-before', 'page', 'offset'] as const;

function withTerm(
  terms: CompiledQuery,
  query: string,
  set: { readonly term: CompiledParameter; readonly value: JsonValue } | undefined,
): string {
  const places = new Set(
    PLACES.flatMap((kind) => terms.of(kind).map(({ writtenName }) => writtenName)),
  );
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !places.has(splitPairs(part)[0]?.name ?? ''));
  if (set === undefined) return kept.join('&');
  const { term, value } = set;
  const pair = `${encodeURIComponent(term.writtenName)}=${encodeURIComponent(toText(value))}`;
  return [...kept, pair].join('&');
}

/** Returns the values that the parameter accepts for a cursor. */
export function cursorValues(
  cursor: Cursor,
  term: CompiledParameter | undefined,
): readonly JsonValue[] {
  const key = readKey(cursor.seen);
  const candidates = [writeCursor(cursor), key, toText(key)];
  const schema = term?.member === undefined ? term?.declared?.schema : undefined;
  return candidates.filter((one) => (schema?.check(one, 'query') ?? []).length === 0);
}
