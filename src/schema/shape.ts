import { isInteger, isNumber } from '../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { ANY_SHAPE, type Shape, type XmlShape } from '../media/shape.ts';
import type { Direction } from './message-direction.ts';
import { compilePattern } from './pattern.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { collectParts, type SchemaParts } from './schema-parts.ts';

/**
 * Works out what texts of a schema's values stand for. Its parts are looked at when they are come
 * to, each once: schemas may be recursive.
 *
 * @param pointer of the schema; undefined for none
 */
export function createShape(
  document: SourceDocument,
  schemas: SchemaCompiler,
  pointer: string | undefined,
  direction: Direction = 'request',
): Shape {
  if (pointer === undefined) return ANY_SHAPE;
  return new Shapes(document, schemas, direction).of([pointer]);
}

class Shapes {
  readonly document: SourceDocument;
  readonly schemas: SchemaCompiler;
  readonly direction: Direction;
  readonly #known = new Map<string, Shape>();

  constructor(document: SourceDocument, schemas: SchemaCompiler, direction: Direction) {
    this.document = document;
    this.schemas = schemas;
    this.direction = direction;
  }

  of(pointers: readonly string[]): Shape {
    if (pointers.length === 0) return ANY_SHAPE;
    const key = pointers.join(' ');
    const known = this.#known.get(key) ?? new SchemaShape(this, pointers);
    this.#known.set(key, known);
    return known;
  }
}

/** What the schemas that may apply to a value say of its parts. */
interface Parts extends Omit<SchemaParts, 'properties'> {
  readonly properties: ReadonlyMap<string, Shape>;
  readonly said: ReadonlyMap<string, JsonValue>;
}

class SchemaShape implements Shape {
  readonly #shapes: Shapes;
  readonly #pointers: readonly string[];
  #types: ReadonlySet<string> | undefined;
  #parts: Parts | undefined;

  constructor(shapes: Shapes, pointers: readonly string[]) {
    this.#shapes = shapes;
    this.#pointers = pointers;
  }

  get types(): ReadonlySet<string> {
    this.#types ??= unite(
      this.#pointers.map((pointer) => typesOf(this.#shapes.document, pointer, new Set())),
    );
    return this.#types;
  }

  get properties(): ReadonlyMap<string, Shape> {
    return this.#all().properties;
  }

  get isOpen(): boolean {
    return this.#all().isOpen;
  }

  get isBinary(): boolean {
    const { said } = this.#all();
    if (said.get('format') === 'binary') return true;
    const mediaType = this.contentMediaType;
    return mediaType !== undefined && !said.has('contentEncoding') && !isTextual(mediaType);
  }

  get contentMediaType(): string | undefined {
    const mediaType = this.#all().said.get('contentMediaType');
    return typeof mediaType === 'string' ? mediaType : undefined;
  }

  get xml(): XmlShape {
    const xml = this.#all().said.get('xml');
    return isJsonObject(xml) ? readXml(xml) : ANY_SHAPE.xml;
  }

  member(name: string): Shape {
    const { properties, patterns, additional } = this.#all();
    const described = properties.get(name);
    if (described !== undefined) return described;
    const matching = patterns.filter(([pattern]) => matches(pattern, name));
    return this.#shapes.of(matching.length > 0 ? matching.map(([, at]) => at) : additional);
  }

  item(index: number): Shape {
    const { prefixItems, items } = this.#all();
    return this.#shapes.of(prefixItems[index] ?? items);
  }

  countAccepting(value: JsonValue): number {
    const { schemas, direction } = this.#shapes;
    return this.#pointers.filter(
      (pointer) => schemas.schemaAt(pointer, direction).check(value, 'body').length === 0,
    ).length;
  }

  #all(): Parts {
    this.#parts ??= readParts(this.#shapes, this.#pointers);
    return this.#parts;
  }
}

function readParts(shapes: Shapes, pointers: readonly string[]): Parts {
  const parts = collectParts(shapes.document, pointers);
  const said = new Map<string, JsonValue>();
  for (const schema of parts.schemas) {
    for (const keyword of SAID) {
      const word = schema[keyword];
      if (word !== undefined && !said.has(keyword)) said.set(keyword, word);
    }
  }
  const shaped = [...parts.properties].map(([name, at]) => [name, shapes.of(at)] as const);
  return { ...parts, properties: new Map(shaped), said };
}

/** Keywords of which the first to be said counts. */
const SAID = ['format', 'contentMediaType', 'contentEncoding', 'xml'];

/**
 * The types that a schema leaves: what it and all of `allOf` admit, and one of each union.
 *
 * @returns undefined for all
 */
function typesOf(
  document: SourceDocument,
  pointer: string,
  visited: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  const schema = document.schemaAt(pointer);
  if (!isJsonObject(schema) || visited.has(pointer)) return undefined;
  const inner = new Set([...visited, pointer]);
  const of = (place: string) => typesOf(document, place, inner);
  const listed = (keyword: string): (ReadonlySet<string> | undefined)[] => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => of(`${pointer}/${keyword}/${index}`)) : [];
  };
  let types = ownTypes(schema);
  const { $ref: reference } = schema;
  if (typeof reference === 'string') {
    types = intersect(types, of(document.pointerOf(reference, pointer)));
  }
  for (const one of listed('allOf')) types = intersect(types, one);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listed(keyword);
    if (branches.length > 0 && !branches.includes(undefined)) {
      types = intersect(types, unite(branches));
    }
  }
  return types;
}

function ownTypes(schema: JsonObject): ReadonlySet<string> | undefined {
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
  if (value === null) return 'null';
  if (isNumber(value)) return isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function intersect(
  left: ReadonlySet<string> | undefined,
  right: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const both = new Set([...left].filter((type) => right.has(type)));
  // A contradiction is for the validator to tell.
  return both.size > 0 ? both : left;
}

/** @returns none where one of them is undefined, as that admits all */
function unite(all: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> {
  const united = new Set<string>();
  for (const types of all) {
    if (types === undefined) return new Set();
    for (const type of types) united.add(type);
  }
  return united;
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

/** What is no pattern matches nothing here; the schema's compiler tells it. */
function matches(pattern: string, name: string): boolean {
  try {
    return compilePattern(pattern).test(name);
  } catch {
    return false;
  }
}
