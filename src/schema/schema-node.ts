import type { JsonValue } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import {
  bareTarget,
  type LocatedSchema,
  readSchema,
  type SchemaContents,
  typesOf,
} from './schema-contents.ts';
import { identityOf } from './schema-identity.ts';

/**
 * What a schema says, through references and combinations, as far as it tells what a value is for.
 * Looked at only when it is asked for, and never compiled.
 */
export interface SchemaNode {
  /** Where it stands. */
  readonly pointer: Place;
  /** Where it stands once references are followed: what has the same is the same thing. */
  readonly identity: Place;
  /** Names of the properties that it declares. */
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** Types that are named; empty where none is. */
  readonly types: ReadonlySet<string>;
  readonly isObject: boolean;
  readonly isArray: boolean;
  property(name: string): SchemaNode | undefined;
  readonly items: SchemaNode | undefined;
  /** Of members that no property describes. */
  readonly additional: SchemaNode | undefined;
  /** @returns the first value that is said for a keyword */
  said(keyword: string): JsonValue | undefined;
}

/** The views of a document's schemas, each made once. */
export class SchemaNodes {
  readonly document: OpenAPIDocument;
  readonly #known = new Map<string, SchemaNode>();
  readonly #contents = new Map<string, SchemaContents>();

  constructor(document: OpenAPIDocument) {
    this.document = document;
  }

  /** @param pointer undefined, and a place where no schema stands, have no view */
  at(pointer: Place | undefined): SchemaNode | undefined {
    if (pointer === undefined) return undefined;
    const known = this.#known.get(pointer);
    if (known !== undefined) return known;
    const value = this.document.schemaAt(pointer);
    return value === undefined ? undefined : this.of([{ pointer, value }]);
  }

  /** @param schemas that describe one value */
  of(schemas: readonly LocatedSchema[]): SchemaNode | undefined {
    const [first] = schemas;
    if (first === undefined) return undefined;
    const key = keyOf(schemas);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const view = new LazyNode(this, first, schemas);
    this.#known.set(key, view);
    return view;
  }

  /** @returns the types of a schema that names them itself: most do, and need not be read whole */
  ownTypes([schema, ...others]: readonly LocatedSchema[]): ReadonlySet<string> | undefined {
    return schema === undefined || others.length > 0
      ? undefined
      : typesOf(this.document, bareTarget(this.document, schema));
  }

  /** What the same schemas say is read once, however many refer to them. */
  contentsOf(schemas: readonly LocatedSchema[]): SchemaContents {
    const targets = schemas.map((schema) => bareTarget(this.document, schema));
    const key = keyOf(targets);
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const contents = readSchema(this.document, targets);
    this.#contents.set(key, contents);
    return contents;
  }
}

function keyOf(schemas: readonly LocatedSchema[]): string {
  const [first, ...others] = schemas;
  return others.length === 0
    ? (first?.pointer ?? '')
    : schemas.map(({ pointer }) => pointer).join(' ');
}

class LazyNode implements SchemaNode {
  readonly pointer: Place;
  readonly #views: SchemaNodes;
  readonly #first: LocatedSchema;
  readonly #schemas: readonly LocatedSchema[];
  #contents: SchemaContents | undefined;
  #identity: Place | undefined;
  #types: ReadonlySet<string> | undefined;

  constructor(views: SchemaNodes, first: LocatedSchema, schemas: readonly LocatedSchema[]) {
    this.#views = views;
    this.#first = first;
    this.pointer = first.pointer;
    this.#schemas = schemas;
  }

  get identity(): Place {
    this.#identity ??= identityOf(this.#views.document, this.#first);
    return this.#identity;
  }

  get names(): ReadonlySet<string> {
    return this.#all().names;
  }

  get required(): ReadonlySet<string> {
    return this.#all().required;
  }

  get types(): ReadonlySet<string> {
    this.#types ??=
      this.#contents?.types ?? this.#views.ownTypes(this.#schemas) ?? this.#all().types;
    return this.#types;
  }

  get isObject(): boolean {
    if (this.types.size > 0) return this.types.has('object');
    return this.names.size > 0 || this.#all().additional.length > 0;
  }

  get isArray(): boolean {
    if (this.types.size > 0) return this.types.has('array') && !this.types.has('object');
    return this.#all().items.length > 0;
  }

  property(name: string): SchemaNode | undefined {
    return this.#views.of(this.#all().properties.get(name) ?? []);
  }

  get items(): SchemaNode | undefined {
    return this.#views.of(this.#all().items);
  }

  get additional(): SchemaNode | undefined {
    return this.#views.of(this.#all().additional);
  }

  said(keyword: string): JsonValue | undefined {
    for (const schema of this.#all().schemas) {
      const value = schema[keyword];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #all(): SchemaContents {
    this.#contents ??= this.#views.contentsOf(this.#schemas);
    return this.#contents;
  }
}

/** @returns how many of the fewer names of two schemas both have: 1 where one has all */
export function likeness(one: SchemaNode | undefined, other: SchemaNode | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one === other || one.identity === other.identity) return 1;
  const [few, many] = one.names.size <= other.names.size ? [one, other] : [other, one];
  if (few.names.size === 0) return 0;
  const shared = [...few.names].filter((name) => many.names.has(name)).length;
  return shared / few.names.size;
}
