import type { Operation } from '../contract/contract.ts';
import type { ListQuery } from './list/list-query.ts';
import type { Fact, ResourceType } from './resource.ts';

/** What an operation does to a resource, as its path, method and schemas say. */
export type Meaning =
  | CreateMeaning
  | ListMeaning
  | ReadMeaning
  | ReplaceMeaning
  | PatchMeaning
  | DeleteMeaning
  | ActionMeaning;

interface MeaningBase {
  readonly operation: Operation;
  readonly type: ResourceType;
  /** Why it is this and nothing else. */
  readonly reason: string;
  readonly source: Fact<unknown>['source'];
  /** Where the answer of success shows the resource; undefined where it shows none of it. */
  readonly shown: Wrapping | undefined;
}

/** `POST /plants`, and `POST /plants/batch` where `isMany`. */
export interface CreateMeaning extends MeaningBase {
  readonly kind: 'create';
  /** Where the body has the resource. */
  readonly given: Wrapping;
  /** True where the body has a list of them. */
  readonly isMany: boolean;
}

/** `GET /plants`. */
export interface ListMeaning extends MeaningBase {
  readonly kind: 'list';
  readonly envelope: Envelope;
  readonly query: ListQuery;
}

/** `GET` or `HEAD` of one, by its key, or of a singleton. */
export interface ReadMeaning extends MeaningBase {
  readonly kind: 'read';
  readonly query: ListQuery;
}

/** `PUT` of one: all that the client may set is replaced. */
export interface ReplaceMeaning extends MeaningBase {
  readonly kind: 'replace';
  readonly given: Wrapping;
  /** True where a key that is free makes a resource: the operation declares 201, or no 404. */
  readonly createsAbsent: boolean;
}

/** `PATCH` of one: RFC 7396, or RFC 6902 by the body's media type; `POST` and `PUT` may patch too. */
export interface PatchMeaning extends MeaningBase {
  readonly kind: 'patch';
  readonly given: Wrapping;
}

/** `DELETE` of one, or of all where `isAll`. */
export interface DeleteMeaning extends MeaningBase {
  readonly kind: 'delete';
  readonly isAll: boolean;
}

/** `POST /orders/{id}/cancel`: changes one that must be there. */
export interface ActionMeaning extends MeaningBase {
  readonly kind: 'action';
  /** `cancel`. */
  readonly name: string;
  /** Where the body has members that the resource has too: they are set. */
  readonly given: Wrapping | undefined;
  /** What the action sets besides: `status: cancelled` where the schema's enum has it. */
  readonly sets: readonly { readonly property: string; readonly value: Fact<string | boolean> }[];
}

/**
 * Where in a body the resource is: the names of members that lead to it, none where the body is
 * the resource itself. `['plant']` for `{"plant": {…}}`.
 */
export interface Wrapping {
  readonly path: readonly string[];
  /**
   * `json-api`: what is there is a resource object, whose `attributes` are the resource's members
   * and whose `id` is its key (JSON:API 1.1 §7.2). `plain`: it is the resource.
   */
  readonly form: 'plain' | 'json-api';
  /** JSON:API's `type`. */
  readonly typeName?: string | undefined;
}

/** A body that holds a list. */
export interface Envelope {
  /** Names of members that lead to the array; none where the body is the array. */
  readonly path: readonly string[];
  readonly form: Wrapping['form'];
  /** JSON:API's `type`. */
  readonly typeName?: string | undefined;
  /** True where the members of the array's object are keys, and the values the resources. */
  readonly isByKey: boolean;
  /** What stands beside the array, and what it tells. */
  readonly parts: readonly EnvelopePart[];
}

/** A member of an envelope that tells of the list. */
export interface EnvelopePart {
  /** Names of the members that lead to it, from the body on. */
  readonly path: readonly string[];
  readonly role: EnvelopeRole;
}

export type EnvelopeRole =
  /** How many there are in all, or on this page. */
  | 'total'
  | 'count'
  | 'limit'
  | 'offset'
  /** From 1, or from 0 as the query's `page` parameter has it. */
  | 'page'
  | 'page-count'
  | 'has-more'
  | 'has-previous'
  /** For the parameter of the query that takes a cursor; null or left out on the last page. */
  | 'next-cursor'
  | 'previous-cursor'
  /** URLs of pages. */
  | 'next-link'
  | 'previous-link'
  | 'first-link'
  | 'last-link'
  | 'self-link'
  /** The keys of the first and the last of the page, as cursors are made of them. */
  | 'first-key'
  | 'last-key';

/** For each operation of the document: what it was understood as, or why it was not. */
export interface Explanation {
  readonly operation: Operation;
  readonly meaning: Meaning | undefined;
  /** Where there is no meaning: why not, and what would say it. */
  readonly reason: string;
}

/** The resources of a contract: what there is, and what each operation means. */
export interface Resources {
  readonly all: readonly ResourceType[];
  /** @returns the resource of this name */
  find(name: string): ResourceType | undefined;
  meaningOf(operation: Operation): Meaning | undefined;
  /** In the order of the document. */
  explain(): readonly Explanation[];
}
