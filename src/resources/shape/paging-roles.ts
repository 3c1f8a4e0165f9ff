import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ListRole } from '../list/list-query.ts';
import { plain } from './words.ts';

/** Returns the role of `page[number]` and `page[size]`, as in JSON:API. */
export function pageMember(member: string, view: SchemaNode | undefined): ListRole | undefined {
  const name = member === 'number' ? 'page' : member === 'size' ? 'page_size' : member;
  return pagingRole(name, view);
}

const PAGING: readonly (readonly [RegExp, ListRole])[] = [
  [
    /^(?:(?:page|max|batch)?(?:limit|size)|perpage|pagesize|count|maxresults?|maxitems|first|last|top|take|itemsperpage|resultsperpage|pagelimit|numresults)$/,
    { kind: 'limit' },
  ],
  [/^(?:offset|skip|start|startindex|startat|from|pageoffset)$/, { kind: 'offset' }],
  [/^(?:page|pagenumber|pageno|pageindex|pagenum|currentpage|p)$/, { kind: 'page', first: 1 }],
  [
    /^(?:cursor|after|startingafter|marker|pagetoken|nexttoken|nextpagetoken|continuationtoken|afterid|nextcursor|pagecursor|startafter|aftercursor|sinceid)$/,
    { kind: 'cursor' },
  ],
  [
    /^(?:before|endingbefore|beforeid|prevcursor|previouscursor|beforecursor)$/,
    { kind: 'cursor-before' },
  ],
  [/^(?:sort|sortby|orderby|sorting|sortfield|ordering|sortkey|sortcolumn)$/, { kind: 'sort' }],
  [
    /^(?:order|direction|dir|sortorder|sortdirection|sortdir|orderdirection|sorttype)$/,
    { kind: 'order' },
  ],
  [
    /^(?:fields?|select|include(?:fields)?|only|attributes|properties|projection)$/,
    { kind: 'fields' },
  ],
  [
    /^(?:q|search|query|keyword|keywords|searchtext|searchterm|text|term|filtertext)$/,
    { kind: 'search' },
  ],
];

const NUMERIC = new Set(['limit', 'offset', 'page']);

/** Returns the role that a parameter's name suggests, whatever the resources are. */
export function pagingRole(name: string, view: SchemaNode | undefined): ListRole | undefined {
  const word = plain(name);
  const role = PAGING.find(([pattern]) => pattern.test(word))?.[1];
  return role === undefined || view === undefined ? role : asTyped(role, view);
}

/** Returns another role, or none, if the schema contradicts the name. */
function asTyped(role: ListRole, view: SchemaNode): ListRole | undefined {
  if (NUMERIC.has(role.kind)) {
    const isNumber = isNumeric(view) || view.types.size === 0 || isDigits(view);
    return isNumber ? ofFirst(role, view) : startCursor(role);
  }
  if (view.isObject || view.types.has('boolean')) return undefined;
  switch (role.kind) {
    case 'order':
      return order(view);
    case 'cursor':
    case 'cursor-before':
      return /^date/.test(String(view.said('format') ?? '')) ? undefined : role;
    case 'fields':
      return isNumeric(view) ? undefined : role;
    default:
      return role;
  }
}

function isNumeric({ types }: SchemaNode): boolean {
  return types.has('integer') || types.has('number');
}

/** A string that says where to start is a cursor. */
function startCursor(role: ListRole): ListRole | undefined {
  return role.kind === 'offset' || role.kind === 'page' ? { kind: 'cursor' } : undefined;
}

function isDigits(view: SchemaNode): boolean {
  const example = view.said('example') ?? view.said('default');
  return typeof example === 'string' && /^\d+$/.test(example);
}

function ofFirst(role: ListRole, view: SchemaNode): ListRole {
  if (role.kind !== 'page') return role;
  const isZero = view.said('default') === 0 || view.said('minimum') === 0;
  return { kind: 'page', first: isZero && view.said('default') !== 1 ? 0 : 1 };
}

/** `order=asc` or `order=name`, depending on its values. */
function order(view: SchemaNode): ListRole {
  const values = [view.said('enum') ?? view.items?.said('enum') ?? []].flat();
  const isDirection =
    values.length === 0 || values.some((value) => /^-?(?:asc|desc)/i.test(String(value)));
  return { kind: isDirection ? 'order' : 'sort' };
}
