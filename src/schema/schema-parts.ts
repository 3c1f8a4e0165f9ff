import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { applicableSchemas } from './applicable-schemas.ts';

/** Where the parts of a value are described by the schemas that may apply to it; pointers. */
export interface SchemaParts {
  readonly properties: ReadonlyMap<string, readonly string[]>;
  readonly patterns: readonly (readonly [pattern: string, pointer: string])[];
  /** Of members that no property describes. */
  readonly additional: readonly string[];
  /** True where members that no property describes are spoken of, and allowed. */
  readonly isOpen: boolean;
  readonly prefixItems: readonly (readonly string[])[];
  readonly items: readonly string[];
  /** The schemas themselves. */
  readonly schemas: readonly JsonObject[];
}

/** @param pointers of schemas that describe one value */
export function collectParts(document: SourceDocument, pointers: readonly string[]): SchemaParts {
  const parts = {
    properties: new Map<string, string[]>(),
    patterns: [] as [string, string][],
    additional: [] as string[],
    isOpen: false,
    prefixItems: [] as string[][],
    items: [] as string[],
    schemas: [] as JsonObject[],
  };
  for (const pointer of pointers) {
    for (const { value, pointer: at } of applicableSchemas(document, pointer)) {
      parts.schemas.push(value);
      collectMembers(value, at, parts);
      for (const index of indexesOf(value['prefixItems'])) {
        appendTo(parts.prefixItems, index, `${at}/prefixItems/${index}`);
      }
      if (isJsonObject(value['items'])) parts.items.push(`${at}/items`);
    }
  }
  return parts;
}

interface Members {
  readonly properties: Map<string, string[]>;
  readonly patterns: [string, string][];
  readonly additional: string[];
  isOpen: boolean;
}

function collectMembers(schema: JsonObject, at: string, members: Members): void {
  for (const name of keysOf(schema['properties'])) {
    const place = `${at}/properties${toPointer([name])}`;
    members.properties.set(name, [...(members.properties.get(name) ?? []), place]);
  }
  for (const pattern of keysOf(schema['patternProperties'])) {
    members.patterns.push([pattern, `${at}/patternProperties${toPointer([pattern])}`]);
    members.isOpen = true;
  }
  const { additionalProperties: additional } = schema;
  if (isJsonObject(additional)) members.additional.push(`${at}/additionalProperties`);
  members.isOpen ||= additional === true || isJsonObject(additional);
}

function appendTo(lists: string[][], index: number, item: string): void {
  lists[index] = [...(lists[index] ?? []), item];
}

function indexesOf(value: JsonValue | undefined): readonly number[] {
  return Array.isArray(value) ? [...value.keys()] : [];
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}
