import type { Schema } from '../schema/schema-compiler.ts';

/** A kind of thing that the service keeps, and where. */
export interface ResourceType {
  /**
   * What people and the control API call it, unique in the document: the last name of its path
   * where no other has that, else the whole path without its slash: `plants`, `gardens/{id}/plants`.
   */
  readonly name: string;
  /** Many by their keys, or one that is always there: `/me`, `/settings`. */
  readonly kind: 'collection' | 'singleton';
  /** Template of the path of the collection or the singleton: `/gardens/{gardenId}/plants`. */
  readonly path: string;
  /**
   * Template of the path of one of them, as the document writes it; undefined where none is
   * declared, and for a singleton.
   */
  readonly itemPath: string | undefined;
  /** What names one of them; undefined for a singleton. */
  readonly key: ResourceKey | undefined;
  /** For each parameter of `path`, outermost first. */
  readonly parents: readonly Parent[];
  /** What a read shows: the fullest response schema that is declared for one of them. */
  readonly schema: Schema | undefined;
  /** What a create has to keep: of the request body, inside its wrapping. */
  readonly writtenSchema: Schema | undefined;
  /** Properties that the service sets, not the client. */
  readonly serverSet: readonly ServerSetProperty[];
}

/** How a resource is named in paths and in itself. */
export interface ResourceKey {
  /** The member of a stored resource that has the key; undefined where none has. */
  readonly property: Fact<string> | undefined;
  /** The path parameter of the item's path; undefined where items have no path. */
  readonly parameter: string | undefined;
  /** How a key is made that the client does not give. */
  readonly generation: Fact<KeyGeneration>;
}

export type KeyGeneration =
  /** 1, 2, 3… as a JSON number. */
  | 'number'
  /** 1, 2, 3… as a text. */
  | 'numeric-text'
  | 'uuid'
  /** By the schema of the property: its pattern, format, examples, prefix. */
  | 'by-schema'
  /** Of another property, `name` or `title`: `swiss-cheese-plant`. */
  | 'slug';

/** A parameter of a resource's path: to whom the resource belongs. */
export interface Parent {
  readonly parameter: string;
  /** The name of the resource that the parameter names one of; undefined where none is known. */
  readonly resource: string | undefined;
  /**
   * The member of the resource that holds the parent's key. Then there is one collection for all
   * parents, and a path shows those of one. Undefined: each parent has a collection of its own.
   */
  readonly property: Fact<string> | undefined;
}

/** A property that the service sets. */
export interface ServerSetProperty {
  readonly name: string;
  readonly role: Fact<ServerSetRole>;
  /** Pointer of its schema. */
  readonly pointer: string;
  /** True where the client may send it as well: then what it sent counts. */
  readonly mayBeGiven: boolean;
}

export type ServerSetRole =
  | 'key'
  /** The moment of creation, of the last change: as its type and format say. */
  | 'created-at'
  | 'updated-at'
  /** 1, and one more with each change. */
  | 'revision'
  /** The URL of the resource itself. */
  | 'self'
  /** Whatever its schema allows: its default, its constant, its example, or generated, once. */
  | 'given';

/** Something that was inferred, and why; or said by somebody, and where. */
export interface Fact<Value> {
  readonly value: Value;
  /** For people, after "because": `the path parameter is called plantId`. */
  readonly reason: string;
  /** `inferred` from the document, or said there as `x-coldframe`, or in the settings. */
  readonly source: 'inferred' | 'x-coldframe' | 'settings';
}
