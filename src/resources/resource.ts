import type { JsonValue } from '../base/json/value.ts';
import type { Schema } from '../schema/schema-compiler.ts';

export interface ResourceType {
  /**
   * The name for people and the control API, unique in the document: the last name of the path if
   * no other type has it, else the whole path without its slash: `plants`, `gardens/{id}/plants`.
   */
  readonly name: string;
  /** Many resources with keys, or one that always exists: `/me`, `/settings`. */
  readonly kind: 'collection' | 'singleton';
  readonly path: string;
  /**
   * Path template of the collection that a path shows a part of, if parents have their own:
   * `/issues/comments` for `/issues/{id}/comments`, each below one `/repos/{repo}`.
   */
  readonly home?: string | undefined;
  /** Path template of one resource; undefined if there is none, and for a singleton. */
  readonly itemPath: string | undefined;
  /** Identifies a resource; undefined for a singleton. */
  readonly key: ResourceKey | undefined;
  /** One for each parameter of `path`, outermost first. */
  readonly parents: readonly Parent[];
  /**
   * The properties with the keys of its parents, if all parents share the collection: two resources
   * that differ in one of them may have the same key.
   */
  readonly owners: readonly string[];
  /** The most complete response schema of one resource. */
  readonly schema: Schema | undefined;
  /** The schema of the resource in the request body of a create. */
  readonly writtenSchema: Schema | undefined;
  readonly serverSet: readonly ServerSetProperty[];
}

/** Where paths and resources contain the key. */
export interface ResourceKey {
  /** The property with the key; undefined if there is none. */
  readonly property: Fact<string> | undefined;
  /** The parameter of the item's path; undefined if items have no path. */
  readonly parameter: string | undefined;
  /** Other properties that a path may name one by: `id` beside `key` for `{issueIdOrKey}`. */
  readonly alternates: readonly string[];
  /** True if a path may have `me` for the caller, which is the first. */
  readonly mayBeMe: boolean;
  /** Pointer of its schema; undefined if nothing describes it. */
  readonly pointer: string | undefined;
  /** How to create a key that the client does not give. */
  readonly generation: Fact<KeyGeneration>;
}

/** How keys are made, in words. */
export const KEY_GENERATIONS = {
  // 1, 2, 3… as a JSON number.
  number: 'by counting',
  // 1, 2, 3… as a string.
  'numeric-text': 'by counting, as a text',
  uuid: 'as a UUID',
  // By the schema of the property: its pattern, format, examples.
  'by-schema': 'as its schema says',
  // From another property, `name` or `title`: `swiss-cheese-plant`.
  slug: 'of the name',
} as const;

export type KeyGeneration = keyof typeof KEY_GENERATIONS;

export interface Parent {
  readonly parameter: string;
  /** The name of the parent's type; undefined if it is unknown. */
  readonly resource: string | undefined;
  /**
   * The property of the resource with the parent's key. Then all parents share one collection, and
   * a path shows a part of it. Undefined if each parent has its own collection.
   */
  readonly property: Fact<string> | undefined;
  /** True if the property is a list of several parents: `projects.id` below `/projects/{id}`. */
  readonly isMany?: boolean;
}

export interface ServerSetProperty {
  readonly name: string;
  readonly role: Fact<ServerSetRole>;
  readonly pointer: string;
  /** True if the client may send it too; its value then takes precedence. */
  readonly mayBeGiven: boolean;
  readonly initial: JsonValue | undefined;
}

/** When and to what the service sets a property, in words. */
export const SERVER_SET_ROLES = {
  key: '',
  // The time of creation, of the last change: as its type and format say.
  'created-at': ' when one is created',
  'updated-at': ' when one is changed',
  // 1, and one more with each change.
  revision: ' with each change',
  // The URL of the resource.
  self: ' to its URL',
  // The default, constant or example of its schema, or a generated value; set once.
  given: '',
  // The time at which the status, or a flag, became what its name says: `canceledAt`.
  'reached-at': ' when the status says so',
  // The value of a new resource: the first of its enum, false, 0, an empty list; set once.
  initial: ' when one is created',
  // The length of the list that it counts: `phones` for `phoneCount`.
  count: ' to the length of the list',
  // The user that `GET /me` shows.
  caller: ' to the caller when one is created',
} as const;

export type ServerSetRole = keyof typeof SERVER_SET_ROLES;

/** An inferred fact with its reason, or an override. */
export interface Fact<Value> {
  readonly value: Value;
  /** For people, after "because": `the path parameter is called plantId`. */
  readonly reason: string;
  /** Inferred from the document, or given in its `x-coldframe`, or in the settings. */
  readonly source: 'inferred' | 'x-coldframe' | 'settings';
}

export function inferred<Value>(value: Value, reason: string): Fact<Value> {
  return { value, reason, source: 'inferred' };
}

/** The type of operations that concern no resource. No collection has it. */
export const NOBODY: ResourceType = Object.freeze({
  name: '',
  kind: 'singleton',
  path: '/',
  itemPath: undefined,
  key: undefined,
  parents: [],
  owners: [],
  schema: undefined,
  writtenSchema: undefined,
  serverSet: [],
});

/** Returns true for what is there or not, and has no members: a star. */
export function isMark({ kind, schema, writtenSchema }: ResourceType): boolean {
  return kind === 'singleton' && schema === undefined && writtenSchema === undefined;
}
