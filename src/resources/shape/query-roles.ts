import { plain, wordsOf } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { operatorOf } from '../list/filter.ts';
import {
  COMPARISON_WORDS,
  type Comparison,
  type ListParameter,
  type ListQuery,
  type ListRole,
} from '../list/list-query.ts';
import type { MemberPath } from '../meaning.ts';
import { inputsOf, type OperationShape } from './operation-shape.ts';
import type { ParameterShape } from './parameter-shape.ts';
import { namesItemOf, namesOf } from './words.ts';
import { nodeAt } from './wrapping.ts';

/** The schema of the list's items, if it is known. */
type Item = SchemaNode | undefined;

/** Returns the roles of an operation's query parameters, and of the members of its body. */
export function findListQuery(shape: OperationShape, item: Item): ListQuery {
  const queries = inputsOf(shape);
  const isRange = queries.some(({ name }) => /^(?:to|until|end)$/i.test(name));
  return {
    parameters: queries.flatMap((parameter) => {
      const roles = rolesOf(parameter, item, queries);
      if (isOfScim(parameter, queries)) return withRole(parameter.name, { kind: 'offset-from-1' });
      // With an end, `from` begins a time range and not a page.
      if (!isRange || !/^(?:from|start)$/i.test(parameter.name)) return roles;
      return roles.flatMap((one) =>
        one.role.kind === 'offset' || one.role.kind === 'cursor'
          ? withRole(one.name, bareRange('from', item))
          : one,
      );
    }),
  };
}

/** SCIM counts from 1, and says so in no schema (RFC 7644 §3.4.2.4). */
function isOfScim({ name, node, override }: ParameterShape, queries: readonly ParameterShape[]) {
  const isUnsaid = override === undefined && node?.keyword('default') !== 0;
  return isUnsaid && plain(name) === 'startindex' && queries.some((one) => one.name === 'count');
}

/**
 * Returns true for a number beside an offset or a page, if no other parameter can be the size of a
 * page: `count` beside `startIndex`.
 */
function isPaged({ name }: ParameterShape, queries: readonly ParameterShape[]): boolean {
  const others = queries.filter((one) => one.name !== name).map((one) => plain(one.name));
  const isLimited = others.some((word) => PAGING.limit.test(word));
  return !isLimited && others.some((word) => PAGING.offset.test(word) || PAGING.page.test(word));
}

function rolesOf(
  parameter: ParameterShape,
  item: Item,
  queries: readonly ParameterShape[],
): readonly ListParameter[] {
  const { name, node, override } = parameter;
  if (override !== undefined) {
    const { role } = override;
    return role === undefined ? [] : [{ name, role, reason: 'an override says so' }];
  }
  const members = memberFilters(parameter, item);
  if (members.length > 0) return members;
  const property = findProperty(item, [name]);
  const equal = filter(property, 'equal');
  const word = plain(name);
  const isAmbiguous = (): boolean =>
    AMBIGUOUS.test(word) || (PAGING.limit.test(word) && isPaged(parameter, queries));
  if (equal !== undefined && !isAmbiguous()) return withRole(name, equal);
  // If resources have a `field`, `fields` filters by it.
  const own = word === 'fields' ? plural(name, item) : undefined;
  const role = own ?? selectorRole(parameter, item) ?? pagingRole(name, node);
  return withRole(name, role ?? filterRole(name, item) ?? equal ?? listedRole(parameter, item));
}

/** Returns the role of one item of a list: `tag`, `tagId` and `tag_name` for `tags`. */
function listedRole({ name, node }: ParameterShape, item: Item): ListRole | undefined {
  // What a request leaves out, or only says yes to, names no item.
  if (node?.types.has('boolean') || node?.keyword('default') !== undefined) return undefined;
  const words = wordsOf(name);
  const one = words.length > 1 && words.at(-1) === 'name' ? words.slice(0, -1).join('') : name;
  const list = [...(item?.names ?? [])].find(
    (each) => item?.property(each)?.isArray === true && namesItemOf(each, one),
  );
  return filter(list === undefined ? undefined : [list], 'equal');
}

function withRole(name: string, role: ListRole | undefined, member?: MemberPath): ListParameter[] {
  if (role === undefined) return [];
  const isFilter = role.kind === 'filter';
  const reason = isFilter
    ? `the items have ${role.property.length === 0 ? 'such members' : `a property ${role.property.join('.')}`}`
    : 'its name says so';
  return [{ name, member, role, reason }];
}

