import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { SchemaNode, type SchemaNodes } from '../../schema/schema-node.ts';

/** Creates schemas by which an editor completes values; they accept every value. */
export class ValueHints {
  readonly #nodes: SchemaNodes;
  readonly #definitions: JsonObject;
  readonly #names = new Map<SchemaNode, string>();

  constructor(nodes: SchemaNodes, definitions: JsonObject) {
    this.#nodes = nodes;
    this.#definitions = definitions;
  }

  /** Returns the schema of a value that these schemas describe; an empty one if none does. */
  of(pointers: readonly string[]): JsonObject {
    return this.#hintOf(SchemaNode.unite(pointers.map((pointer) => this.#nodes.at(pointer))));
  }

  #hintOf(schema: SchemaNode | undefined): JsonObject {
    if (schema === undefined) return {};
    const { target } = schema;
    const known = this.#names.get(target);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const remarks = remarksOf(target.possible.map(({ value }) => value));
    if (target.names.size === 0 && target.items === undefined) return remarks;
    const name = `value-${this.#names.size + 1}`;
    // Added before its parts: a schema may be one of its own parts.
    this.#names.set(target, name);
    setMember(this.#definitions, name, { ...remarks, ...this.#partsOf(target) });
    return { $ref: `#/$defs/${name}` };
  }

  #partsOf({ properties, items }: SchemaNode): JsonObject {
    const hints: JsonObject = {};
    for (const [name, property] of properties) setMember(hints, name, this.#hintOf(property));
    return {
      ...(properties.size > 0 && { properties: hints }),
      ...(items !== undefined && { items: this.#hintOf(items) }),
    };
  }
}

const MOST_EXAMPLES = 50;

function remarksOf(schemas: readonly JsonObject[]): JsonObject {
  const description = schemas
    .flatMap((schema) => [getMember(schema, 'description'), getMember(schema, 'title')])
    .find((text) => typeof text === 'string');
  const examples = schemas.flatMap(examplesOf).slice(0, MOST_EXAMPLES);
  return {
    ...(description !== undefined && { description }),
    ...(examples.length > 0 && { examples }),
  };
}

function examplesOf(schema: JsonObject): readonly JsonValue[] {
  const lists = ['enum', 'examples'].flatMap((name) => {
    const list = getMember(schema, name);
    return Array.isArray(list) ? list : [];
  });
  const lone = ['const', 'example', 'default'].flatMap((name) => getMember(schema, name) ?? []);
  return [...lists, ...lone];
}
