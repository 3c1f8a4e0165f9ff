import { toPath } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import type { Contract } from '../../contract/contract.ts';
import { type Direction, findAbsentProperties } from '../../schema/message-direction.ts';
import type { Schema, SchemaCompiler } from '../../schema/schema-compiler.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import type { ResourceType } from '../resource.ts';

/**
 * Checks a resource that no operation has created: as the body of a create, and as the response of
 * a read. One of them is enough, because the service may have added members, and a read may leave
 * some out.
 *
 * @param at pointer of the resource in its body or file
 * @returns the violations of the schema with fewer; none if the resource is accepted
 */
export function checkResource(
  { schemas }: Pick<Contract, 'schemas'>,
  type: ResourceType,
  value: JsonValue,
  at: string,
): readonly Violation[] {
  const { nodes } = schemas;
  const { schema, writtenSchema } = type;
  if (writtenSchema?.accepts(value)) return [];
  const check = (one: Schema | undefined) => one?.check(value, 'body', at);
  if (!isJsonObject(value)) return check(writtenSchema) ?? check(schema) ?? noObject(at);
  if (writtenSchema?.accepts(withoutOwn(nodes, type, value))) return [];
  if (schema === undefined) return check(writtenSchema) ?? [];
  const known = nodes.at(schema.pointer)?.names;
  const forms = shownForms(nodes, type, value);
  const isShown = forms.some(schema.accepts);
  const written = nodes.at(writtenSchema?.pointer);
  const names = [...Object.keys(value), ...(written?.required ?? [])];
  const isSound = (name: string) =>
    known?.has(name) || acceptsMember(schemas, written?.property(name), getMember(value, name));
  if (isShown && names.every(isSound)) return [];
  const read = isShown ? [] : schema.check(forms.at(-1) ?? value, 'body', at);
  const sent = check(writtenSchema);
  if (sent === undefined) return read;
  // Only the schema of the create knows this property.
  const isLeftOpen = sent.some(({ pointer }) => {
    const [name] = toPath(pointer.slice(at.length));
    return name !== undefined && !known?.has(name);
  });
  return isLeftOpen || sent.length <= read.length ? sent : read;
}

/**
 * Returns true if an accepted resource surely is with another value of a member that it has: no
 * schema but those of the member depends on it, and they accept it.
 */
export function acceptsInstead(
  { schemas }: Pick<Contract, 'schemas'>,
  { schema, writtenSchema }: ResourceType,
  name: string,
  member: JsonValue,
): boolean {
  const accepts = (one: Schema | undefined, direction: Direction): boolean => {
    const node = schemas.nodes.at(one?.pointer);
    if (node === undefined) return true;
    if (node.possible.some(({ value }) => OF_WHOLE.some((keyword) => keyword in value)))
      return false;
    const own = node.property(name);
    if (own === undefined) return node.additional === undefined && node.patterns.length === 0;
    return own.schemas.every(({ pointer }) => schemas.schemaAt(pointer, direction).accepts(member));
  };
  return accepts(schema, 'response') && accepts(writtenSchema, 'request');
}

/** Keywords by which the value of one member may matter for others. */
const OF_WHOLE = [
  ...['anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'dependencies'],
  ...['const', 'enum'],
];

function acceptsMember(
  schemas: SchemaCompiler,
  node: SchemaNode | undefined,
  member: JsonValue | undefined,
): boolean {
  if (node === undefined || member === undefined) return false;
  return node.schemas.every(({ pointer }) => schemas.schemaAt(pointer).accepts(member));
}

/** Returns the resource as shown. The attributes of JSON:API may forbid the key. */
function shownForms(
  nodes: SchemaNodes,
  { key, schema }: ResourceType,
  value: JsonObject,
): readonly JsonObject[] {
  const node = nodes.at(schema?.pointer);
  const hidden = findAbsentProperties(node, 'response');
  const shown = Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)));
  const property = key?.property?.value;
  if (property === undefined || node?.names.has(property)) return [shown];
  const { [property]: _, ...others } = shown;
  return [shown, others];
}

/** Returns the resource without what the service adds, which a request schema may forbid. */
function withoutOwn(
  nodes: SchemaNodes,
  { serverSet, parents, key, writtenSchema }: ResourceType,
  value: JsonObject,
): JsonObject {
  const known = nodes.at(writtenSchema?.pointer)?.names;
  const own = new Set([
    ...serverSet.map(({ name }) => name),
    ...parents.flatMap(({ property }) => property?.value ?? []),
    ...(key?.property === undefined ? [] : [key.property.value]),
  ]);
  const kept = Object.entries(value).filter(([name]) => known?.has(name) || !own.has(name));
  return Object.fromEntries(kept);
}

function noObject(at: string): readonly Violation[] {
  const [expected, got] = ['an object', 'something else'];
  const message = `body${at} must be ${expected}`;
  return [{ in: 'body', pointer: at, keyword: 'type', expected, got, message }];
}