/** `labelSelector=app=web` selects by labels, `fieldSelector=spec.host=a` by all members. */
function selectorRole({ name, node }: ParameterShape, item: Item): ListRole | undefined {
  if (node?.types.has('string') !== true) return undefined;
  const word = plain(name);
  if (/^fields?selector$/.test(word))
    return { kind: 'filter', property: [], comparison: 'selects' };
  if (!/^(?:labels?)?selector$/.test(word)) return undefined;
  const labels = findProperty(item, ['labels']) ?? findProperty(item, ['metadata', 'labels']);
  return filter(labels, 'selects');
}

/** Names that ask for a page or an order, even if resources have such a property. */
const AMBIGUOUS =
  /^(?:limit|offset|page|sort|order|orderby|sortby|fields|cursor|q|search|perpage|pagesize)$/;

function memberFilters({ name, node, style }: ParameterShape, item: Item) {
  const isObject = style === 'deepObject' || node?.isObject === true;
  return isObject && node !== undefined ? rolesInside(node, [name], item) : [];
}

/** Returns the roles of members: `filter[name]`, `{"query": {"filter": {"name": {"exact": …}}}}`. */
function rolesInside(node: SchemaNode, path: MemberPath, item: Item): readonly ListParameter[] {
  const [name = '', ...outer] = path;
  const owner = path.at(-1) ?? '';
  return [...node.names].flatMap((member): readonly ListParameter[] => {
    const inner = node.property(member);
    const property = findProperty(item, [member]) ?? findProperty(item, member.split('.'));
    if (inner?.isObject && inner.names.size > 0) {
      const within = [...outer, member];
      if (property !== undefined && isSingle(nodeAt(item, property)))
        return comparisonsIn(inner, property, { name, within });
      if (property === undefined && CLAUSE.test(plain(member)) && outer.length < DEEPEST)
        return rolesInside(inner, [...path, member], item);
    }
    const role =
      partOfPaging(owner, member, inner) ??
      filter(property, 'equal') ??
      filter(findProperty(item, [owner]), COMPARISON_WORDS.get(member)) ??
      filterRole(member, item);
    return withRole(name, role, [...outer, member]);
  });
}

/** Members that contain conditions: `query`, `filter`, `state_filter`. */
const CLAUSE = /^(?:query|where|criteria|conditions?|sort)$|filters?$/;

const DEEPEST = 4;

/** Returns true for a value that is no object, and for a list of those. */
function isSingle(node: SchemaNode | undefined): boolean {
  return node?.isObject !== true && node?.items?.isObject !== true;
}

/** `{"exact": "a@b.org"}`, `{"start_at": …, "end_at": …}` of one property. */
function comparisonsIn(
  { names }: SchemaNode,
  property: MemberPath,
  { name, within }: { readonly name: string; readonly within: MemberPath },
) {
  return [...names].flatMap((member) => {
    const role = filter(property, operatorOf(member) ?? CONDITIONS.get(plain(member)));
    return withRole(name, role, [...within, member]);
  });
}

const CONDITIONS: ReadonlyMap<string, Comparison> = new Map([
  ...(['exact', 'equals', 'any'] as const).map((word) => [word, 'equal'] as const),
  ['none', 'not-equal'],
  ['fuzzy', 'contains'],
  ...(['start', 'startat'] as const).map((word) => [word, 'at-least'] as const),
  ...(['end', 'endat'] as const).map((word) => [word, 'at-most'] as const),
]);

/** `page[size]`, as in JSON:API, and `{"sort": {"field": …, "order": …}}`. */
function partOfPaging(owner: string, member: string, node: SchemaNode | undefined) {
  if (/^(?:page|paging|pagination)$/.test(plain(owner))) return pageMember(member, node);
  if (plain(owner) !== 'sort') return undefined;
  const found = [`sort_${member}`, member].map((name) => pagingRole(name, node));
  return found.find((role) => role?.kind === 'sort' || role?.kind === 'order');
}

