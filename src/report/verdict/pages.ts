import { tryParseJson } from '../../base/json/parse.ts';
import { readQuery } from '../../http/query.ts';
import { splitOutsideQuotes } from '../../http/split.ts';
import { readTarget } from '../../http/target.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { firstOf } from '../../resources/list/list-query.ts';
import type { EnvelopeRole, ListMeaning } from '../../resources/meaning.ts';
import { valueAt } from '../../resources/wrapping.ts';
import { isFailure } from '../attempts/logical-request.ts';
import type { Material } from './rule.ts';

/** A page of a list that a client has got. */
export interface PageView {
  readonly exchange: KeptExchange;
  /** Equal for all pages of one list: path and query without what selects the page. */
  readonly list: string;
  /** What selects the page; empty for the first one. */
  readonly position: string;
  /** The number in the position; undefined for a cursor. */
  readonly number: number | undefined;
  /** The target of the next page, in normal form; undefined where the response has no link to it. */
  readonly next: string | undefined;
  /** Undefined where the response does not say it. */
  readonly isLast: boolean | undefined;
}

const POSITION: ReadonlySet<string> = new Set([
  'page',
  'offset',
  'offset-from-1',
  'cursor',
  'cursor-before',
]);

/** Returns the pages that a client has got, list by list, in their order. */
export function listPages({ exchanges, list }: Material): readonly PageView[] {
  return exchanges.flatMap((exchange) => {
    const meaning = isFailure(exchange) ? undefined : list(exchange);
    const page = meaning && readPage(exchange, meaning);
    return page === undefined ? [] : [page];
  });
}

function readPage(exchange: KeptExchange, meaning: ListMeaning): PageView | undefined {
  const target = readTarget(exchange.request.target);
  const roles = new Map(meaning.query.parameters.map(({ name, role }) => [name, role] as const));
  if (target === undefined) return undefined;
  const isPosition = (name: string): boolean => POSITION.has(roles.get(name)?.kind ?? '');
  if (![...roles.keys()].some(isPosition)) return undefined;
  const pairs = readQuery(target.query);
  const selecting = pairs.filter(([name]) => isPosition(name));
  const others = pairs.filter(([name]) => !isPosition(name));
  const isFirst = selecting.every(([name, value]) => {
    const role = roles.get(name);
    return value === '' || (role !== undefined && Number(value) <= (firstOf(role) ?? Number.NaN));
  });
  const [[, value = ''] = []] = selecting;
  const next = findNext(exchange, meaning);
  return {
    exchange,
    list: toNormal(target.path, others),
    position: isFirst ? '' : toNormal('', selecting),
    number: /^\d+$/.test(value) ? Number(value) : undefined,
    next,
    isLast: next === undefined ? findEnd(exchange, meaning) : false,
  };
}

/** Returns path and query with the parameters in a fixed order. */
function toNormal(path: string, pairs: readonly (readonly [string, string])[]): string {
  const sorted = pairs.map(([name, value]) => `${name}=${value}`).sort();
  return `${path}?${sorted.join('&')}`;
}

/** Returns the target of a request or a link in the form that links and requests share. */
export function normalTarget(text: string): string | undefined {
  const target = readTarget(text);
  if (target === undefined) return undefined;
  const path = target.path.replace(/^\/__session\/[^/]+/, '');
  return toNormal(path, readQuery(target.query));
}

function findNext(exchange: KeptExchange, meaning: ListMeaning): string | undefined {
  const field = splitOutsideQuotes(exchange.responseFields['link'] ?? '', ',').find((link) =>
    /;\s*rel="?(?:[^"]*\s)?next(?:\s|"|;|$)/i.test(link),
  );
  const [, linked] = /<([^>]*)>/.exec(field ?? '') ?? [];
  const link = linked ?? memberOf(exchange, meaning, 'next-link');
  return typeof link === 'string' && link !== '' ? normalTarget(link) : undefined;
}

const SIGNS = ['has-more', 'next-cursor', 'next-page', 'next-link'] as const;

/** Returns whether a response without a link to the next page is that of the last one. */
function findEnd(exchange: KeptExchange, meaning: ListMeaning): boolean | undefined {
  const declared = SIGNS.find((role) => meaning.envelope.parts.some((part) => part.role === role));
  if (declared === undefined)
    return exchange.responseFields['link'] === undefined ? undefined : true;
  const value = memberOf(exchange, meaning, declared);
  return value === undefined || value === null || value === false || value === '';
}

function memberOf({ responseBody }: KeptExchange, { envelope }: ListMeaning, role: EnvelopeRole) {
  const part = envelope.parts.find((one) => one.role === role);
  if (part === undefined || typeof responseBody !== 'string') return undefined;
  return valueAt(tryParseJson(responseBody), part.path);
}
