import type { OpenAPIDocument } from '../document/document.ts';
import type { JsonObject } from '../json/value.ts';
import { applicableSchemas } from './applicable-schemas.ts';
import type { Schema, SchemaCompiler } from './schema-compiler.ts';

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

/** A Parameter Object (OAS 3.1 §4.8.12). */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly explode: boolean;
  readonly schema: Schema | undefined;
  /** The types that its schema admits, which say how its text is read; none admits all. */
  readonly types: ReadonlySet<string>;
  /** The same of its items, where it is an array. */
  readonly itemTypes: ReadonlySet<string>;
}

/**
 * The parameters of an operation; its own overrule those of its path (OAS 3.1 §4.8.9).
 *
 * @param pathItem pointer of the Path Item Object
 * @param operation pointer of the Operation Object
 */
export function readParameters(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  pathItem: string,
  operation: string,
): readonly Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const owner of [pathItem, operation]) {
    for (const [, place] of document.at(`${owner}/parameters`) === undefined
      ? []
      : listPointers(document, `${owner}/parameters`)) {
      const located = document.resolveObject(place);
      if (located === undefined) continue;
      const parameter = readParameter(document, schemas, located.pointer, located.value);
      if (parameter !== undefined) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return Object.freeze([...parameters.values()]);
}

/** OAS 3.1 §4.8.12.1: fields of these names are not parameters, whatever is declared. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function readParameter(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  pointer: string,
  parameter: JsonObject,
): Parameter | undefined {
  const { name, in: location } = parameter;
  const isLocation =
    location === 'path' || location === 'query' || location === 'header' || location === 'cookie';
  if (typeof name !== 'string' || !isLocation) {
    throw document.fail(
      pointer,
      'a parameter needs "name", and "in": path, query, header or cookie',
    );
  }
  if (location === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const place = `${pointer}/schema`;
  const hasSchema = document.at(place) !== undefined;
  const isForm = location === 'query' || location === 'cookie';
  return Object.freeze({
    name,
    in: location,
    required: location === 'path' || parameter['required'] === true,
    explode: typeof parameter['explode'] === 'boolean' ? parameter['explode'] : isForm,
    schema: hasSchema ? schemas.schemaAt(place) : undefined,
    types: hasSchema ? collectTypes(document, place) : new Set<string>(),
    itemTypes: hasSchema ? collectItemTypes(document, place) : new Set<string>(),
  });
}

function listPointers(
  document: OpenAPIDocument,
  pointer: string,
): readonly (readonly [index: number, pointer: string])[] {
  const list = document.at(pointer);
  if (!Array.isArray(list)) throw document.fail(pointer, 'a list must stand here');
  return list.map((_, index) => [index, `${pointer}/${index}`] as const);
}

/** Every type that the schema names, through references and combinations. */
function collectTypes(document: OpenAPIDocument, pointer: string): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { value } of applicableSchemas(document, pointer)) {
    for (const type of [value['type'] ?? []].flat()) types.add(String(type));
  }
  return types;
}

function collectItemTypes(document: OpenAPIDocument, pointer: string): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { pointer: at } of applicableSchemas(document, pointer)) {
    for (const type of collectTypes(document, `${at}/items`)) types.add(type);
  }
  return types;
}
