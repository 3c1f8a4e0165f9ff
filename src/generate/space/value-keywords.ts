import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isMultipleOf, isNumber } from '../../base/json/number.ts';
import type { JsonNumber, JsonObject, JsonValue } from '../../base/json/value.ts';
import { isOfType } from '../../schema/exact-keywords.ts';
import type { Patterns } from '../../schema/pattern/pattern.ts';
import type { Formats } from '../text/formats.ts';

/** Returns true when a value conforms to the keywords that are not about members. */
export function keepsValue(
  schema: JsonObject,
  value: JsonValue,
  formats: Formats,
  patterns: Patterns,
): boolean {
  const { type, const: constant, enum: list } = schema;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (constant !== undefined && !isEqual(constant, value)) return false;
  if (Array.isArray(list) && list.length > 0 && !list.some((one) => isEqual(one, value))) {
    return false;
  }
  if (isNumber(value)) {
    return keepsLimits(schema, value) && formats.acceptsNumber(schema['format'], value);
  }
  return typeof value !== 'string' || keepsText(schema, value, formats, patterns);
}

function keepsText(
  schema: JsonObject,
  value: string,
  formats: Formats,
  patterns: Patterns,
): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  const isSized = minLength !== undefined || maxLength !== undefined;
  if (isSized && !isBetween([...value].length, minLength, maxLength)) return false;
  if (typeof pattern === 'string' && !patterns.matches(pattern, value)) return false;
  return formats.acceptsText(format, value);
}

function keepsLimits(schema: JsonObject, value: JsonNumber): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const compare = (limit: JsonValue | undefined): number | undefined =>
    limit !== undefined && isNumber(limit) ? compareNumbers(value, limit) : undefined;
  return (
    (compare(minimum) ?? 0) >= 0 &&
    (compare(maximum) ?? 0) <= 0 &&
    (compare(exclusiveMinimum) ?? 1) > 0 &&
    (compare(exclusiveMaximum) ?? -1) < 0 &&
    (multipleOf === undefined || !isNumber(multipleOf) || isMultipleOf(value, multipleOf))
  );
}

/** Returns true when a size is within the given limits. */
export function isBetween(
  size: number,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
): boolean {
  if (least !== undefined && isNumber(least) && size < Number(String(least))) return false;
  return most === undefined || !isNumber(most) || size <= Number(String(most));
}
