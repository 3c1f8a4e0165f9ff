import { groupBy } from '../../base/group-by.ts';
import type { Evidence } from '../../client/verdict.ts';
import { listPages, normalTarget, type PageView } from './pages.ts';
import { conclude, count, defineRule, type Material } from './rule.ts';

/** Reads each page of a list once, and stops after the last. */
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
