import { isNumber, readExactNumber } from '../../base/json/number.ts';
import { getMember, type JsonValue } from '../../base/json/value.ts';
import { groupBy } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import { nodeAt } from '../shape/wrapping.ts';
import { valueAt } from '../wrapping.ts';
import { createFilter, type Filter } from './filter.ts';
import type { ListParameter, ListQuery } from './list-query.ts';
import { readSearch } from './search.ts';
import { readSort, type SortOrder } from './sort.ts';

/** The resources on a page if neither request nor document gives a limit. */
const USUAL_LIMIT = 100;

type RoleKind = ListParameter['role']['kind'];

type Values = ReadonlyMap<string, JsonValue>;

export type CompiledQuery = ReturnType<typeof compileQuery>;

/** A query parameter with its role and the facts of its schema. */
export type CompiledParameter = ReturnType<typeof readTerm>;

/**
 * @param properties names of the properties that the list can be sorted by
 * @param mostItems the most items that the response may contain
 */
export function compileQuery(
  query: ListQuery,
  operation: Operation,
  nodes: SchemaNodes,
  properties: Iterable<string>,
  mostItems: number | undefined,
) {
  const terms = query.parameters.map((parameter) => readTerm(parameter, operation, nodes));
  const known = [...properties];
  const termsByRole = groupBy(terms, ({ role }) => role.kind);
  const of = (kind: RoleKind): readonly CompiledParameter[] => termsByRole.get(kind) ?? NO_TERMS;
  const isPaged = PAGING.some((kind) => of(kind).length > 0);
  const usual = usualLimit(of('limit'), isPaged, mostItems);
  const usualOrder = query.isNewestFirst === true ? 'desc' : undefined;
  const hasCursors = of('cursor').length > 0 || of('cursor-before').length > 0;
  const isSorted = of('sort').length > 0 || of('order').length > 0;
  const usualSort = readSort(undefined, usualOrder, known);
  const readFilters = (values: Values): readonly Filter[] => [
    ...of('filter').flatMap((term) => filterBy(term, values) ?? []),
    ...of('search').flatMap((term) => searchBy(term, values, known)),
  ];
  const isFiltered = of('filter').length > 0 || of('search').length > 0;
  // The members of a parameter, as `page[number]`, are read otherwise.
  const places = PLACES.flatMap(of).filter(({ name, writtenName }) => name === writtenName);
  return {
    /** The names that say in a query which part of a list is shown, and nothing else. */
    places: new Set(places.map(({ name }) => name)) as ReadonlySet<string>,
    /** Returns the parameters of one role, in the order of the document. */
    of,
    read: (values: Values): ListRequest => {
      const wantedOf = (kind: RoleKind) => firstOfTerms(of(kind), (term) => term.valueIn(values));
      const limit = atMost(countIn(wantedOf('limit')) ?? usual, mostItems);
      return {
        filters: isFiltered ? readFilters(values) : NO_FILTERS,
        sort: isSorted
          ? readSort(wantedOf('sort'), wantedOf('order') ?? usualOrder, known)
          : usualSort,
        limit,
        start: readStart(values, of, limit ?? 0),
        fields: wantedOf('fields'),
        hasCursors,
      };
    },
  };
}

const NO_TERMS: readonly CompiledParameter[] = [];
const NO_FILTERS: readonly Filter[] = [];

