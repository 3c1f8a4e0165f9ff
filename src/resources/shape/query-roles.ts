import type { SchemaNode } from '../../schema/schema-node.ts';
import {
  COMPARISON_WORDS,
  type Comparison,
  type ListParameter,
  type ListQuery,
  type ListRole,
} from '../list/list-query.ts';
import type { OperationShape, ParameterShape } from './operation-shape.ts';
import { pageMember, pagingRole } from './paging-roles.ts';
import { plain, wordsOf } from './words.ts';

const NONE: ListQuery = Object.freeze({ parameters: Object.freeze([]) });

/**
 * Returns the roles of an operation's query parameters.
 *
 * @param item the schema of the list's items
 */
export function findListQuery(
  { parameters }: OperationShape,
  item: SchemaNode | undefined,
): ListQuery {
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  if (queries.length === 0) return NONE;
  const isRange = queries.some(({ name }) => /^(?:to|until|end)$/i.test(name));
  return {
    parameters: queries.flatMap((parameter) => {
      const roles = rolesOf(parameter, item);
      // With an end, `from` begins a time range and not a page.
      return isRange && /^(?:from|start)$/i.test(parameter.name)
        ? roles.flatMap((one) => (one.role.kind === 'offset' ? asSince(parameter.name, item) : one))
        : roles;
    }),
  };
}

function asSince(name: string, item: SchemaNode | undefined): readonly ListParameter[] {
  const role = bareRange('from', item);
  return role === undefined ? [] : [{ name, role, reason: reasonOf(role) }];
}

function rolesOf(
  parameter: ParameterShape,
  item: SchemaNode | undefined,
): readonly ListParameter[] {
  const { name, node, override } = parameter;
  if (override !== undefined) {
    const { role } = override;
    return role === undefined ? [] : [{ name, role, reason: 'an override says so' }];
  }
  const members = memberFilters(parameter, item);
  if (members.length > 0) return members;
  const property = findProperty(item, [name]);
  const isOwn = property !== undefined && !AMBIGUOUS.test(plain(name));
  const role = isOwn
    ? filter(property, 'equal')
    : (fieldsAsFilter(name, item) ?? pagingRole(name, node) ?? filterRole(name, item));
  if (role !== undefined) return [{ name, role, reason: reasonOf(role) }];
  if (property === undefined) return [];
  const equal = filter(property, 'equal');
  return [{ name, role: equal, reason: reasonOf(equal) }];
}

/** If resources have a `field`, `fields` filters by it. */
function fieldsAsFilter(name: string, item: SchemaNode | undefined): ListRole | undefined {
  return plain(name) === 'fields' ? plural(name, item) : undefined;
}

/** Names that ask for a page or an order, even if resources have such a property. */
const AMBIGUOUS =
  /^(?:limit|offset|page|sort|order|orderby|sortby|fields|cursor|q|search|perpage|pagesize)$/;

function memberFilters(
  { name, node, style }: ParameterShape,
  item: SchemaNode | undefined,
): readonly ListParameter[] {
  const isObject = style === 'deepObject' || node?.isObject === true;
  if (!isObject || node === undefined) return [];
  return [...node.names].flatMap((member): readonly ListParameter[] => {
    const paging = /^(?:page|paging|pagination)$/.test(plain(name))
      ? pageMember(member, node.property(member))
      : undefined;
    const comparison = COMPARISON_WORDS.get(member);
    const property = findProperty(item, [member]) ?? findProperty(item, member.split('.'));
    const own = findProperty(item, [name]);
    const role =
      paging ??
      (property !== undefined
        ? filter(property, 'equal')
        : own !== undefined && comparison !== undefined
          ? filter(own, comparison)
          : filterRole(member, item));
    return role === undefined ? [] : [{ name, member, role, reason: reasonOf(role) }];
  });
}

function reasonOf(role: ListRole): string {
  return role.kind === 'filter'
    ? `the items have a property ${role.property.join('.')}`
    : 'its name says so';
}

/** Returns the role of a name with a comparison: `minPrice`, `created_after`, `filter_name`. */
function filterRole(name: string, item: SchemaNode | undefined): ListRole | undefined {
  const bracketed = /^(?:filter|where|q)?\[?([^[\]]+)\](?:\[([^[\]]+)\])?$/.exec(name);
  if (bracketed !== null) return ofBrackets(name, bracketed, item);
  const words = wordsOf(name);
  if (words.length < 2) return bareRange(words[0] ?? '', item);
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
  return nested === undefined ? plural(name, item) : filter(nested, 'equal');
}

function ofBrackets(
  name: string,
  [, inner = '', outer]: RegExpExecArray,
  item: SchemaNode | undefined,
): ListRole | undefined {
  const owner = name.slice(0, name.indexOf('['));
  const page = /^page$/i.test(owner) ? pageMember(inner, undefined) : undefined;
  if (page !== undefined) return page;
  const comparison = COMPARISON_WORDS.get(outer ?? inner);
  const own = findProperty(item, [outer === undefined ? owner : inner]);
  if (own !== undefined && comparison !== undefined) return filter(own, comparison);
  const property = findProperty(item, [inner]) ?? findProperty(item, inner.split('.'));
  return property === undefined ? undefined : filter(property, 'equal');
}

/** `since` and `until` mean the time of creation. */
function bareRange(word: string, item: SchemaNode | undefined): ListRole | undefined {
  const comparison = /^(?:since|until|from|to|after|before)$/.test(word)
    ? COMPARISON_WORDS.get(word)
    : undefined;
  if (comparison === undefined) return undefined;
  const property = timeFor(['created'], item);
  return property === undefined ? undefined : filter(property, comparison);
}

/** `created_after` means `createdAt`. */
function timeFor(
  words: readonly string[],
  item: SchemaNode | undefined,
): readonly string[] | undefined {
  const stem = words.join('');
  const name = [...(item?.names ?? [])].find((one) => {
    const word = plain(one);
    const isTime = /^date/.test(String(item?.property(one)?.keyword('format') ?? ''));
    return (
      isTime &&
      (word === `${stem}at` ||
        word === `${stem}on` ||
        word === `${stem}date` ||
        word === `date${stem}`)
    );
  });
  return name === undefined ? undefined : [name];
}

/** `ids=1,2` and `statuses=…` mean `id` and `status`. */
function plural(name: string, item: SchemaNode | undefined): ListRole | undefined {
  if (!/s$/.test(name)) return undefined;
  const property =
    findProperty(item, [name.slice(0, -1)]) ?? findProperty(item, [name.slice(0, -2)]);
  return property === undefined ? undefined : filter(property, 'equal');
}

/** Returns the names that lead to a property, whatever the style of the name is. */
function findProperty(
  item: SchemaNode | undefined,
  path: readonly string[],
): readonly string[] | undefined {
  const [first = '', ...rest] = path;
  const name =
    item?.names.has(first) === true
      ? first
      : [...(item?.names ?? [])].find((one) => plain(one) === plain(first));
  if (name === undefined || first === '') return undefined;
  if (rest.length === 0) return [name];
  const inner = findProperty(item?.property(name), rest);
  return inner === undefined ? undefined : [name, ...inner];
}

function filter(property: readonly string[], comparison: Comparison): ListRole {
  return { kind: 'filter', property, comparison };
}
