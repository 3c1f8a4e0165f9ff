import { isInteger, isNumber } from '../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Place } from '../document/place.ts';
import { isAlsoNull } from '../document/schema-dialect.ts';
import type { Located, SourceDocument } from '../document/source-document.ts';
import { ANY_SHAPE, type Shape, type XmlShape } from '../media/shape.ts';
import type { Direction } from './message-direction.ts';
import { findTarget } from './references.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { SchemaNode } from './schema-node.ts';
import { subschemasUnder } from './subschemas.ts';
import { kindOf } from './value-keywords.ts';

/**
 * Works out what texts of a schema's values mean. Its parts are read when they are first needed,
 * each once: schemas may be recursive.
 */
export function createShape(
  schemas: SchemaCompiler,
  pointer: Place,
  direction: Direction = 'request',
): Shape {
  const known = new Map<SchemaNode, Shape>();
  const find = (node: SchemaNode | undefined): Shape =>
    node === undefined ? ANY_SHAPE : remember(known, node, () => new SchemaShape(shapes, node));
  const shapes = { schemas, direction, find };
  return find(schemas.nodes.at(pointer));
}

/** State that the shapes of a schema and its parts share. */
interface Shapes {
  readonly schemas: SchemaCompiler;
  readonly direction: Direction;
  readonly find: (node: SchemaNode | undefined) => Shape;
}

class SchemaShape implements Shape {
  readonly #shapes: Shapes;
  readonly #node: SchemaNode;
  #types: ReadonlySet<string> | undefined;
  #properties: ReadonlyMap<string, Shape> | undefined;
  #xml: XmlShape | undefined;

  constructor(shapes: Shapes, node: SchemaNode) {
    this.#shapes = shapes;
    this.#node = node;
  }

  get types(): ReadonlySet<string> {
    const { document } = this.#shapes.schemas.nodes;
    this.#types ??= unite(this.#node.schemas.map((one) => admittedTypes(document, one, [])));
    return this.#types;
  }

  get required(): ReadonlySet<string> {
    return this.#node.required;
  }

  get properties(): ReadonlyMap<string, Shape> {
    this.#properties ??= new Map(
      [...this.#node.properties].map(([name, node]) => [name, this.#shapes.find(node)]),
    );
    return this.#properties;
  }

  get isOpen(): boolean {
    return this.#node.isOpen;
  }

  get isBinary(): boolean {
    if (this.#node.keyword('format') === 'binary') return true;
    const mediaType = this.contentMediaType;
    const isEncoded = this.#node.keyword('contentEncoding') !== undefined;
    return mediaType !== undefined && !isEncoded && !isTextual(mediaType);
  }

  get contentMediaType(): string | undefined {
    const mediaType = this.#node.keyword('contentMediaType');
    return typeof mediaType === 'string' ? mediaType : undefined;
  }

  get xml(): XmlShape {
    this.#xml ??= readXml(mergeXml(this.#node.possible));
    return this.#xml;
  }

  member(name: string): Shape {
    const { patterns, additional } = this.#node;
    const described = this.properties.get(name);
    if (described !== undefined) return described;
    const matching = patterns.filter(({ pattern }) => pattern.test(name));
    return this.#shapes.find(SchemaNode.unite(matching.map(({ node }) => node)) ?? additional);
  }

  item(index: number): Shape {
    return this.#shapes.find(this.#node.prefixItems[index] ?? this.#node.items);
  }

  countAccepting(value: JsonValue): number {
    const { schemas, direction } = this.#shapes;
    return this.#node.schemas.filter(({ pointer }) =>
      schemas.schemaAt(pointer, direction).accepts(value),
    ).length;
  }
}

/** Names of types; undefined for all. */
type Types = ReadonlySet<string> | undefined;

/**
 * Returns the types that a schema admits: those that it and all of `allOf` admit, and one of each
 * union.
 */
function admittedTypes(document: SourceDocument, one: Located, path: readonly Place[]): Types {
  const { value, pointer } = one;
  if (!isJsonObject(value) || path.includes(pointer)) return undefined;
  const schema = { value: document.upgradeSchema(value, pointer), pointer };
  const typesOf = (part: Located) => admittedTypes(document, part, [...path, pointer]);
  const target = findTarget(document, schema);
  let types = ownTypes(schema.value);
  for (const part of [...(target ? [target] : []), ...subschemasUnder(schema, ['allOf'])]) {
    types = intersect(types, typesOf(part));
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = subschemasUnder(schema, [keyword]).map(typesOf);
    if (branches.length > 0 && !branches.includes(undefined)) {
      types = intersect(types, unite(branches));
    }
  }
  return types !== undefined && isAlsoNull(schema.value) ? unite([types, NULL]) : types;
}

const NULL: Types = new Set(['null']);

function ownTypes(schema: JsonObject): Types {
  const { type, enum: list, const: constant } = schema;
  if (type !== undefined) return withIntegers([type].flat().map(String));
  if (Array.isArray(list)) return withIntegers(list.map(typeOf));
  return Object.hasOwn(schema, 'const') && constant !== undefined
    ? withIntegers([typeOf(constant)])
    : undefined;
}

function withIntegers(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.includes('number') ? [...types, 'integer'] : types);
}

function typeOf(value: JsonValue): string {
  return isNumber(value) && isInteger(value) ? 'integer' : kindOf(value);
}

function intersect(left: Types, right: Types): Types {
  if (left === undefined || right === undefined) return left ?? right;
  const both = new Set([...left].filter((type) => right.has(type)));
  // The validator reports a contradiction.
  return both.size > 0 ? both : left;
}

/** @returns none if one of them is undefined, which admits all types */
function unite(all: readonly Types[]): ReadonlySet<string> {
  const united = new Set<string>();
  for (const types of all) {
    if (types === undefined) return new Set();
    for (const type of types) united.add(type);
  }
  return united;
}

/** Returns the members of all XML Objects of a schema; of one name the first. */
function mergeXml(schemas: readonly Located<JsonObject>[]): JsonObject {
  const all = schemas.map(({ value }) => value['xml']).filter(isJsonObject);
  return Object.assign({}, ...all.reverse());
}

function readXml(xml: JsonObject): XmlShape {
  const textOf = (member: string) => {
    const value = xml[member];
    return typeof value === 'string' ? { [member]: value } : {};
  };
  const nodeType = NODE_TYPES.find((one) => one === xml['nodeType']);
  const isAttribute = xml['attribute'] === true;
  return {
    ...textOf('name'),
    ...textOf('namespace'),
    ...textOf('prefix'),
    ...(xml['wrapped'] === true && { wrapped: true }),
    ...(isAttribute && { nodeType: 'attribute' as const }),
    ...(nodeType !== undefined && { nodeType }),
  };
}

const NODE_TYPES = ['element', 'attribute', 'text', 'cdata', 'none'] as const;

function isTextual(mediaType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml)\b/i.test(mediaType);
}