/** Returns the role of a name with a comparison: `minPrice`, `created_after`, `filter_name`. */
function filterRole(name: string, item: Item): ListRole | undefined {
  const bracketed = /^(?:filter|where|q)?\[?([^[\]]+)\](?:\[([^[\]]+)\])?$/.exec(name);
  if (bracketed !== null) return ofBrackets(name, bracketed, item);
  const words = wordsOf(name);
  if (words.length < 2) return roleOfWord(words[0] ?? '', item);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const ending = last === 'with' && words.at(-2) === 'starts' ? 2 : 1;
  const byEnding = COMPARISON_WORDS.get(ending === 2 ? 'startswith' : last);
  const beforeEnding =
    findProperty(item, [words.slice(0, -ending).join('')]) ??
    timeFor(words.slice(0, -ending), item);
  if (byEnding !== undefined && beforeEnding !== undefined) return filter(beforeEnding, byEnding);
  const byStart = first === 'filter' || first === 'by' ? 'equal' : COMPARISON_WORDS.get(first);
  const afterStart = findProperty(item, [words.slice(1).join('')]);
  if (byStart !== undefined && afterStart !== undefined) return filter(afterStart, byStart);
  const nested = words.length === 2 ? findProperty(item, [first, last]) : undefined;
  return filter(nested, 'equal') ?? plural(name, item);
}

function ofBrackets(name: string, [, inner = '', outer]: RegExpExecArray, item: Item) {
  const owner = name.slice(0, name.indexOf('['));
  const page = /^page$/i.test(owner) ? pageMember(inner) : undefined;
  if (page !== undefined) return page;
  const comparison = COMPARISON_WORDS.get(outer ?? inner);
  const own = findProperty(item, [outer === undefined ? owner : inner]);
  const property = findProperty(item, [inner]) ?? findProperty(item, inner.split('.'));
  return filter(own, comparison) ?? filter(property, 'equal');
}

function roleOfWord(word: string, item: Item): ListRole | undefined {
  return bareRange(word, item) ?? plural(word, item);
}

/** `since` means the time of creation, and `from` that of the beginning where resources have one. */
function bareRange(word: string, item: Item): ListRole | undefined {
  const isRange = /^(?:since|until|from|to|after|before)$/.test(word);
  const comparison = isRange ? COMPARISON_WORDS.get(word) : undefined;
  if (comparison === undefined) return undefined;
  const stems = [...(/^(?:from|to)$/.test(word) ? BEGINNINGS : []), 'created'];
  const property = stems.map((stem) => timeFor([stem], item)).find((path) => path !== undefined);
  return filter(property, comparison);
}

/** Stems of the times at which something planned begins. */
const BEGINNINGS = ['starts', 'start', 'begins', 'begin', 'scheduled', 'departure'];

/** `created_after` means `createdAt`. */
function timeFor(words: readonly string[], item: Item): MemberPath | undefined {
  const stem = words.join('');
  const wanted = [...['at', 'on', 'date', 'time'].map((end) => stem + end), `date${stem}`];
  if (item?.styled.first(wanted) === undefined) return undefined;
  const name = [...item.names].find(
    (one) =>
      wanted.includes(plain(one)) &&
      /^date/.test(String(item.property(one)?.keyword('format') ?? '')),
  );
  return name === undefined ? undefined : [name];
}

/** `ids=1,2` and `statuses=…` mean `id` and `status`. */
function plural(name: string, item: Item): ListRole | undefined {
  if (!name.endsWith('s')) return undefined;
  const [one, other] = [name.slice(0, -1), name.slice(0, -2)];
  return filter(findProperty(item, [one]) ?? findProperty(item, [other]), 'equal');
}

/** Returns the names that lead to a property, whatever the style of the name is. */
function findProperty(item: Item, path: MemberPath): MemberPath | undefined {
  const [first = '', ...rest] = path;
  if (item === undefined || first === '') return undefined;
  const name = item.names.has(first) ? first : item.nameLike(first);
  if (name === undefined) return undefined;
  if (rest.length === 0) return [name];
  const inner = findProperty(item.property(name), rest);
  return inner === undefined ? undefined : [name, ...inner];
}

function filter(
  property: MemberPath | undefined,
  comparison: Comparison | undefined,
): ListRole | undefined {
  return property && comparison && { kind: 'filter', property, comparison };
}

/** Returns the role of `page[number]` and `page[size]`, as in JSON:API. */
function pageMember(member: string, node?: SchemaNode): ListRole | undefined {
  const name = member === 'number' ? 'page' : member === 'size' ? 'page_size' : member;
  return pagingRole(name, node);
}

