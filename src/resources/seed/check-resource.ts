import { toPath } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import type { Contract } from '../../contract/contract.ts';
import { findAbsentProperties } from '../../schema/message-direction.ts';
import type { SchemaNodes } from '../../schema/schema-node.ts';
import type { ResourceType } from '../resource.ts';

/**
 * Holds a resource that no operation has made to what the document says of one: as a create has to
 * send it, or as a read shows it. The service may have added to what was sent, and a read need not
 * show all of it, so either is enough.
 *
 * @param at pointer of the resource in its body or file
 * @returns the violations of the one that it is closest to; none where it may be kept
 */
export function checkResource(
  { schemas: { nodes } }: Pick<Contract, 'schemas'>,
  type: ResourceType,
  value: JsonValue,
  at: string,
): readonly Violation[] {
  const { schema, writtenSchema } = type;
  const sent = writtenSchema?.check(value, 'body', at);
  if (sent?.length === 0) return sent;
  if (!isJsonObject(value)) return sent ?? schema?.check(value, 'body', at) ?? noObject(at);
  const bare = writtenSchema?.check(withoutOwn(nodes, type, value), 'body', at);
  if (bare?.length === 0) return bare;
  if (schema === undefined) return sent ?? [];
  const read = checkShown(nodes, type, value, at);
  if (sent === undefined) return read;
  const known = nodes.at(schema.pointer)?.names;
  // What only a create knows, only its schema can judge.
  const isLeftOpen = sent.some(({ pointer }) => {
    const [name] = toPath(pointer.slice(at.length));
    return name !== undefined && !known?.has(name);
  });
  return isLeftOpen || sent.length <= read.length ? sent : read;
}

/** The schema of JSON:API's attributes does not know the key, and may forbid it. */
function checkShown(
  nodes: SchemaNodes,
  { key, schema }: ResourceType,
  value: JsonObject,
  at: string,
): readonly Violation[] {
  if (schema === undefined) return [];
  const node = nodes.at(schema.pointer);
  const hidden = findAbsentProperties(node, 'response');
  const shown = Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)));
  const read = schema.check(shown, 'body', at);
  const property = key?.property?.value;
  if (read.length === 0 || property === undefined) return read;
  if (node?.names.has(property)) return read;
  const { [property]: _, ...others } = shown;
  return schema.check(others, 'body', at);
}

/** What the service adds to what was sent: a schema of what is sent may forbid it. */
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
