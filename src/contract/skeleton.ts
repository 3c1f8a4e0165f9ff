import type { OpenAPIDocument } from '../document/document.ts';
import { toPointer } from '../json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** Makes the plainest value that a schema describes; it need not conform, conform checks it. */
export interface Skeletons {
  /** @param pointer of the schema; undefined for none */
  of(pointer: string | undefined): JsonValue;
}

/** Deeper objects are left empty: that is where recursive schemas end. */
const DEEPEST = 5;

export function createSkeletons(document: OpenAPIDocument): Skeletons {
  const build = (pointer: string, depth: number): JsonValue => {
    const located = document.resolve(pointer);
    if (located === undefined || !isJsonObject(located.value) || depth > DEEPEST) return {};
    const { value: schema, pointer: at } = located;
    const given = givenValue(schema);
    if (given !== undefined) return given;
    const combined = combine(schema, at, depth);
    if (combined !== undefined) return combined;
    return byType(schema, at, depth);
  };

  const combine = (schema: JsonObject, at: string, depth: number): JsonValue | undefined => {
    if (Array.isArray(schema['allOf'])) {
      const parts = [...schema['allOf'].keys()].map((index) =>
        build(`${at}/allOf/${index}`, depth),
      );
      const own = byType(schema, at, depth);
      return [...parts, own].every(isJsonObject)
        ? Object.assign({}, ...parts, own)
        : (parts.find((part) => !isJsonObject(part)) ?? own);
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      if (Array.isArray(schema[keyword])) return build(`${at}/${keyword}/0`, depth);
    }
    return undefined;
  };

  const byType = (schema: JsonObject, at: string, depth: number): JsonValue => {
    const [type] = [schema['type'] ?? 'object'].flat();
    switch (type) {
      case 'string':
        return plainText(schema);
      case 'integer':
      case 'number':
        return schema['minimum'] ?? 0;
      case 'boolean':
        return false;
      case 'null':
        return null;
      case 'array':
        return schema['items'] === undefined ? [] : [build(`${at}/items`, depth + 1)];
      default: {
        const object: JsonObject = {};
        const properties = schema['properties'];
        if (!isJsonObject(properties)) return object;
        for (const name of Object.keys(properties)) {
          object[name] = build(`${at}/properties${toPointer([name])}`, depth + 1);
        }
        return object;
      }
    }
  };

  return { of: (pointer) => (pointer === undefined ? {} : build(pointer, 0)) };
}

/** A text of each format that texts commonly have. */
const formatted: ReadonlyMap<string, string> = new Map([
  ['date-time', '1970-01-01T00:00:00Z'],
  ['date', '1970-01-01'],
  ['time', '00:00:00Z'],
  ['duration', 'PT0S'],
  ['email', 'nobody@example.com'],
  ['hostname', 'localhost'],
  ['ipv4', '127.0.0.1'],
  ['ipv6', '::1'],
  ['uri', 'about:blank'],
  ['uri-reference', 'about:blank'],
  ['uuid', '00000000-0000-0000-0000-000000000000'],
  ['byte', 'AAAA'],
]);

function plainText(schema: JsonObject): string {
  const text = formatted.get(String(schema['format'])) ?? 'string';
  const { minLength, maxLength } = schema;
  const padded = text.padEnd(typeof minLength === 'number' ? minLength : 0, '.');
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded;
}

function givenValue(schema: JsonObject): JsonValue | undefined {
  const list = ['enum', 'examples'].map((keyword) => schema[keyword]).find(Array.isArray);
  return (
    getMember(schema, 'const') ??
    getMember(schema, 'default') ??
    getMember(schema, 'example') ??
    list?.[0]
  );
}
