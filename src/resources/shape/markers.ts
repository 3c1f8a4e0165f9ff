import { isJsonObject } from '../../base/json/value.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';

/**
 * Returns the node of a response without the variants that only mark a resource, such as
 * `{"id": 7, "deleted": true}` beside the whole one: a stored resource is none of them.
 */
export function withoutMarkers(
  node: SchemaNode | undefined,
  nodes: SchemaNodes,
): SchemaNode | undefined {
  const [only, ...others] = node?.target.schemas ?? [];
  if (only === undefined || others.length > 0 || !isJsonObject(only.value)) return node;
  const { value, pointer } = only;
  const keyword = ['anyOf', 'oneOf'].find((one) => Array.isArray(value[one])) ?? '';
  const branches = value[keyword];
  if (!Array.isArray(branches) || value['properties'] !== undefined) return node;
  const variants = branches.flatMap((_, index) => nodes.at(`${pointer}/${keyword}/${index}`) ?? []);
  const whole = variants.filter((one) => !isMarker(one, variants));
  if (whole.length === variants.length) return node;
  return nodes.of(whole.flatMap(({ schemas }) => schemas)) ?? node;
}

/** Returns true for a variant with a flag that is always true, and that another does not have. */
function isMarker(one: SchemaNode, variants: readonly SchemaNode[]): boolean {
  return [...one.required].some((name) => {
    const flag = one.property(name);
    const values = [flag?.keyword('const') ?? flag?.keyword('enum')].flat();
    const isSet = values.length === 1 && values[0] === true;
    return isSet && variants.some((other) => other !== one && !other.names.has(name));
  });
}