const PAGING = {
  limit:
    /^(?:(?:page|max|batch)?(?:limit|size)|perpage|page(?:size|len(?:gth)?)|count|maxresults?|maxitems|first|last|top|take|itemsperpage|resultsperpage|pagelimit|numresults)$/,
  offset: /^(?:offset|skip|start|startindex|startat|from|pageoffset)$/,
  page: /^(?:page|pagenumber|pageno|pageindex|pagenum|currentpage|p)$/,
  cursor:
    /^(?:cursor|iterator|after|startingafter|marker|pagetoken|nexttoken|nextpagetoken|continuationtoken|afterid|nextcursor|pagecursor|startafter|aftercursor|sinceid|continue)$/,
  'cursor-before': /^(?:before|endingbefore|beforeid|prevcursor|previouscursor|beforecursor)$/,
  sort: /^(?:sort|sortby|orderby|sorting|sortfield|ordering|sortkey|sortcolumn)$/,
  order: /^(?:order|direction|dir|sortorder|sortdirection|sortdir|orderdirection|sorttype)$/,
  fields: /^(?:fields?|select|include(?:fields)?|only|attributes|properties|projection)$/,
  search: /^(?:q|search|query|keyword|keywords|searchtext|searchterm|text|term|filtertext)$/,
} satisfies Record<Exclude<ListRole['kind'], 'filter' | 'offset-from-1'>, RegExp>;

type PagingKind = keyof typeof PAGING;

/** Returns the role that a parameter's name suggests, whatever the resources are. */
function pagingRole(name: string, node: SchemaNode | undefined): ListRole | undefined {
  const word = plain(name);
  const kind = namesOf(PAGING).find((one) => PAGING[one].test(word));
  const role = kind && roleOf(kind, node);
  return role?.kind === 'offset' && startsAtOne(word, node) ? { kind: 'offset-from-1' } : role;
}

/** True for `startIndex` of SCIM, and for a number that the schema begins with 1. */
function startsAtOne(word: string, node: SchemaNode | undefined): boolean {
  const first = node?.keyword('default') ?? node?.keyword('minimum');
  return /^start/.test(word) && first === 1;
}

/** Returns another role, or none, if the schema contradicts the name. */
function roleOf(kind: PagingKind, node: SchemaNode | undefined): ListRole | undefined {
  if (node === undefined) return kind === 'page' ? { kind, first: 1 } : { kind };
  const isDate = /^date/.test(String(node.keyword('format') ?? ''));
  if (isDate && /^(?:cursor|offset)/.test(kind)) return undefined;
  if (kind === 'limit' || kind === 'offset' || kind === 'page') return numericRole(kind, node);
  if (node.isObject || node.types.has('boolean')) return undefined;
  if (kind === 'fields' && isNumeric(node)) return undefined;
  return { kind: kind === 'order' ? kindOfOrder(node) : kind };
}

function numericRole(kind: 'limit' | 'offset' | 'page', node: SchemaNode): ListRole | undefined {
  const isNumber = isNumeric(node) || node.types.size === 0 || isDigits(node);
  // A string that says where to start is a cursor.
  if (!isNumber) return kind === 'limit' ? undefined : { kind: 'cursor' };
  return kind === 'page' ? { kind, first: firstPage(node) } : { kind };
}

function isNumeric({ types }: SchemaNode): boolean {
  return types.has('integer') || types.has('number');
}

function isDigits(node: SchemaNode): boolean {
  const example = node.keyword('example') ?? node.keyword('default');
  return typeof example === 'string' && /^\d+$/.test(example);
}

function firstPage(node: SchemaNode): 0 | 1 {
  const isZero = node.keyword('default') === 0 || node.keyword('minimum') === 0;
  return isZero && node.keyword('default') !== 1 ? 0 : 1;
}

/** `order=asc` or `order=name`, depending on its values. */
function kindOfOrder(node: SchemaNode): 'order' | 'sort' {
  const values = [node.keyword('enum') ?? node.items?.keyword('enum') ?? []].flat();
  const isDirection = values.some((value) => /^-?(?:asc|desc)/i.test(String(value)));
  return isDirection || values.length === 0 ? 'order' : 'sort';
}
