import type { JsonObject } from '../base/json/value.ts';
import type { Constraints, JsonType } from './space/constraints.ts';

/** Without a `type`, the keywords tell what was meant. */
export function hintedType(constraints: Constraints): JsonType | undefined {
  const has = (...keywords: string[]): boolean =>
    constraints.applied.some(({ schema }) => keywords.some((keyword) => isGiven(schema, keyword)));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties')) {
    return 'object';
  }
  if (has('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return 'array';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) {
    return 'number';
  }
  if (has('pattern', 'format', 'minLength', 'maxLength', 'contentEncoding')) return 'string';
  return has('maxProperties', 'propertyNames', 'dependentRequired') ? 'object' : undefined;
}

function isGiven(schema: JsonObject, keyword: string): boolean {
  return schema[keyword] !== undefined;
}
