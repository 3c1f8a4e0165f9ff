import { toPath, toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Place } from '../document/place.ts';
import { isAlsoNull } from '../document/schema-dialect.ts';
import { followReference, type SourceDocument } from '../document/source-document.ts';
import { type Direction, findAbsentProperties } from '../schema/message-direction.ts';
import type { SchemaNodes } from '../schema/schema-node.ts';
import { type CycleTest, findInPlaceCycles, walkSchemas } from '../schema/subschemas.ts';
import {
  intersectTypes,
  type TypeNames,
  uniteTypes,
  writeAfter,
  writeComment,
  writeList,
  writeLiteral,
  writeMember,
  writeObject,
} from './typescript-text.ts';

/**
 * Writes schemas as TypeScript types. The target of a `$ref` becomes a named declaration; what no type
 * can say (patterns, limits, conditions) is left out. Types are narrower than their schemas in two
 * ways, as authors mean it: members that are merely not forbidden are not in them, and a schema that
 * describes members is one of objects, even without a `type`.
 */
export class SchemaTypes {
  readonly #nodes: SchemaNodes;
  readonly #document: SourceDocument;
  readonly #names: TypeNames;
  readonly #isCycle: CycleTest;
  readonly #directional = new Map<Place, boolean>();
  /** Schemas that are the same in both directions, with all that they need. */
  readonly #plain = new Set<JsonObject>();
  /** Names by direction and pointer. */
  readonly #named = new Map<string, string>();
  readonly #waiting: Declared[] = [];

  constructor(nodes: SchemaNodes, names: TypeNames) {
    this.#nodes = nodes;
    this.#document = nodes.document;
    this.#names = names;
    this.#isCycle = findInPlaceCycles(nodes.document);
  }

  /** Returns `unknown` if there is no schema. */
  typeOf(pointer: Place, direction: Direction): string {
    return this.#typeAt(pointer, { direction, chain: [] });
  }

