import type { Operation } from '../contract/contract.ts';
import type { ListQuery } from './list/list-query.ts';
import type { Fact, ResourceType } from './resource.ts';

/** The meaning of an operation for resources, from its path, method and schemas. */
export type Meaning =
  | CreateMeaning
  | ListMeaning
  | ReadMeaning
  | ReplaceMeaning
  | PatchMeaning
  | DeleteMeaning
  | ActionMeaning
  | MembersMeaning
  | TagsMeaning
  | LoginMeaning
  | UploadMeaning
  | DownloadMeaning;

/** Returns the kind of a meaning in the words of `x-coldframe`. */
export function doingOf(meaning: Meaning): Meaning['kind'] | 'delete-all' {
  return meaning.kind === 'delete' && meaning.isAll ? 'delete-all' : meaning.kind;
}

interface MeaningBase {
  readonly operation: Operation;
  readonly type: ResourceType;
  readonly reason: string;
  readonly source: Fact<unknown>['source'];
  /** Of an operation whose name says what it does: what has the key, if its path does not. */
  readonly call?: { readonly key: { readonly name: string; readonly in: string } | undefined };
  /** Where the successful response contains the resource; undefined if it does not. */
  readonly shown: Wrapping | undefined;
}

/** `POST /plants`, or `POST /plants/batch` if `isMany`. */
export interface CreateMeaning extends MeaningBase {
  readonly kind: 'create';
  readonly given: Wrapping;
  readonly isMany: boolean;
  /** True for `POST /folders/7/copy`: what the body does not have is as in the one of the path. */
  readonly copies?: boolean;
}

/** `GET /plants`. */
export interface ListMeaning extends MeaningBase {
  readonly kind: 'list';
  readonly envelope: Envelope;
  readonly query: ListQuery;
}

/** `GET` or `HEAD` of one resource, by its key, or of a singleton. */
export interface ReadMeaning extends MeaningBase {
  readonly kind: 'read';
  /** How it is found, if not by its key. */
  readonly by?: Finding;
  /** The flag without which there is nothing to read: `GET /pulls/{id}/merge` needs `merged`. */
  readonly flag?: string;
  readonly query: ListQuery;
}

/** By a property that a path parameter names, `GET /releases/tags/{tag}`; else the last created. */
type Finding = { readonly property: string; readonly parameter: string } | 'latest';

export interface ReplaceMeaning extends MeaningBase {
  readonly kind: 'replace';
  readonly given: Wrapping;
  /** True if an unknown key creates a resource: the operation declares 201, or no 404. */
  readonly createsAbsent: boolean;
}

/** `PATCH`: RFC 7396, or RFC 6902 by the body's media type. `POST` and `PUT` may patch too. */
export interface PatchMeaning extends MeaningBase {
  readonly kind: 'patch';
  readonly given: Wrapping;
  /** True for `PATCH /plants` with a list of plants, each with its key. */
  readonly isMany?: boolean;
}

/** `DELETE` of one resource; if `isAll`, of all, or of those that query and body select. */
export interface DeleteMeaning extends MeaningBase {
  readonly kind: 'delete';
  readonly isAll: boolean;
  readonly query: ListQuery;
  /** Where the body has the keys of those to delete. */
  readonly keys: MemberPath | undefined;
}

/** `POST /orders/{id}/cancel`: changes an existing resource. */
export interface ActionMeaning extends MeaningBase {
  readonly kind: 'action';
  readonly name: string;
  /** Where the body contains members of the resource, which are set. */
  readonly given: Wrapping | undefined;
  /** What happens to lists that the body names: it replaces them, adds to them, or removes. */
  readonly how?: 'set' | 'add' | 'remove';
  /** The property that the body is the value of, or that one of its members is. */
  readonly part?: { readonly property: string; readonly path: MemberPath } | undefined;
  /** Members that the action sets besides: `status: cancelled` if the schema's enum has it. */
  readonly sets: readonly {
    readonly property: string;
    readonly value: Fact<string | number | boolean | null>;
  }[];
  /** The secret that it makes anew: `stream_key` of `reset-stream-key`. */
  readonly renews?: string | undefined;
  /** The values with which the action is allowed; it is refused with others. */
  readonly from: readonly { readonly property: string; readonly values: Fact<Scalars> }[];
}

/** `POST /issues/{id}/labels`: lists or changes a list in a resource, by the names of its items. */
export interface MembersMeaning extends MeaningBase {
  readonly kind: 'members';
  readonly does: 'list' | 'add' | 'set' | 'remove';
  readonly property: string;
  /** The property of an item by which requests name it. */
  readonly member: string;
  /** Where the body has the names; undefined if it has none. */
  readonly names: MemberPath | undefined;
  readonly parameter: string | undefined;
  /** Where the response has the list; undefined if it has none. */
  readonly items: MemberPath | undefined;
}

