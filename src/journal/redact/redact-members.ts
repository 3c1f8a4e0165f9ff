import { isNumber } from '../../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { isSecret, itemOf, memberOf } from './hidden-schema.ts';
import { REDACTED, type Redaction } from './redaction.ts';

/** A value without its secrets, and the secrets. */
export interface Redacted {
  /** The same value where nothing was hidden. */
  readonly value: JsonValue;
  readonly secrets: readonly string[];
}

/**
 * Hides the secret members of a body, at all depths. That there is none, `null`, is no secret, and
 * neither is a `true` or `false`.
 *
 * @param schema of the value; undefined where none is known
 */
export function redactMembers(
  redaction: Redaction,
  value: JsonValue,
  schema: SchemaNode | undefined,
): Redacted {
  if (redaction.showsSecrets) return { value, secrets: [] };
  const secrets: string[] = [];
  const redact = (one: JsonValue, at: SchemaNode | undefined, isNamed: boolean): JsonValue => {
    if (isNamed || isSecret(at)) return hide(one, secrets);
    if (Array.isArray(one)) return mapItems(one, (item) => redact(item, itemOf(at), false));
    if (!isJsonObject(one)) return one;
    return mapMembers(one, (name, member) =>
      redact(member, memberOf(at, name), redaction.hidesMember(name)),
    );
  };
  return { value: redact(value, schema, false), secrets };
}

/** @returns what stands in the place of a secret, whose texts are noted */
export function hide(value: JsonValue, secrets: string[]): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  noteTexts(value, secrets);
  return REDACTED;
}

function noteTexts(value: JsonValue, secrets: string[]): void {
  if (typeof value === 'string') secrets.push(value);
  else if (isNumber(value)) secrets.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) noteTexts(member, secrets);
  }
}

function mapItems(items: JsonValue[], map: (item: JsonValue) => JsonValue): JsonValue[] {
  const mapped = items.map(map);
  return mapped.every((item, index) => item === items[index]) ? items : mapped;
}

function mapMembers(
  object: JsonObject,
  map: (name: string, member: JsonValue) => JsonValue,
): JsonObject {
  const mapped: JsonObject = {};
  let isSame = true;
  for (const [name, member] of Object.entries(object)) {
    const next = map(name, member);
    isSame &&= next === member;
    setMember(mapped, name, next);
  }
  return isSame ? object : mapped;
}
