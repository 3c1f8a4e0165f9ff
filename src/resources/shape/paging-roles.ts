import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ListRole } from '../list/list-query.ts';
import { plain } from './words.ts';

/** Returns the role of `page[number]` and `page[size]`, as in JSON:API. */
export function pageMember(member: string, node: SchemaNode | undefined): ListRole | undefined {
  const name = member === 'number' ? 'page' : member === 'size' ? 'page_size' : member;
  return pagingRole(name, node);
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
export function pagingRole(name: string, node: SchemaNode | undefined): ListRole | undefined {
  const word = plain(name);
  const role = PAGING.find(([pattern]) => pattern.test(word))?.[1];
  return role === undefined || node === undefined ? role : asTyped(role, node);
}

/** Returns another role, or none, if the schema contradicts the name. */
function asTyped(role: ListRole, node: SchemaNode): ListRole | undefined {
  if (NUMERIC.has(role.kind)) {
    const isNumber = isNumeric(node) || node.types.size === 0 || isDigits(node);
    return isNumber ? ofFirst(role, node) : startCursor(role);
  }
  if (node.isObject || node.types.has('boolean')) return undefined;
  switch (role.kind) {
    case 'order':
      return order(node);
    case 'cursor':
    case 'cursor-before':
      return /^date/.test(String(node.keyword('format') ?? '')) ? undefined : role;
    case 'fields':
      return isNumeric(node) ? undefined : role;
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

function isDigits(node: SchemaNode): boolean {
  const example = node.keyword('example') ?? node.keyword('default');
  return typeof example === 'string' && /^\d+$/.test(example);
}

function ofFirst(role: ListRole, node: SchemaNode): ListRole {
  if (role.kind !== 'page') return role;
  const isZero = node.keyword('default') === 0 || node.keyword('minimum') === 0;
  return { kind: 'page', first: isZero && node.keyword('default') !== 1 ? 0 : 1 };
}

/** `order=asc` or `order=name`, depending on its values. */
function order(node: SchemaNode): ListRole {
  const values = [node.keyword('enum') ?? node.items?.keyword('enum') ?? []].flat();
  const isDirection =
    values.length === 0 || values.some((value) => /^-?(?:asc|desc)/i.test(String(value)));
  return { kind: isDirection ? 'order' : 'sort' };
}
