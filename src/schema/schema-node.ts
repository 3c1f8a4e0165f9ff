import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { groupBy, remember } from '../base/remember.ts';
import { plain } from '../base/words.ts';
import type { Place } from '../document/place.ts';
import type { Located, SourceDocument } from '../document/source-document.ts';
import { Names } from './names.ts';
import { compileLeniently, type Pattern } from './pattern/pattern.ts';
import { findBareTarget, findIdentity } from './references.ts';
import { inPlaceKeywords, schemasInPlace, subschemasIn, subschemasUnder } from './subschemas.ts';

/** The schema nodes of a document. Each schema is read once, when it is first needed. */
export class SchemaNodes {
  readonly document: SourceDocument;
  /** For each direction, the nodes below which messages may leave something out, or do not. */
  readonly leaveOut = {
    request: new WeakMap<SchemaNode, boolean>(),
    response: new WeakMap<SchemaNode, boolean>(),
  };
  /** For each direction, whether a schema leads to what messages leave out, as far as it is known. */
  readonly flagged = {
    request: new Map<Place, boolean>(),
    response: new Map<Place, boolean>(),
  };
  readonly #known = new Map<string, SchemaNode>();

  constructor(document: SourceDocument) {
    this.document = document;
  }

  /** Returns the node of a schema; undefined without a pointer, or without a schema at it. */
  at(pointer: Place | undefined): SchemaNode | undefined {
    if (pointer === undefined) return undefined;
    const known = this.#known.get(pointer);
    if (known !== undefined) return known;
    const value = this.document.schemaAt(pointer);
    return value === undefined ? undefined : this.of([{ pointer, value }]);
  }

  /** Returns the node of the schemas that describe one value; undefined for none. */
  of(schemas: readonly Located[]): SchemaNode | undefined {
    const [first] = schemas;
    if (first === undefined) return undefined;
    const isAlone = schemas.length === 1;
    const key = isAlone ? first.pointer : schemas.map(({ pointer }) => pointer).join(' ');
    return remember(this.#known, key, () => new SchemaNode(this, first, schemas));
  }
}

/**
 * The schemas that describe one value, with references followed and combinations taken together. It
 * has everything that may apply; a reader that must not assume a branch of `anyOf` or `oneOf` uses
 * {@link certain}. Schemas may be recursive, so each part is read when it is first needed.
 */
export class SchemaNode {
  /** Pointer of the first of the schemas. */
  readonly pointer: Place;
  readonly schemas: readonly Located[];
  readonly nodes: SchemaNodes;
  readonly #first: Located;
  #identity: Place | undefined;
  #target: SchemaNode | undefined;
  #possible: readonly Located<JsonObject>[] | undefined;
  #certain: readonly Located<JsonObject>[] | undefined;
  #types: ReadonlySet<string> | undefined;
  #contents: Contents | undefined;
  #styled: Names | undefined;
  #singles: Names | undefined;
  #branches: readonly SchemaNode[] | undefined;

  constructor(nodes: SchemaNodes, first: Located, schemas: readonly Located[]) {
    this.nodes = nodes;
    this.#first = first;
    this.pointer = first.pointer;
    this.schemas = schemas;
  }

  /** Returns the node of everything that describes the same value; undefined for no node. */
  static unite(nodes: readonly (SchemaNode | undefined)[]): SchemaNode | undefined {
    const [first, ...others] = nodes.filter((node) => node !== undefined);
    if (first === undefined || others.length === 0) return first;
    return first.nodes.of([first, ...others].flatMap(({ schemas }) => schemas));
  }

  /**
   * Pointer of the schema once references, and combinations of it with null alone, are followed.
   * Two schemas with one identity describe the same resource.
   */
  get identity(): Place {
    this.#identity ??= findIdentity(this.nodes.document, this.#first);
    return this.#identity;
  }

  /** The node of the schemas that bare references lead to; without any, this one. */
  get target(): SchemaNode {
    this.#target ??= this.#findTarget();
    return this.#target;
  }

  #findTarget(): SchemaNode {
    const { document } = this.nodes;
    const targets = this.schemas.map((schema) => findBareTarget(document, schema));
    const isOwn = targets.every((target, index) => target === this.schemas[index]);
    return (isOwn ? undefined : this.nodes.of(targets)) ?? this;
  }

