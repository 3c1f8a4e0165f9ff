import { groupBy } from '../../base/group-by.ts';
import type { Evidence } from '../../client/verdict.ts';
import { listPages, type PageView } from './pages.ts';
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
      keeps: ends === 0 ? undefined : `the client stopped after ${count(ends, 'last page')}`,
      missing: 'no list was read to its last page',
    });
  },
});

/** Follows one list from page to page. */
function walk(pages: readonly PageView[], { cite, name }: Material) {
  const evidence: Evidence[] = [];
  const seen = new Map<string, number>();
  let begun = 0;
  let ends = 0;
  let last: PageView | undefined;
  for (const page of pages) {
    const { exchange, position } = page;
    if (position === '') {
      begun++;
      last = undefined;
    } else {
      const times = (seen.get(position) ?? 0) + 1;
      seen.set(position, times);
      if (times > Math.max(begun, 1))
        evidence.push(cite(`${name(exchange)} asks for the page again`, [exchange]));
      else if (isBeyond(page, last)) {
        evidence.push(cite(`${name(exchange)} comes after the last page`, [exchange]));
      }
      if (page.isLast === true) ends++;
    }
    if (page.isLast === true) last = page;
  }
  return { evidence, ends };
}

function isBeyond({ number }: PageView, last: PageView | undefined): boolean {
  if (last === undefined || number === undefined) return false;
  return last.position === '' || (last.number !== undefined && number > last.number);
}
