import { groupBy } from '../../base/remember.ts';
import { count } from '../../base/words.ts';
import type { Evidence } from '../../client/reports.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { isFailure } from '../attempts/logical-request.ts';
import { listPages, normalTarget, type PageView } from './pages.ts';
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