  /** The schemas that may apply to the value, each once. */
  get possible(): readonly Located<JsonObject>[] {
    if (this.target !== this) return this.target.possible;
    this.#possible ??= this.#read('possible');
    return this.#possible;
  }

  /** The schemas that apply whatever the value is: by `$ref` and `allOf` alone. */
  get certain(): readonly Located<JsonObject>[] {
    if (this.target !== this) return this.target.certain;
    this.#certain ??= this.#read('certain');
    return this.#certain;
  }

  /** The branches of a union and of unions in it, without null; without a union, the node alone. */
  get branches(): readonly SchemaNode[] {
    this.#branches ??= this.#readBranches(0);
    return this.#branches;
  }

  /** The only string that the schema allows; undefined for none or many. */
  get constant(): string | undefined {
    const only = [this.keyword('const') ?? this.keyword('enum') ?? []].flat();
    return only.length === 1 && typeof only[0] === 'string' ? only[0] : undefined;
  }

  /** The types that are named, without null; empty for none. */
  get types(): ReadonlySet<string> {
    if (this.target !== this) return this.target.types;
    this.#types ??= readTypes(this.possible);
    return this.#types;
  }

  /**
   * Returns the name of the first property that has this name in any style: `friendly_name` for
   * `FriendlyName`.
   */
  nameLike(name: string): string | undefined {
    return this.styled.like(plain(name));
  }

  /** The names of the properties, which are looked up in any style. */
  get styled(): Names {
    if (this.target !== this) return this.target.styled;
    this.#styled ??= new Names(() => [...this.names]);
    return this.#styled;
  }

  /** The names of the properties that are single values, and no flags: one may be a key. */
  get singles(): Names {
    if (this.target !== this) return this.target.singles;
    this.#singles ??= new Names(() =>
      [...this.properties].flatMap(([name, node]) => (node.isSingle ? [name] : [])),
    );
    return this.#singles;
  }

  get isSingle(): boolean {
    return !this.isObject && !this.isArray && !this.types.has('boolean');
  }

  get isObject(): boolean {
    if (this.types.size > 0) return this.types.has('object');
    return this.names.size > 0 || this.additional !== undefined;
  }

  get isArray(): boolean {
    if (this.types.size > 0) return this.types.has('array') && !this.types.has('object');
    return this.items !== undefined;
  }

  get names(): ReadonlySet<string> {
    return this.#all.names;
  }

  get required(): ReadonlySet<string> {
    return this.#all.required;
  }

  get properties(): ReadonlyMap<string, SchemaNode> {
    return this.#all.properties;
  }

  property(name: string): SchemaNode | undefined {
    return this.properties.get(name);
  }

  /** The members of `patternProperties`. */
  get patterns(): readonly PatternMember[] {
    return this.#all.patterns;
  }

  /** The schemas of members that no property and no pattern describes. */
  get additional(): SchemaNode | undefined {
    return this.#all.additional;
  }

  /** True if the schemas mention and allow members that no property describes. */
  get isOpen(): boolean {
    return this.#all.isOpen;
  }

  get items(): SchemaNode | undefined {
    return this.#all.items;
  }

  /** The nodes of the first items of an array, by index. */
  get prefixItems(): readonly SchemaNode[] {
    return this.#all.prefixItems;
  }

  keyword(keyword: string): JsonValue | undefined {
    return this.possible.find(({ value }) => value[keyword] !== undefined)?.value[keyword];
  }

  /** The nodes of all parts of the value. */
  *parts(): Generator<SchemaNode> {
    yield* this.properties.values();
    for (const { node } of this.patterns) yield node;
    if (this.additional !== undefined) yield this.additional;
    if (this.items !== undefined) yield this.items;
    yield* this.prefixItems;
  }

  /**
   * Returns true if this node or one below passes the test, and if there are too many to search.
   *
   * @param known remembers what was found for each node
   */
  mayReach(
    test: (node: SchemaNode) => boolean,
    known: Pick<WeakMap<SchemaNode, boolean>, 'get' | 'set'>,
  ): boolean {
    const before = known.get(this.target);
    if (before !== undefined) return before;
    const found = new Set<SchemaNode>([this.target]);
    for (const node of found) {
      const verdict = known.get(node) ?? (test(node) || found.size > MOST_SEARCHED || undefined);
      if (verdict === true) {
        known.set(this.target, true);
        return true;
      }
      if (verdict === false) continue;
      for (const part of node.parts()) found.add(part.target);
    }
    for (const node of found) known.set(node, false);
    return false;
  }

  #read(keywords: 'possible' | 'certain'): readonly Located<JsonObject>[] {
    return schemasInPlace(this.nodes.document, this.schemas, inPlaceKeywords[keywords]);
  }

  #readBranches(depth: number): readonly SchemaNode[] {
    const owner = this.certain.find(({ value }) => value['oneOf'] ?? value['anyOf']);
    if (owner === undefined || depth > DEEPEST_UNION) return [this];
    return subschemasUnder(owner, ['oneOf', 'anyOf'])
      .flatMap(({ pointer }) => this.nodes.at(pointer) ?? [])
      .filter((branch) => branch.keyword('type') !== 'null')
      .flatMap((branch) => branch.#readBranches(depth + 1));
  }

  /** Schemas with the same target have the same contents, which are read once. */
  get #all(): Contents {
    if (this.target !== this) return this.target.#all;
    this.#contents ??= readContents(this.nodes, this.possible);
    return this.#contents;
  }
}

