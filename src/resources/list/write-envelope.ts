import { toText } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { readKey } from '../collections.ts';
import type { Envelope, EnvelopeRole } from '../meaning.ts';
import type { DeclaredPart, ListFacts } from './list-facts.ts';

export interface ShownItem {
  readonly key: string;
  readonly value: JsonValue;
}

/** Returns the name that an item has in an object of items. */
export function nameOf({ key }: ShownItem): string {
  return toText(readKey(key));
}

/** Returns the candidates for a role, the best first; none for a next page that is not there. */
export type EnvelopeFacts = (role: EnvelopeRole) => readonly JsonValue[];

/**
 * Writes the body that contains a list.
 *
 * @param schemaAt compiles the schemas of the parts
 */
export function writeEnvelope(
  envelope: Envelope,
  items: readonly ShownItem[],
  { parts, constants }: Pick<ListFacts, 'parts' | 'constants'>,
  facts: EnvelopeFacts,
  schemaAt: (pointer: string) => Schema,
): JsonValue {
  const list: JsonValue = envelope.isByKey
    ? Object.fromEntries(items.map((item) => [nameOf(item), item.value]))
    : items.map(({ value }) => value);
  if (envelope.path.length === 0 && (!envelope.isByKey || parts.length === 0)) return list;
  const body: JsonObject = {};
  for (const [name, value] of constants) setMember(body, name, value);
  setAt(body, envelope.path, list);
  for (const part of parts) {
    const value = choose(part, facts(part.role), schemaAt);
    if (value !== undefined) setAt(body, part.path, value);
  }
  return body;
}

/** Returns the first candidate that the schema allows; undefined to leave the member out. */
function choose(
  { node, isRequired }: DeclaredPart,
  candidates: readonly JsonValue[],
  schemaAt: (pointer: string) => Schema,
): JsonValue | undefined {
  const schema = node && schemaAt(node.pointer);
  const allows = (value: JsonValue): boolean => schema?.accepts(value) === true;
  if (schema === undefined) return candidates[0];
  if (candidates.length > 0) return candidates.find(allows);
  return (isRequired ? [null, '', 0] : [null]).find(allows);
}

function setAt(body: JsonObject, path: readonly string[], value: JsonValue): void {
  let owner = body;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(owner, name) ? owner[name] : undefined;
    const next: JsonObject = isJsonObject(inner) ? inner : {};
    setMember(owner, name, next);
    owner = next;
  }
  setMember(owner, path.at(-1) ?? '', value);
}
