import type { JsonValue } from '../../base/json/value.ts';

/** Members beside a list, each with the value that agrees with a first and only page of items. */
const agreements: readonly (readonly [names: string, value: (count: number) => JsonValue])[] = [
  [
    'total totalcount totalitems totalresults totalelements totalhits totalrecords',
    (count) => count,
  ],
  [
    'count itemcount resultcount resultscount numfound numberofelements recordcount',
    (count) => count,
  ],
  ['page pagenumber currentpage startindex', () => 1],
  ['perpage pagesize itemsperpage pagelimit limit maxresults', (count) => Math.max(count, 20)],
  ['totalpages pagecount pages lastpage', () => 1],
  ['offset skip startat pageindex', () => 0],
  ['islast islastpage last isfirst isfirstpage first', () => true],
  ['hasmore hasnext hasnextpage hasprevious haspreviouspage hasprevpage more', () => false],
  ['next nextpage nextcursor nextpagetoken nexturl nextlink previous prev', () => null],
  ['prevpage previouspage prevcursor previouscursor previousurl previouslink', () => null],
];

const valueByName = new Map(
  agreements.flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)),
);

/** @param name of a property beside a list, in lower case */
export function findAgreement(name: string): ((count: number) => JsonValue) | undefined {
  return valueByName.get(name);
}