  nameOf(pointer: Place, direction: Direction): string {
    const isDirectional = this.#isDirectional(pointer);
    const key = isDirectional ? `${direction} ${pointer}` : pointer;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const wish = toPath(pointer.slice(pointer.indexOf('#') + 1)).at(-1) ?? 'Document';
    const name = this.#names.take(
      isDirectional && direction === 'request' ? `${wish}InRequest` : wish,
    );
    this.#named.set(key, name);
    this.#waiting.push({ name, pointer, direction });
    return name;
  }

  /** Yields the declarations that were named since the last call, and those that they need. */
  *declarations(): Generator<string> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      yield this.#declare(next);
    }
  }

  #declare({ name, pointer, direction }: Declared): string {
    const type = this.#typeAt(pointer, { direction, chain: [pointer] });
    const comment = writeComment(this.#describe(pointer));
    // An editor shows the name of an interface, but the definition of an alias.
    return type.startsWith('{') && type.indexOf('\n}') === type.length - 2
      ? `${comment}export interface ${name} ${type}`
      : `${comment}export type ${name} =${writeAfter(`export type ${name} =`, type)};`;
  }

  #describe(pointer: Place): string {
    const schema = this.#document.schemaAt(pointer);
    if (!isJsonObject(schema)) return '';
    const { title, description, deprecated } = schema;
    const text = [description, title].find((one) => typeof one === 'string' && one !== '');
    const mark = deprecated === true ? ['@deprecated'] : [];
    return [...(typeof text === 'string' ? [text] : []), ...mark].join('\n');
  }

  #typeAt(pointer: Place, context: TypeContext): string {
    const schema = this.#document.schemaAt(pointer);
    if (!isJsonObject(schema)) return schema === false ? 'never' : 'unknown';
    const at = { schema, pointer, context };
    const target = this.#targetOf(schema, pointer);
    const present = intersectTypes([
      ...(target === undefined ? [] : [this.#refer(target, context)]),
      this.#ownType(at),
      ...this.#parts(at, 'allOf').map((part) => this.#typeAt(part, context)),
      this.#alternatives(at, 'oneOf'),
      this.#alternatives(at, 'anyOf'),
    ]);
    return isAlsoNull(schema) ? uniteTypes([present, 'null']) : present;
  }

  #targetOf(schema: JsonObject, pointer: Place): Place | undefined {
    const reference = schema['$ref'] ?? schema['$dynamicRef'];
    const target = followReference(this.#document, reference, pointer);
    const isSchema = target !== undefined && this.#document.schemaAt(target) !== undefined;
    return isSchema ? target : undefined;
  }

  /** Returns the name of a schema, unless it would refer to the type that is being written. */
  #refer(target: Place, context: TypeContext): string {
    const isCircular = context.chain.length > 0 && this.#isCycle(target);
    if (!isCircular) return this.nameOf(target, context.direction);
    if (context.chain.includes(target) || context.chain.length > DEEPEST) return 'unknown';
    return this.#typeAt(target, { ...context, chain: [...context.chain, target] });
  }

  /**
   * Returns the union of alternatives. A base schema names its subtypes, which do not name the base.
   */
  #alternatives(at: SchemaAt, keyword: 'oneOf' | 'anyOf'): string {
    const parts = this.#parts(at, keyword);
    if (parts.length === 0) return 'unknown';
    const { context } = at;
    const targets = parts.map((part) => this.#aliasedBy(part));
    // One of them is the type that is being written, which says nothing more about the value.
    if (targets.some((target) => target !== undefined && context.chain.includes(target))) {
      return 'unknown';
    }
    return uniteTypes(
      parts.map((part, index) => {
        const target = targets[index];
        const isSubtype =
          target !== undefined && context.chain.length === 1 && !this.#returns(target, at);
        return isSubtype ? this.nameOf(target, context.direction) : this.#typeAt(part, context);
      }),
    );
  }

  /** Returns the target of a schema that is only a reference. */
  #aliasedBy(pointer: Place): Place | undefined {
    const schema = this.#document.schemaAt(pointer);
    if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return undefined;
    return this.#targetOf(schema, pointer);
  }

  /** True if alternatives alone lead back to the type that is being written. */
  #returns(from: Place, { context }: SchemaAt, visited = new Set<Place>()): boolean {
    const [owner] = context.chain;
    if (from === owner) return true;
    if (visited.has(from)) return false;
    visited.add(from);
    const schema = this.#document.schemaAt(from);
    if (!isJsonObject(schema)) return false;
    const at = { schema, pointer: from, context };
    const parts = [...this.#parts(at, 'oneOf'), ...this.#parts(at, 'anyOf')];
    return parts.some((part) => {
      const target = this.#aliasedBy(part);
      return target !== undefined && this.#returns(target, at, visited);
    });
  }

  #parts({ schema, pointer }: SchemaAt, keyword: string): readonly Place[] {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => `${pointer}/${keyword}/${index}`) : [];
  }

  /** Returns the type of the schema itself: of its values, else its types. */
  #ownType(at: SchemaAt): string {
    const { schema } = at;
    const { const: only, enum: values } = schema;
    if (only !== undefined) return writeLiteral(only);
    if (Array.isArray(values)) return uniteTypes(values.map(writeLiteral));
    if (isOnlyComposed(schema)) return 'unknown';
    const types = [schema['type'] ?? impliedType(schema)].flat();
    return uniteTypes(types.map((type) => this.#basicType(at, type)));
  }

  #basicType(at: SchemaAt, type: JsonValue): string {
    switch (type) {
      case 'object':
        return this.#objectType(at);
      case 'array':
        return this.#arrayType(at);
      case 'integer':
        return LONG_FORMATS.includes(String(at.schema['format'])) ? 'number | bigint' : 'number';
      case 'null':
      case 'boolean':
      case 'number':
      case 'string':
        return type;
      default:
        return 'unknown';
    }
  }

  /**
   * Returns the type of an object: its properties, and an index signature if the schema mentions
   * others. `readOnly` properties are optional in a request; a response has no `writeOnly` ones.
   */
  #objectType({ schema, pointer, context }: SchemaAt): string {
    const inner = { schema, pointer, context: { ...context, chain: [] } };
    const described = keysOf(schema['properties']);
    const required = new Set([schema['required'] ?? []].flat().map(String));
    const undescribed = [...required].filter((key) => !described.includes(key));
    const members = [
      ...this.#properties(inner, described, required),
      ...undescribed.map((key) => writeMember(key, 'unknown')),
    ];
    const others = this.#typeOfOthers(inner);
    if (others === undefined) return members.length === 0 ? OPEN : writeObject(members);
    // The index signature covers the properties too.
    const type = members.length === 0 ? others : 'unknown';
    return writeObject([...members, `[key: string]: ${type};`]);
  }

  #properties(
    { pointer, context }: SchemaAt,
    keys: readonly string[],
    required: ReadonlySet<string>,
  ): readonly string[] {
    const absent = findAbsentProperties(this.#nodes.at(pointer), context.direction);
    const sent = keys.filter((key) => context.direction === 'request' || !absent.has(key));
    return sent.map((key) => {
      const place = pointer + toPointer(['properties', key]);
      const isOptional = !required.has(key) || absent.has(key);
      return writeMember(key, this.#typeAt(place, context), isOptional, this.#describe(place));
    });
  }

  /** Returns the type of members that no property describes; undefined if none are mentioned. */
  #typeOfOthers({ schema, pointer, context }: SchemaAt): string | undefined {
    const { additionalProperties: additional } = schema;
    const patterns = keysOf(schema['patternProperties']).map((pattern) =>
      this.#typeAt(pointer + toPointer(['patternProperties', pattern]), context),
    );
    // A type with members is closed anyway.
    const isClosed = additional === false && keysOf(schema['properties']).length > 0;
    if (patterns.length === 0 && (additional === undefined || isClosed)) return undefined;
    const isSchema = isJsonObject(additional) || additional === false;
    const others = isSchema ? this.#typeAt(`${pointer}/additionalProperties`, context) : 'unknown';
    return uniteTypes([...patterns, others]);
  }

  /** Returns the type of an array, or of a tuple if the schema has `prefixItems`. */
  #arrayType({ schema, pointer, context }: SchemaAt): string {
    const inner = { ...context, chain: [] };
    const rest = writeList(this.#typeAt(`${pointer}/items`, inner));
    const { prefixItems: places, minItems = 0, maxItems } = schema;
    if (!Array.isArray(places) || places.length === 0) return rest;
    const members = places.map((_, index) => {
      const type = this.#typeAt(`${pointer}/prefixItems/${index}`, inner);
      return index < Number(minItems) ? type : `(${type})?`;
    });
    const isFull = maxItems !== undefined && Number(maxItems) <= places.length;
    const isClosed = isFull || this.#document.schemaAt(`${pointer}/items`) === false;
    return `[${[...members, ...(isClosed ? [] : [`...${rest}`])].join(', ')}]`;
  }

  /** True if the schema, or one that it needs, has `readOnly` or `writeOnly`. */
  #isDirectional(pointer: Place): boolean {
    return remember(this.#directional, pointer, () => {
      const visited = new Set(this.#plain);
      for (const { value } of walkSchemas(this.#document, pointer, visited)) {
        if (value['readOnly'] === true || value['writeOnly'] === true) return true;
      }
      for (const schema of visited) this.#plain.add(schema);
      return false;
    });
  }
}