/** Returns the first value that a term has. */
function firstOfTerms<Value>(
  terms: readonly CompiledParameter[],
  read: (term: CompiledParameter) => Value | undefined,
): Value | undefined {
  for (const term of terms) {
    const value = read(term);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Parameters whose value is the number of a place, or of resources. */
const PLACES: readonly RoleKind[] = ['limit', 'offset', 'offset-from-1', 'page'];

/** Parameters with which a client can page; they limit the page even if none is sent. */
const PAGING: readonly RoleKind[] = ['limit', 'page', 'cursor', 'cursor-before'];

function readTerm(parameter: ListParameter, operation: Operation, nodes: SchemaNodes) {
  const { name, member = [] } = parameter;
  const declared = operation.parameters.find((one) => one.in === 'query' && one.name === name);
  const whole = nodes.at(declared?.schema?.pointer);
  const node = nodeAt(whole, member);
  const assumed = isNothing(node?.keyword('default')) ? undefined : node?.keyword('default');
  const givenIn = (values: Values): JsonValue | undefined => valueAt(values.get(name), member);
  return {
    ...parameter,
    declared,
    /** The name in a query: `page`, `page[number]`. */
    writtenName: [name, ...member.map((one) => `[${one}]`)].join(''),
    givenIn,
    /** Returns the value in a request, else the `default` of its schema. */
    valueIn: (values: Values) => givenIn(values) ?? assumed,
    maximum: countIn(node?.keyword('maximum')),
    /** True if its enum has `all`, which filters nothing. */
    hasAll: listsAll(node) || listsAll(node?.items),
  };
}

/** Some documents write as a text that there is no default, or that nothing is asked for. */
function isNothing(value: JsonValue | undefined): boolean {
  return value === null || /^(?:null|undefined|none|any|all|\*)?$/i.test(String(value));
}

function listsAll(node: SchemaNode | undefined): boolean {
  const list = node?.keyword('enum');
  return Array.isArray(list) && list.some((value) => isAll(value));
}

function isAll(value: JsonValue): boolean {
  return typeof value === 'string' && /^(?:all|any|\*)$/i.test(value);
}

function usualLimit(
  limits: readonly CompiledParameter[],
  isPaged: boolean,
  mostItems: number | undefined,
): number | undefined {
  if (!isPaged) return mostItems;
  const maximum = limits.find((term) => term.maximum !== undefined)?.maximum;
  return atMost(USUAL_LIMIT, maximum);
}

function atMost(count: number | undefined, most: number | undefined): number | undefined {
  if (count === undefined || most === undefined) return count ?? most;
  return Math.min(count, most);
}

function filterBy(term: CompiledParameter, values: Values): Filter | undefined {
  const { role } = term;
  const given = term.givenIn(values);
  const wanted = term.valueIn(values);
  if (role.kind !== 'filter' || wanted === undefined) return undefined;
  if (term.hasAll && [wanted].flat().some(isAll)) return undefined;
  const filter = createFilter(role.property, role.comparison, wanted);
  if (given !== undefined) return filter;
  // A default does not filter out resources without the property.
  const [first = ''] = role.property;
  return (scanned, position) =>
    (getMember(scanned.resource, first) ?? null) === null || filter(scanned, position);
}

function searchBy(term: CompiledParameter, values: Values, names: readonly string[]) {
  const wanted = term.valueIn(values);
  return wanted === undefined || wanted === '' ? [] : readSearch(wanted, names);
}

function readStart(values: Values, of: CompiledQuery['of'], limit: number): ListStart {
  const cursorOf = (kind: RoleKind) =>
    firstOfTerms(of(kind), (term) => cursorIn(term.valueIn(values)));
  const seen = cursorOf('cursor');
  if (seen !== undefined) return { kind: 'after', cursor: seen };
  const before = cursorOf('cursor-before');
  if (before !== undefined) return { kind: 'before', cursor: before };
  for (const { role, givenIn } of of('page')) {
    const page = countIn(givenIn(values));
    if (page === undefined || role.kind !== 'page') continue;
    const offset = Math.max(page - role.first, 0) * limit;
    return { kind: 'offset', offset: Math.min(offset, Number.MAX_SAFE_INTEGER) };
  }
  const offsetOf = (kind: 'offset' | 'offset-from-1') =>
    firstOfTerms(of(kind), (term) => countIn(term.valueIn(values)));
  const first = offsetOf('offset') ?? Math.max((offsetOf('offset-from-1') ?? 0) - 1, 0);
  return { kind: 'offset', offset: first };
}

function cursorIn(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' || isNumber(value) ? String(value) : undefined;
}

function countIn(value: JsonValue | undefined): number | undefined {
  const number =
    typeof value === 'string' && /^\d{1,30}$/.test(value) ? readExactNumber(value) : value;
  if (number === undefined || !isNumber(number)) return undefined;
  const count = Math.floor(Number(number));
  return count >= 0 ? Math.min(count, Number.MAX_SAFE_INTEGER) : undefined;
}

export interface ListRequest {
  readonly filters: readonly Filter[];
  readonly sort: SortOrder;
  readonly limit: number | undefined;
  readonly start: ListStart;
  readonly fields: JsonValue | undefined;
  /** True if clients page by cursors: then resources that sort alike are ordered by their keys. */
  readonly hasCursors: boolean;
}

/** Where a page begins or ends. */
export type ListStart =
  | { readonly kind: 'offset'; readonly offset: number }
  /** After or before a cursor that the mock sent, or a key that the client has seen. */
  | {
      readonly kind: 'after' | 'before';
      readonly cursor: string;
      /** Where a resource with this key was; the search begins there. */
      readonly hint?: number | undefined;
    };

/** Returns true if a page can be read without looking at other resources. */
export function isPlain({ filters, sort }: ListRequest): boolean {
  return filters.length === 0 && sort.keys.length === 0;
}
