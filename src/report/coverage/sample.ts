import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { findAbsentProperties } from '../../schema/message-direction.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Wish } from './item.ts';

/** Deeper values are left empty. */
const DEEPEST = 8;

/**
 * Returns a small value of a schema, with what a wish asks for at a path in it. It costs little and
 * compiles nothing, so it need not keep patterns.
 */
export function sampleOf(node: SchemaNode | undefined, wish: Wish = {}, depth = 0): JsonValue {
  const { path: [name, ...rest] = [], schema, value } = wish;
  if (name === undefined) {
    if (value !== undefined) return value;
    return schema === undefined ? plainSample(node, depth) : sampleOf(schema, {}, depth + 1);
  }
  const inside = { ...wish, path: rest };
  if (name === '*') return [sampleOf(node?.items, inside, depth + 1)];
  const sample = requiredMembers(node, depth, name);
  setMember(sample, name, sampleOf(node?.property(name), inside, depth + 1));
  return sample;
}

function plainSample(node: SchemaNode | undefined, depth: number): JsonValue {
  if (node === undefined || depth > DEEPEST) return 'text';
  for (const { value } of node.possible) {
    const { example, examples, default: usual, const: only, enum: listed } = value;
    const [given] = [listed, Array.isArray(examples) ? examples : []].flat();
    const found = only ?? example ?? (Array.isArray(listed) ? given : (usual ?? given));
    if (found !== undefined && !isJsonObject(found)) return found;
  }
  if (node.isObject) return requiredMembers(node, depth);
  const [type = 'string'] = node.types;
  switch (type) {
    case 'array':
      // An empty one leaves nothing in a query.
      return [sampleOf(node.items, {}, depth + 1)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return node.keyword('minimum') ?? numberAbove(node.keyword('exclusiveMinimum'));
    default:
      return textOf(node);
  }
}

function numberAbove(limit: JsonValue | undefined): JsonValue {
  return typeof limit === 'number' ? limit + 1 : 1;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'fern@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  time: '12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};

function textOf(node: SchemaNode): string {
  const text = TEXTS[String(node.keyword('format'))] ?? 'text';
  const most = Number(node.keyword('maxLength') ?? text.length);
  return text.slice(0, most).padEnd(Math.min(Number(node.keyword('minLength') ?? 0), 1000), 'x');
}

/** Returns the required members of an object; of a union those of its first branch. */
function requiredMembers(node: SchemaNode | undefined, depth: number, but?: string): JsonObject {
  const sample: JsonObject = {};
  if (node === undefined || depth > DEEPEST) return sample;
  const absent = findAbsentProperties(node, 'request');
  for (const name of node.required) {
    if (absent.has(name) || name === but) continue;
    setMember(sample, name, sampleOf(node.property(name), {}, depth + 1));
  }
  return sample;
}
