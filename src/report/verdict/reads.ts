import { tryParseJson } from '../../base/json/parse.ts';
import { groupBy } from '../../base/remember.ts';
import { count } from '../../base/words.ts';
import type { Evidence } from '../../client/reports.ts';
import { splitOutsideQuotes } from '../../http/message.ts';
import { readQuery } from '../../http/query.ts';
import { readTarget } from '../../http/target.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { firstOf } from '../../resources/list/list-query.ts';
import type { EnvelopeRole, ListMeaning } from '../../resources/meaning.ts';
import { valueAt } from '../../resources/wrapping.ts';
import { isFailure } from '../attempts/logical-request.ts';
import { conclude, defineRule, type Material } from './rule.ts';

export const paginationEnds = defineRule({
  name: 'pagination-ends',
  definition:
    'No page of a list comes more often than its first page, and none comes after the one that the response calls the last.',
  source: 'RFC 8288 §3 and the relation "next"; Google AIP-158',
  thresholds: {},
  judge(material) {
    const lists = groupBy(listPages(material), ({ list }) => list);
    const walks = [...lists.values()].map((pages) => walk(pages, material));
    const evidence = walks.flatMap((one) => one.evidence);
    const ends = walks.reduce((sum, one) => sum + one.ends, 0);
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'page')} came again, or after the last`,
      keeps: ends > 0 && `the client stopped after ${count(ends, 'last page')}`,
      missing: 'no list was read to its last page',
    });
  },
});

/** Follows one list from page to page. */
function walk(pages: readonly PageView[], { cite, name }: Material) {
  const evidence: Evidence[] = [];
  const seen = new Map<string, number>();
  const links = new Set<string | undefined>();
  let begun = 0;
  let ends = 0;
  let last: PageView | undefined;
  for (const page of pages) {
    const { exchange, position, isLast, next } = page;
    const times = (seen.get(position) ?? 0) + 1;
    seen.set(position, times);
    if (position === '') begun++;
    else {
      const isLinked = links.has(normalTarget(exchange.request.target));
      const reason = findReason(times > Math.max(begun, 1), !isLinked && isBeyond(page, last));
      if (reason !== undefined) evidence.push(cite(`${name(exchange)} ${reason}`, [exchange]));
      if (isLast === true) ends++;
    }
    if (isLast === true) last = page;
    else if (position === '') last = undefined;
    links.add(next);
  }
  return { evidence, ends };
}

function findReason(isAgain: boolean, isBeyondLast: boolean): string | undefined {
  if (isAgain) return 'asks for the page again';
  return isBeyondLast ? 'comes after the last page' : undefined;
}

function isBeyond({ number }: PageView, last: PageView | undefined): boolean {
  if (last === undefined || number === undefined) return false;
  return last.position === '' || (last.number !== undefined && number > last.number);
}

export const followsLinks = defineRule({
  name: 'follows-links',
  definition:
    'After a page with a link to the next one, the further pages of the list are those that its responses link to.',
  source: 'RFC 8288 §3 and the relation "next"',
  thresholds: {},
  judge(material) {
    const pages = listPages(material);
    const lists = [...groupBy(pages, ({ list }) => list.replace(/\?.*/s, '')).values()];
    const further = lists.flatMap((list) => {
      const links = new Set<string>();
      return list.flatMap(({ exchange, position, next }) => {
        const target = normalTarget(exchange.request.target) ?? '';
        const judged =
          position === '' || links.size === 0 ? [] : [{ exchange, isLinked: links.has(target) }];
        if (next !== undefined) links.add(next);
        return judged;
      });
    });
    const evidence = further
      .filter(({ isLinked }) => !isLinked)
      .map(({ exchange }) => {
        const message = `${material.name(exchange)} asks for a page that no response links to`;
        return material.cite(message, [exchange]);
      });
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'page')} came without a link`,
      keeps: further.length > 0 && `${count(further.length, 'page')} came by the links`,
      missing: 'no page came after one with a link to the next',
    });
  },
});

export const conditional = defineRule({
  name: 'conditional',
  definition: 'A GET of a target whose last response had an ETag has If-None-Match.',
  source: 'RFC 9110 §13.1.2',
  isOptional: true,
  thresholds: {},
  judge({ exchanges, cite, name }) {
    const reads = exchanges.filter(({ request }) => request.method === 'GET');
    const pairs = [...groupBy(reads, ({ request }) => request.target).values()].flatMap(
      findRepeats,
    );
    const isConditional = ({ next }: Repeat): boolean =>
      next.request.fields.get('if-none-match') !== undefined;
    const evidence = pairs
      .filter((pair) => !isConditional(pair))
      .map(({ before, next }) => {
        const message = `${name(next)} does not send the ETag that #${before.number} has got`;
        return cite(message, [before, next]);
      });
    const number = pairs.length - evidence.length;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} did not send the known ETag`,
      keeps: number > 0 && `${count(number, 'request')} sent the known ETag`,
      missing: 'no target with an ETag was read twice',
    });
  },
});

interface Repeat {
  readonly before: KeptExchange;
  readonly next: KeptExchange;
}

function findRepeats(reads: readonly KeptExchange[]): readonly Repeat[] {
  let known: KeptExchange | undefined;
  return reads.flatMap((next) => {
    const before = known !== undefined && known.readyAt <= next.at ? known : undefined;
    if (!isFailure(next) && next.responseFields['etag'] !== undefined) known = next;
    return before === undefined ? [] : [{ before, next }];
  });
}

/** A page of a list that a client has got. */
interface PageView {
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
function listPages({ exchanges, list }: Material): readonly PageView[] {
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
function normalTarget(text: string): string | undefined {
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

const SIGNS = ['has-more', 'next-cursor', 'next-page', 'next-link', 'is-last'] as const;

/** Returns whether a response without a link to the next page is that of the last one. */
function findEnd(exchange: KeptExchange, meaning: ListMeaning): boolean | undefined {
  const declared = SIGNS.find((role) => meaning.envelope.parts.some((part) => part.role === role));
  if (declared === undefined)
    return exchange.responseFields['link'] === undefined ? undefined : true;
  const value = memberOf(exchange, meaning, declared);
  if (declared === 'is-last') return value === true;
  return value === undefined || value === null || value === false || value === '';
}

function memberOf({ responseBody }: KeptExchange, { envelope }: ListMeaning, role: EnvelopeRole) {
  const part = envelope.parts.find((one) => one.role === role);
  if (part === undefined || typeof responseBody !== 'string') return undefined;
  return valueAt(tryParseJson(responseBody), part.path);
}
