import { toPointer } from '../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { applicableSchemas } from './applicable-schemas.ts';
import { guardPattern, type TextTest } from './linear-pattern.ts';
import { compilePattern } from './pattern.ts';

/** Keeps of a value what a schema declares; the value itself is left as it is. */
export type Projection = (value: JsonValue) => JsonValue;

/** What the schemas that apply to one place declare, taken together. */
interface Shape {
  readonly properties: Map<string, string[]>;
  readonly patterns: [pattern: TextTest, pointer: string][];
  /** Schemas of `additionalProperties`; `true` when any value may stand there. */
  readonly additional: string[] | true;
  readonly items: string[];
}

/**
 * Compiles a schema to the projection of values onto it: of an object remain the properties that
 * the schema names, directly or through `$ref`, `allOf`, `anyOf`, `oneOf` and conditions; members
 * that it merely does not forbid go. Where a schema names no property at all, all remain.
 *
 * @param pointer of the schema; undefined keeps everything
 */
export function compileProjection(
  document: OpenAPIDocument,
  pointer: string | undefined,
): Projection {
  return pointer === undefined
    ? (value) => value
    : new ProjectionCompiler(document).compile([pointer]);
}

class ProjectionCompiler {
  readonly #document: OpenAPIDocument;
  /** A recursive schema meets its own projection here. */
  readonly #compiled = new Map<string, Projection>();

  constructor(document: OpenAPIDocument) {
    this.#document = document;
  }

  compile(pointers: readonly string[]): Projection {
    const key = pointers.join(' ');
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    let project: Projection | undefined;
    const lazy: Projection = (value) => {
      // Compiled on first use: that is what ends the recursion.
      project ??= this.#compileShape(pointers);
      return project(value);
    };
    this.#compiled.set(key, lazy);
    return lazy;
  }

  #compileShape(pointers: readonly string[]): Projection {
    const shape: { -readonly [Key in keyof Shape]: Shape[Key] } = {
      properties: new Map(),
      patterns: [],
      additional: [],
      items: [],
    };
    for (const pointer of pointers) {
      for (const { value, pointer: at } of applicableSchemas(this.#document, pointer)) {
        this.#collectMembers(value, at, shape);
      }
    }
    const items = shape.items.length > 0 ? this.compile(shape.items) : undefined;
    const members = this.#compileMembers(shape);
    return (value) => {
      if (Array.isArray(value)) return items === undefined ? value : value.map(items);
      return isJsonObject(value) && members !== undefined ? members(value) : value;
    };
  }

  #compileMembers(shape: Shape): ((value: JsonObject) => JsonObject) | undefined {
    const { properties, patterns, additional } = shape;
    if (properties.size === 0 && patterns.length === 0) return undefined;
    const named = [...properties].map(([name, at]) => [name, this.compile(at)] as const);
    if (patterns.length === 0 && additional !== true && additional.length === 0) {
      return (value) => projectNamed(value, named);
    }
    const byName = new Map(named);
    const matching = patterns.map(([pattern, at]) => [pattern, this.compile([at])] as const);
    const others = additional === true ? keep : this.compile(additional);
    const isOpen = additional === true || additional.length > 0;
    return (value) => {
      const projected: JsonObject = {};
      for (const [name, member] of Object.entries(value)) {
        const project =
          byName.get(name) ??
          matching.find(([pattern]) => pattern.test(name))?.[1] ??
          (isOpen ? others : undefined);
        if (project !== undefined) setMember(projected, name, project(member));
      }
      return projected;
    };
  }

  #collectMembers(
    schema: JsonObject,
    pointer: string,
    shape: { -readonly [Key in keyof Shape]: Shape[Key] },
  ): void {
    for (const name of keysOf(schema['properties'])) {
      const at = `${pointer}/properties${toPointer([name])}`;
      shape.properties.set(name, [...(shape.properties.get(name) ?? []), at]);
    }
    for (const pattern of keysOf(schema['patternProperties'])) {
      const at = `${pointer}/patternProperties${toPointer([pattern])}`;
      shape.patterns.push([guardPattern(compilePattern(pattern)), at]);
    }
    if (schema['additionalProperties'] === true) shape.additional = true;
    else if (isJsonObject(schema['additionalProperties']) && shape.additional !== true) {
      shape.additional.push(`${pointer}/additionalProperties`);
    }
    if (isJsonObject(schema['items'])) shape.items.push(`${pointer}/items`);
  }
}

function projectNamed(
  value: JsonObject,
  named: readonly (readonly [name: string, project: Projection])[],
): JsonObject {
  const projected: JsonObject = {};
  for (const [name, project] of named) {
    const member = getMember(value, name);
    if (member !== undefined) setMember(projected, name, project(member));
  }
  return projected;
}

function keysOf(value: JsonValue | undefined): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function keep(value: JsonValue): JsonValue {
  return value;
}
