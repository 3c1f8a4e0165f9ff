import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Comparison, ListRole } from '../list/list-query.ts';
import { pageMember } from './paging-roles.ts';
import { plain, wordsOf } from './words.ts';

/** Words for comparisons, before a property's name, behind it, or in brackets. */
export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
    eq: 'equal',
    ne: 'not-equal',
    not: 'not-equal',
    gt: 'greater',
    gte: 'at-least',
    ge: 'at-least',
    lt: 'less',
    lte: 'at-most',
    le: 'at-most',
    min: 'at-least',
    max: 'at-most',
    from: 'at-least',
    to: 'at-most',
    since: 'at-least',
    until: 'at-most',
    after: 'greater',
    before: 'less',
    contains: 'contains',
    like: 'contains',
    in: 'equal',
    startswith: 'starts-with',
    prefix: 'starts-with',
  } as const),
);

/** Prefixes and endings of a property's name: `minPrice`, `created_after`, `filter_name`. */
export function filterRole(name: string, item: SchemaNode | undefined): ListRole | undefined {
  const bracketed = /^(?:filter|where|q)?\[?([^[\]]+)\](?:\[([^[\]]+)\])?$/.exec(name);
  if (bracketed !== null) return ofBrackets(name, bracketed, item);
  const words = wordsOf(name);
  if (words.length < 2) return bareRange(words[0] ?? '', item);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const ending = last === 'with' && words.at(-2) === 'starts' ? 2 : 1;
  const byEnding = COMPARISONS.get(ending === 2 ? 'startswith' : last);
  const beforeEnding =
    findProperty(item, [words.slice(0, -ending).join('')]) ??
    timeFor(words.slice(0, -ending), item);
  if (byEnding !== undefined && beforeEnding !== undefined) return filter(beforeEnding, byEnding);
  const byStart = first === 'filter' || first === 'by' ? 'equal' : COMPARISONS.get(first);
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
  const comparison = COMPARISONS.get(outer ?? inner);
  const own = findProperty(item, [outer === undefined ? owner : inner]);
  if (own !== undefined && comparison !== undefined) return filter(own, comparison);
  const property = findProperty(item, [inner]) ?? findProperty(item, inner.split('.'));
  return property === undefined ? undefined : filter(property, 'equal');
}

/** `since` and `until` are of the moment of creation, or of the only date that there is. */
export function bareRange(word: string, item: SchemaNode | undefined): ListRole | undefined {
  const comparison = /^(?:since|until|from|to|after|before)$/.test(word)
    ? COMPARISONS.get(word)
    : undefined;
  if (comparison === undefined) return undefined;
  const property = timeFor(['created'], item);
  return property === undefined ? undefined : filter(property, comparison);
}

/** `created_after` is of `createdAt`; `startDate` of `date`, where it is the only one. */
function timeFor(
  words: readonly string[],
  item: SchemaNode | undefined,
): readonly string[] | undefined {
  const stem = words.join('');
  const name = [...(item?.names ?? [])].find((one) => {
    const word = plain(one);
    const isTime = /^date/.test(String(item?.property(one)?.said('format') ?? ''));
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

/** `ids=1,2` and `statuses=…` are of `id` and `status`. */
export function plural(name: string, item: SchemaNode | undefined): ListRole | undefined {
  if (!/s$/.test(name)) return undefined;
  const property =
    findProperty(item, [name.slice(0, -1)]) ?? findProperty(item, [name.slice(0, -2)]);
  return property === undefined ? undefined : filter(property, 'equal');
}

/** @returns the names of a property that a path of names means, in whatever style */
export function findProperty(
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

/** @returns the role of a parameter that selects by a property */
export function filter(property: readonly string[], comparison: Comparison): ListRole {
  return { kind: 'filter', property, comparison };
}
