import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';

/** A schema at hand, and where it stands. */
export interface LocatedSchema {
  readonly pointer: Place;
  readonly value: JsonValue;
}

/** What schemas say of one value: all that may apply to it, taken together. */
export interface SchemaContents {
  readonly schemas: readonly JsonObject[];
  readonly properties: ReadonlyMap<string, readonly LocatedSchema[]>;
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly items: readonly LocatedSchema[];
  readonly additional: readonly LocatedSchema[];
}

/**
 * Reads schemas from their values: the contract's own readers look each place up in the document,
 * which for all schemas of a large one takes longer than all else here.
 */
export function readSchema(
  document: OpenAPIDocument,
  located: readonly LocatedSchema[],
): SchemaContents {
  const reading = new Reading(document);
  for (const one of located) reading.add(one);
  return reading.finish();
}

class Reading {
  readonly #document: OpenAPIDocument;
  readonly #visited = new Set<Place>();
  readonly #schemas: JsonObject[] = [];
  readonly #properties = new Map<string, LocatedSchema[]>();
  readonly #required = new Set<string>();
  readonly #types = new Set<string>();
  readonly #items: LocatedSchema[] = [];
  readonly #additional: LocatedSchema[] = [];

  constructor(document: OpenAPIDocument) {
    this.#document = document;
  }

  add({ pointer, value: given }: LocatedSchema): void {
    if (!isJsonObject(given) || this.#visited.has(pointer)) return;
    this.#visited.add(pointer);
    const value = this.#document.upgradeSchema(given, pointer) as JsonObject;
    this.#schemas.push(value);
    this.#addOwn(pointer, value);
    const target = targetOf(this.#document, { pointer, value });
    if (target !== undefined) this.add(target);
    for (const keyword of COMBINING) {
      const list = value[keyword];
      if (!Array.isArray(list)) continue;
      for (const [index, one] of list.entries()) {
        this.add({ pointer: `${pointer}/${keyword}/${index}`, value: one });
      }
    }
    for (const keyword of CONDITIONAL) {
      const one = value[keyword];
      if (one !== undefined) this.add({ pointer: `${pointer}/${keyword}`, value: one });
    }
  }

  finish(): SchemaContents {
    return {
      schemas: this.#schemas,
      properties: this.#properties,
      names: new Set(this.#properties.keys()),
      required: this.#required,
      types: this.#types,
      items: this.#items,
      additional: this.#additional,
    };
  }

  #addOwn(pointer: Place, value: JsonObject): void {
    const { required, properties, items, additionalProperties: additional } = value;
    for (const one of namedTypes(value)) this.#types.add(one);
    if (Array.isArray(required)) {
      for (const name of required) if (typeof name === 'string') this.#required.add(name);
    }
    if (isJsonObject(items)) this.#items.push({ pointer: `${pointer}/items`, value: items });
    if (isJsonObject(additional)) {
      this.#additional.push({ pointer: `${pointer}/additionalProperties`, value: additional });
    }
    if (isJsonObject(properties)) this.#addProperties(pointer, properties);
  }

  #addProperties(pointer: Place, properties: JsonObject): void {
    for (const [name, property] of Object.entries(properties)) {
      const one = { pointer: `${pointer}/properties${toPointer([name])}`, value: property };
      const known = this.#properties.get(name);
      if (known === undefined) this.#properties.set(name, [one]);
      else known.push(one);
    }
  }
}

/** @returns the types of a schema that names them, and is not combined of others */
export function typesOf(
  document: OpenAPIDocument,
  { pointer, value }: LocatedSchema,
): ReadonlySet<string> | undefined {
  if (!isJsonObject(value) || value['type'] === undefined) return undefined;
  const isCombined = [...COMBINING, ...CONDITIONAL, '$ref'].some(
    (keyword) => value[keyword] !== undefined,
  );
  return isCombined
    ? undefined
    : new Set(namedTypes(document.upgradeSchema(value, pointer) as JsonObject));
}

function namedTypes({ type }: JsonObject): readonly string[] {
  if (typeof type === 'string') return type === 'null' ? [] : [type];
  return Array.isArray(type)
    ? type.filter((one): one is string => typeof one === 'string' && one !== 'null')
    : [];
}

/** Keywords whose schemas apply to the same place of the instance (JSON Schema Core §10.2). */
const COMBINING = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONAL = ['then', 'else'];

/** A schema that says nothing but where another stands is that one. */
export function bareTarget(document: OpenAPIDocument, schema: LocatedSchema): LocatedSchema {
  let current = schema;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { value } = current;
    if (!isJsonObject(value) || Object.keys(value).length > 1) return current;
    const next = targetOf(document, current);
    if (next === undefined) return current;
    current = next;
  }
  return current;
}

const DEEPEST = 16;

/** @returns what the reference of a schema leads to; undefined where it has none, or to nothing */
export function targetOf(
  document: OpenAPIDocument,
  { pointer, value }: LocatedSchema,
): LocatedSchema | undefined {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  if (typeof reference !== 'string') return undefined;
  try {
    const target = document.pointerOf(reference, pointer);
    const found = document.schemaAt(target);
    return found === undefined ? undefined : { pointer: target, value: found };
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}
