import type { JsonObject } from '../../base/json/value.ts';
import { SchemaNode } from '../../schema/schema-node.ts';

/** True for `format: password` and for `writeOnly`: what is never given back is not shown. */
export function isSecret(schema: SchemaNode | undefined): boolean {
  const isHidden = ({ format, writeOnly }: JsonObject) =>
    format === 'password' || writeOnly === true;
  return schema?.possible.some(({ value }) => isHidden(value)) === true;
}

/** Returns what a schema says about a member, by the property and by the patterns of its name. */
export function memberOf(schema: SchemaNode | undefined, name: string): SchemaNode | undefined {
  if (schema === undefined) return undefined;
  const matching = schema.patterns.filter(({ pattern }) => pattern.test(name));
  const described = [schema.property(name), ...matching.map(({ node }) => node)];
  return SchemaNode.unite(described) ?? schema.additional;
}

/** Returns what a schema says about the items of an array, at whatever index. */
export function itemOf(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema && SchemaNode.unite([schema.items, ...schema.prefixItems]);
}

/** True where a place of a value, or a value around it, is a secret. */
export function hidesPlace(schema: SchemaNode | undefined, path: readonly string[]): boolean {
  let at = schema;
  for (const token of path) {
    at = memberOf(at, token) ?? itemOf(at);
    if (isSecret(at)) return true;
  }
  return false;
}
