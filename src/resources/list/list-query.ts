/** The roles of an operation's query parameters. */
export interface ListQuery {
  readonly parameters: readonly ListParameter[];
  /** True if the newest come first unless the request says otherwise. */
  readonly isNewestFirst?: boolean;
}

export interface ListParameter {
  /** The declared name, which finds the decoded value. */
  readonly name: string;
  /** Names into a decoded object, as in `filter[name]=…` where `filter` is a deepObject. */
  readonly member?: readonly string[] | undefined;
  readonly role: ListRole;
  readonly reason: string;
}

export type ListRole =
  | {
      readonly kind: 'filter';
      readonly property: readonly string[];
      readonly comparison: Comparison;
    }
  | { readonly kind: 'page'; readonly first: 0 | 1 }
  | { readonly kind: Exclude<keyof typeof LIST_ROLES, 'page' | 'page-from-0'> };

/** The roles of list parameters, in words; filters have none. */
export const LIST_ROLES = {
  // Searches all strings of a resource: `q`, `search`.
  search: 'is looked for in all texts',
  // `name`, `-name`, `name:desc`, `name,-createdAt`.
  sort: 'says by what to sort',
  // `asc` or `desc`, for `sort`.
  order: 'says which way to sort',
  limit: 'says how many a page has',
  offset: 'is the number of items to skip',
  // SCIM's `startIndex` (RFC 7644 §3.4.2.4).
  'offset-from-1': 'is the number of the first item, counted from 1',
  page: 'asks for a page, counted from 1',
  'page-from-0': 'asks for a page, counted from 0',
  // The value of `next-cursor`, or the key of the last resource that the client has seen.
  cursor: 'is the cursor to continue after',
  // The key of the first resource that the client has seen: asks for the page before it.
  'cursor-before': 'says what the page comes before',
  // Selects the members to show.
  fields: 'says which members to show',
} as const;

/** How a filter compares a property with the parameter's value, in words. */
export const COMPARISONS = {
  // An array contains the value; of several values, one is equal.
  equal: 'equal to it',
  'not-equal': 'other than it',
  contains: 'that contains it',
  'starts-with': 'that starts with it',
  less: 'below it',
  'at-most': 'up to it',
  greater: 'above it',
  'at-least': 'from it on',
  // `app=web,tier!=back`, of the members of an object.
  selects: 'that it selects',
} as const;

export type Comparison = keyof typeof COMPARISONS;

/** Words for comparisons before or after a property's name, or in brackets. */
export const COMPARISON_WORDS: ReadonlyMap<string, Comparison> = new Map(
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

/** Returns the value of a parameter for the first page; undefined if it does not select one. */
export function firstOf(role: ListRole): number | undefined {
  switch (role.kind) {
    case 'page':
      return role.first;
    case 'offset':
      return 0;
    case 'offset-from-1':
      return 1;
    case 'cursor':
      return Number.NEGATIVE_INFINITY;
    default:
      return undefined;
  }
}