/** The type of an object that the schema does not describe. */
const OPEN = writeObject(['[key: string]: unknown;']);

/** The context of a schema, on which its type depends as well. */
interface TypeContext {
  readonly direction: Direction;
  /**
   * The schemas around this one that describe the same value: first the one whose declaration is
   * being written, then those that are written inline. A type must not refer to itself this way.
   */
  readonly chain: readonly Place[];
}

interface SchemaAt {
  readonly schema: JsonObject;
  readonly pointer: Place;
  readonly context: TypeContext;
}

interface Declared {
  readonly name: string;
  readonly pointer: Place;
  readonly direction: Direction;
}

/** Formats whose values may be larger than a safe integer. */
const LONG_FORMATS = ['int64', 'uint64'];

/** A longer chain is not written inline. */
const DEEPEST = 6;

/** True if the parts of a schema say more than its type. */
function isOnlyComposed(schema: JsonObject): boolean {
  const { type, oneOf } = schema;
  if (type !== 'object') return Array.isArray(oneOf) && oneOf.every(isConstant);
  const isComposed = ['$ref', 'allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in schema);
  return isComposed && !describesMembers(schema);
}

/** True for an alternative that is a constant: many documents describe enumerations so. */
function isConstant(schema: JsonValue): boolean {
  return isJsonObject(schema) && schema['const'] !== undefined;
}

/** Returns the type of a schema without one: that of objects if it describes members. */
function impliedType(schema: JsonObject): JsonValue {
  if (describesMembers(schema)) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : '';
}

const KEYWORDS_OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'];

function describesMembers(schema: JsonObject): boolean {
  return KEYWORDS_OF_OBJECTS.some((keyword) => keyword in schema);
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}
