import type { SchemaNode } from '../schema/schema-node.ts';
import { plain } from './shape/words.ts';

/** Members that stand around a resource or a list, and are no part of it. */
const DECORATION: ReadonlySet<string> = new Set(
  `meta metadata links pagination paging paginator page pages pageinfo info cursor cursors object
  type kind self href url uri success successful ok status statuscode message messages error errors
  code warnings requestid correlationid traceid apiversion version etag facets aggregations filter
  filters query sort order included jsonapi timestamp time generatedat took embedded response
  responsemetadata rate ratelimit i18n hint details title description links context id3 next prev
  previous first last more hasmore hasnext hasprevious hasnextpage haspreviouspage total count limit
  offset size perpage skip start startindex endindex totalcount totalitems totalpages totalresults
  totalelements totalsize totalrecords pagesize pagenumber pagecount itemcount itemsperpage
  numberofelements empty currentpage lastpage nextpage prevpage previouspage nextcursor
  previouscursor prevcursor nextpagetoken previouspagetoken nextmarker marker nexttoken
  continuationtoken nexturl nextpageurl nextlink previouslink resultcount from to after before
  truncated istruncated firstid lastid datakey resultsize resultcode`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export function isDecoration(name: string): boolean {
  const word = plain(name);
  return DECORATION.has(word) || /^(?:has|total|next|prev)/.test(word) || name.startsWith('@');
}

/** @returns true where nothing stands beside these members but decoration, and no key among it */
export function standsAlone(view: SchemaNode, members: readonly string[]): boolean {
  return [...view.names].every((name) => members.includes(name) || isDecoration(name));
}
