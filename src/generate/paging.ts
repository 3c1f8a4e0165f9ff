import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { plain } from '../base/words.ts';
import type { ObjectRules } from './space/part-rules.ts';
import type { Draft, Known } from './value-builder.ts';

/** Objects beside a list that have such members. */
const INFORMATION = /^(?:info|meta|metadata|page|pageinfo|pagination|paging)$/;

/** Makes the members of an envelope agree with its only list. */
export function agreeWithList(draft: Draft, object: JsonObject, known: Known): void {
  const { builder, constraints, wish } = draft;
  if (constraints.needsCheck || wish.isLeast) return;
  const { analysis } = builder;
  const list = onlyList(object);
  if (list === undefined) return;
  const agree = (owner: JsonObject, rules: ObjectRules): void => {
    for (const name of Object.keys(owner)) {
      const value = agreements.get(plain(name))?.(list.length);
      if (value === undefined || known.ofWhole.has(plain(name)) || !isScalar(owner[name])) continue;
      const member = rules.member(name);
      const { number } = analysis.suggestions(member, { name, parent: undefined });
      if (number.isMoney && isPriced(owner)) continue;
      if (analysis.evaluator.conforms(member, value)) owner[name] = value;
    }
  };
  const rules = analysis.objectRules(constraints);
  agree(object, rules);
  for (const [name, member] of Object.entries(object)) {
    if (!isJsonObject(member) || !INFORMATION.test(plain(name))) continue;
    const own = rules.member(name);
    if (own.unions.length === 0 && !own.needsCheck) agree(member, analysis.objectRules(own));
  }
}

/** Members beside a list, each with the value that agrees with a first and only page of items. */
const agreementsWithNames: readonly (readonly [
  names: string,
  value: (count: number) => JsonValue,
])[] = [
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

const agreements = new Map(
  agreementsWithNames.flatMap(([names, value]) =>
    names.split(' ').map((name) => [name, value] as const),
  ),
);

/** Returns true beside which a total is an amount of money, and not the count of a list. */
function isPriced(owner: JsonObject): boolean {
  return Object.keys(owner).some((name) => MONEY.test(plain(name)));
}

const MONEY = /(?:currency|subtotal|tax|discount|price|vat|shipping|amount)$/;

function onlyList(object: JsonObject): JsonValue[] | undefined {
  let only: JsonValue[] | undefined;
  for (const name in object) {
    const value = object[name];
    if (!Array.isArray(value)) continue;
    if (only !== undefined) return undefined;
    only = value;
  }
  return only;
}

function isScalar(value: JsonValue | undefined): boolean {
  return !Array.isArray(value) && !isJsonObject(value ?? null);
}
