/** The roles of an operation's query parameters. */
export interface ListQuery {
  readonly parameters: readonly ListParameter[];
}

export interface ListParameter {
  /** The declared name, which finds the decoded value. */
  readonly name: string;
  /** The member of a decoded object, as in `filter[name]=…` where `filter` is a deepObject. */
  readonly member?: string | undefined;
  readonly role: ListRole;
  readonly reason: string;
}

export type ListRole =
  | {
      readonly kind: 'filter';
      readonly property: readonly string[];
      readonly comparison: Comparison;
    }
  /** Searches all strings of a resource: `q`, `search`. */
  | { readonly kind: 'search' }
  /** `name`, `-name`, `name:desc`, `name,-createdAt`. */
  | { readonly kind: 'sort' }
  /** `asc` or `desc`, for `sort`. */
  | { readonly kind: 'order' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'offset' }
  | { readonly kind: 'page'; readonly first: 0 | 1 }
  /** The value of `next-cursor`, or the key of the last resource that the client has seen. */
  | { readonly kind: 'cursor' }
  /** The key of the first resource that the client has seen: asks for the page before it. */
  | { readonly kind: 'cursor-before' }
  /** Selects the members to show. */
  | { readonly kind: 'fields' };

export const COMPARISONS = [
  // An array contains the value; of several values, one is equal.
  'equal',
  'not-equal',
  'contains',
  'starts-with',
  'less',
  'at-most',
  'greater',
  'at-least',
] as const;

export type Comparison = (typeof COMPARISONS)[number];

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
