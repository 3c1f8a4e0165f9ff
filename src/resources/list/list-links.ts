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
  const names = new Set(
    PLACES.flatMap((kind) => terms.of(kind).map(({ writtenName }) => writtenName)),
  );
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !names.has(splitPairs(part)[0]?.name ?? ''));
  if (relation === 'first') return kept.join('&');
  const place = placeByCursor(relation, page, terms);
  if (place === undefined) return undefined;
  const [name, value] = [place.term.writtenName, toText(place.value)];
  return [...kept, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&');
}

const PLACES = ['cursor', 'cursor-before', 'page', 'offset', 'offset-from-1'] as const;

type OtherPage = Exclude<PageRelation, 'self' | 'first'>;

/** A parameter with the value that asks for a page. */
interface PagePlace {
  readonly term: CompiledParameter;
  readonly value: JsonValue;
}

function placeByCursor(to: OtherPage, page: Page, terms: CompiledQuery): PagePlace | undefined {
  const [cursorTerm] = terms.of('cursor');
  const [beforeTerm] = terms.of('cursor-before');
  if (cursorTerm === undefined && beforeTerm === undefined) return placeByOffset(to, page, terms);
  const term = to === 'previous' ? (beforeTerm ?? cursorTerm) : cursorTerm;
  const cursor = to === 'last' ? undefined : page[to];
  const value = term && cursor && cursorValues(cursor, term)[0];
  return term && value !== undefined ? { term, value } : undefined;
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
export function firstOffset(terms: CompiledQuery): 0 | 1 {
  return terms.of('offset-from-1').length > 0 ? 1 : 0;
}

/**
 * Returns the values that the parameter accepts for a cursor. A parameter for the page after a key
 * asks for no page before it.
 */
export function cursorValues(
  cursor: Cursor,
  term: CompiledParameter | undefined,
): readonly JsonValue[] {
  const key = readKey(cursor.seen);
  const isBackward = cursor.direction === 'before' && term?.role.kind === 'cursor';
  const candidates = isBackward ? [writeCursor(cursor)] : [writeCursor(cursor), key, toText(key)];
  const schema = term?.member === undefined ? term?.declared?.schema : undefined;
  return candidates.filter((one) => schema?.accepts(one) !== false);
}