/** `GET`, `POST` and `DELETE /tags/{arn}`: the tags of anything, by its id. */
export interface TagsMeaning extends MeaningBase {
  readonly kind: 'tags';
  readonly does: 'list' | 'add' | 'remove';
  /** Where the response or the request has the tags, or the query the names of those to remove. */
  readonly tags: MemberPath;
  /** The member of a tag with its name; undefined if tags are an object of names and values. */
  readonly key: string | undefined;
}

/** `POST /login`: gives a token. Its type is that of the caller, `/me`. */
export interface LoginMeaning extends MeaningBase {
  readonly kind: 'login';
  readonly users: ResourceType | undefined;
  readonly tokens: readonly MemberPath[];
  /** True if the tokens are JSON Web Tokens. */
  readonly isJwt: boolean;
  /** True if it makes the user: `POST /register`. */
  readonly isNew: boolean;
}

/** `PUT /users/{id}/avatar`: stores a file. A file with a resource of its own is a create. */
export interface UploadMeaning extends MeaningBase {
  readonly kind: 'upload';
}

/** `GET /files/{id}/content`: returns the file of a resource, or the one of its own path. */
export interface DownloadMeaning extends MeaningBase {
  readonly kind: 'download';
  readonly isOfPath: boolean;
}

export type Scalars = readonly (string | boolean)[];

export type MemberPath = readonly string[];

/**
 * Where a body contains the resource: the names of the members that lead to it, none if the body is
 * the resource. `['plant']` for `{"plant": {…}}`.
 */
export interface Wrapping {
  readonly path: MemberPath;
  /** True if a list there has the resource alone: `[{…}]`, `{"plants": [{…}]}`. */
  readonly isInList?: boolean;
  /** Where each item of a list of several has the resource: `{"requests": [{"plant": {…}}]}`. */
  readonly inItem?: MemberPath;
  /**
   * `plain`: the resource itself. `json-api`: a resource object, with the resource's members in
   * `attributes` and its key in `id` (JSON:API 1.1 §7.2).
   */
  readonly form: 'plain' | 'json-api';
  readonly typeName?: string | undefined;
  /** In a request: the names that responses write in another style, `FriendlyName`. */
  readonly renamed?: ReadonlyMap<string, string> | undefined;
}

/** A body that contains a list: its path leads to the array. */
export interface Envelope extends Wrapping {
  /** True if the list is an object with the keys as names. */
  readonly isByKey: boolean;
  /** The property that the list shows of each resource, in place of the whole. */
  readonly only?: string;
  readonly parts: readonly EnvelopePart[];
}

export interface EnvelopePart {
  readonly path: MemberPath;
  readonly role: EnvelopeRole;
}

/** The roles of members of an envelope, in words. */
export const ENVELOPE_ROLES = {
  total: 'how many there are',
  count: 'how many are on the page',
  limit: 'how many a page has',
  offset: 'how many were passed over',
  // From 1, or from 0 like the query's `page` parameter.
  page: 'which page it is',
  'page-count': 'how many pages there are',
  // Null or left out where there is no such page.
  'next-page': 'the number of the next page',
  'previous-page': 'the number of the page before',
  'has-more': 'whether more follow',
  'has-previous': 'whether others came before',
  'is-last': 'whether it is the last page',
  'is-first': 'whether it is the first page',
  // For the query parameter that takes a cursor; null or left out on the last page.
  'next-cursor': 'the cursor of the next page',
  'previous-cursor': 'the cursor of the page before',
  'next-link': 'the URL of the next page',
  'previous-link': 'the URL of the page before',
  'first-link': 'the URL of the first page',
  'last-link': 'the URL of the last page',
  'self-link': 'the URL of the page',
  'list-link': 'the URL of the list',
  'first-key': 'the key of the first',
  'last-key': 'the key of the last',
} as const;

export type EnvelopeRole = keyof typeof ENVELOPE_ROLES;

export interface Explanation {
  readonly operation: Operation;
  readonly meaning: Meaning | undefined;
  /** Without a meaning: why, and how to declare one. */
  readonly reason: string;
}

export interface Resources extends Inferred {
  /** Explains all operations in the order of the document. */
  explain(): readonly Explanation[];
  /** Infers a part of it ahead of the first use; returns false if nothing is left. */
  inferNext(): boolean;
  /** True once the meaning of each operation is known. */
  readonly isInferred: boolean;
  /**
   * Infers what the meaning of an operation depends on, a part in each turn of the event loop, so
   * that other requests do not wait for the whole; undefined if nothing or little is to be inferred.
   */
  prepare(operation: Operation): Promise<void> | undefined;
  /** True while {@link prepare} infers. */
  readonly isPreparing: boolean;
}

/** The meanings of all operations of a contract. */
export interface Inferred {
  readonly all: readonly ResourceType[];
  find(name: string): ResourceType | undefined;
  meaningOf(operation: Operation): Meaning | undefined;
  /** Returns all meanings in the order of the document. */
  meanings(): readonly Meaning[];
  /** Returns the meaning that shows the caller: `GET /me`. */
  caller(): ReadMeaning | undefined;
  /** Returns the meanings that concern a type, in the order of the document. */
  meaningsOf(name: string): readonly Meaning[];
  explanationOf(operation: Operation): Explanation;
}
