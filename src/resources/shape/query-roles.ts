import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ListParameter, ListQuery, ListRole } from '../list/list-query.ts';
import {
  bareRange,
  COMPARISONS,
  filter,
  filterRole,
  findProperty,
  plural,
} from './filter-roles.ts';
import type { OperationShape, ParameterShape } from './operation-shape.ts';
import { pageMember, pagingRole } from './paging-roles.ts';
import { plain } from './words.ts';

const NONE: ListQuery = Object.freeze({ parameters: Object.freeze([]) });

/**
 * What the query parameters of an operation ask of a list.
 *
 * @param item what the items of the list are like
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
      // Where there is an end as well, it is no page that begins there.
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
  const { name, view, override } = parameter;
  if (override !== undefined) {
    const { role } = override;
    return role === undefined ? [] : [{ name, role, reason: 'it was said so' }];
  }
  const members = memberFilters(parameter, item);
  if (members.length > 0) return members;
  const property = findProperty(item, [name]);
  const isOwn = property !== undefined && !AMBIGUOUS.test(plain(name));
  const role = isOwn
    ? filter(property, 'equal')
    : (fieldsAsFilter(name, item) ?? pagingRole(name, view) ?? filterRole(name, item));
  if (role !== undefined) return [{ name, role, reason: reasonOf(role) }];
  if (property === undefined) return [];
  const equal = filter(property, 'equal');
  return [{ name, role: equal, reason: reasonOf(equal) }];
}

/** Of things that have a `field`, `fields` asks for those of some. */
function fieldsAsFilter(name: string, item: SchemaNode | undefined): ListRole | undefined {
  return plain(name) === 'fields' ? plural(name, item) : undefined;
}

/** Names that ask for a page or an order, also where a thing has such a property. */
const AMBIGUOUS =
  /^(?:limit|offset|page|sort|order|orderby|sortby|fields|cursor|q|search|perpage|pagesize)$/;

function memberFilters(
  { name, view, style }: ParameterShape,
  item: SchemaNode | undefined,
): readonly ListParameter[] {
  const isObject = style === 'deepObject' || view?.isObject === true;
  if (!isObject || view === undefined) return [];
  return [...view.names].flatMap((member): readonly ListParameter[] => {
    const paging = /^(?:page|paging|pagination)$/.test(plain(name))
      ? pageMember(member, view.property(member))
      : undefined;
    const comparison = COMPARISONS.get(member);
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