/** A member of `patternProperties`. */
export interface PatternMember {
  readonly pattern: Pattern;
  readonly node: SchemaNode;
}

const MOST_SEARCHED = 10_000;
const DEEPEST_UNION = 4;

/** The parts of a value, as the schemas of a node describe them together. */
type Contents = ReturnType<typeof readContents>;

function readContents(nodes: SchemaNodes, schemas: readonly Located<JsonObject>[]) {
  const under = (keyword: string) => {
    const [owner, ...others] = schemas.filter(({ value }) => value[keyword] !== undefined);
    if (owner === undefined) return [];
    const first = subschemasIn(owner, keyword);
    return others.length === 0
      ? first
      : [...first, ...others.flatMap((schema) => subschemasIn(schema, keyword))];
  };
  const objectsUnder = (keyword: string) =>
    nodes.of(under(keyword).filter(({ value }) => isJsonObject(value)));
  const nodesUnder = (keyword: string) => {
    const found = new Map<string, SchemaNode>();
    for (const [key, described] of groupBy(under(keyword), (one) => one.key)) {
      const node = nodes.of(described);
      if (node !== undefined) found.set(key, node);
    }
    return found;
  };
  const properties = nodesUnder('properties');
  const patterns: readonly PatternMember[] = Array.from(
    nodesUnder('patternProperties'),
    ([pattern, node]) => ({ pattern: compileLeniently(pattern), node }),
  );
  const additional = objectsUnder('additionalProperties');
  const allowsAny = schemas.some(({ value }) => value['additionalProperties'] === true);
  const required = schemas.flatMap(({ value }) => value['required'] ?? []);
  return {
    properties,
    names: new Set(properties.keys()),
    required: new Set(required.filter((name) => typeof name === 'string')),
    patterns,
    additional,
    isOpen: allowsAny || patterns.length > 0 || additional !== undefined,
    prefixItems: [...nodesUnder('prefixItems').values()],
    items: objectsUnder('items'),
  };
}

function readTypes(schemas: readonly Located<JsonObject>[]): ReadonlySet<string> {
  const [first, second] = schemas;
  const only = second === undefined ? ONE_TYPE.get(first?.value['type'] ?? null) : undefined;
  return only ?? new Set(schemas.flatMap(({ value }) => namedTypes(value)));
}

/** The sets of most schemas, which name one type. */
const ONE_TYPE: ReadonlyMap<JsonValue, ReadonlySet<string>> = new Map(
  ['object', 'array', 'string', 'integer', 'number', 'boolean'].map((type) => [
    type,
    new Set([type]),
  ]),
);

function namedTypes({ type }: JsonObject): readonly string[] {
  return [type].flat().filter((one): one is string => typeof one === 'string' && one !== 'null');
}

/**
 * Returns the share of the property names of two schemas that both have, in whatever style, out of
 * those of the schema with fewer: 1 if one has all names of the other.
 */
export function likeness(one: SchemaNode | undefined, other: SchemaNode | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one === other || one.identity === other.identity) return 1;
  const [few, many] = one.names.size <= other.names.size ? [one, other] : [other, one];
  if (few.names.size === 0) return 0;
  const [own, others] = [few.styled, many.styled];
  const shared = own.words.filter((word) => others.like(word) !== undefined).length;
  return shared / few.names.size;
}
