import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { followReference } from '../document/source-document.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Which way a message goes. A request need not have what is `readOnly`; a response never has what
 * is `writeOnly` (OAS 3.0.4 §4.7.24.1, JSON Schema Validation §9.4).
 */
export type Direction = 'request' | 'response';

const flags = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * Returns the properties that a message of one direction need not or may not have: `readOnly` ones
 * in a request, `writeOnly` ones in a response. A flag may be behind the property's reference, or
 * beside it in an `allOf`.
 */
export function findAbsentProperties(schema: SchemaNode | undefined, direction: Direction) {
  const flag = flags[direction];
  const absent = new Set<string>();
  for (const [name, property] of schema?.properties ?? []) {
    if (property.certain.some(({ value }) => value[flag] === true)) absent.add(name);
  }
  return absent;
}

/** The most references that are followed. */
const MOST_FOLLOWED = 10_000;

/**
 * Returns false if no schema that a schema leads to has the flag of what a message leaves out. It
 * looks for the word in the document, which takes a third of the time of reading what schemas mean.
 */
export function mayLeaveOut({ schemas, nodes }: SchemaNode, direction: Direction): boolean {
  const { document } = nodes;
  const known = nodes.flagged[direction];
  const starts = schemas.map(({ pointer }) => pointer);
  const found = new Set(starts);
  for (const pointer of found) {
    const refer = (reference: JsonValue): void => {
      const target = followReference(document, reference, pointer);
      if (target !== undefined) found.add(target);
    };
    const isFlagged = known.get(pointer) ?? mentions(document.at(pointer), flags[direction], refer);
    if (!isFlagged && found.size <= MOST_FOLLOWED) continue;
    for (const start of starts) known.set(start, true);
    return true;
  }
  for (const pointer of found) known.set(pointer, false);
  return false;
}

/** Keywords by which references may lead elsewhere than they say here. */
const MOVING: ReadonlySet<string> = new Set(['$id', '$dynamicRef', '$recursiveRef']);

type Refer = (reference: JsonValue) => void;

/** Returns true for a value with a flag in it, or with what is not followed by its text. */
function mentions(schema: JsonValue | undefined, flag: string, refer: Refer): boolean {
  const waiting: JsonValue[] = [schema ?? null];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const one of next) waiting.push(one);
    else if (isJsonObject(next) && hasFlag(next, flag, refer, waiting)) return true;
  }
  return false;
}

/** @param waiting the members are added to it */
function hasFlag(value: JsonObject, flag: string, refer: Refer, waiting: JsonValue[]): boolean {
  if (value[flag] === true) return true;
  for (const name in value) {
    if (MOVING.has(name)) return true;
    const member = value[name] ?? null;
    if (name === '$ref') refer(member);
    else if (typeof member === 'object') waiting.push(member);
  }
  return false;
}
