/** What the query parameters of an operation ask of a list. */
export interface ListQuery {
  readonly parameters: readonly ListParameter[];
}

/** A parameter of the query, and what it asks for. */
export interface ListParameter {
  /** As the document declares it, so that its decoded value is found by it. */
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
  /** In all texts of a resource: `q`, `search`. */
  | { readonly kind: 'search' }
  /** `name`, `-name`, `name:desc`, `name,-createdAt`. */
  | { readonly kind: 'sort' }
  /** `asc` or `desc`, for `sort`. */
  | { readonly kind: 'order' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'offset' }
  | { readonly kind: 'page'; readonly first: 0 | 1 }
  /** What `next-cursor` said, or the key of the last that was seen. */
  | { readonly kind: 'cursor' }
  /** The key of the first that was seen: the page before it. */
  | { readonly kind: 'cursor-before' }
  /** Which members to show. */
  | { readonly kind: 'fields' };

export type Comparison =
  /** Equal; of an array, has it. Several values: one of them. */
  'equal' | 'not-equal' | 'contains' | 'starts-with' | 'less' | 'at-most' | 'greater' | 'at-least';
