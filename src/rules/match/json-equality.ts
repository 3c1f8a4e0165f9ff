import { isEqual } from '../../base/json/equal.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

/** What `equalToJson` may pass over. */
export interface JsonLeniency {
  readonly ignoresArrayOrder: boolean;
  /** Members and items that are not expected; such items stand behind those that are. */
  readonly ignoresExtraElements: boolean;
}

/** @returns whether a value is the expected one but for what may be passed over */
export function isEqualBut(
  actual: JsonValue,
  expected: JsonValue,
  leniency: JsonLeniency,
): boolean {
  if (isJsonObject(actual) && isJsonObject(expected)) {
    return isObjectEqual(actual, expected, leniency);
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const isLongEnough = leniency.ignoresExtraElements && actual.length > expected.length;
    if (actual.length !== expected.length && !isLongEnough) return false;
    if (leniency.ignoresArrayOrder) return isAssignable(actual, expected, leniency);
    return expected.every((item, index) => isEqualBut(actual[index] ?? null, item, leniency));
  }
  return isEqual(actual, expected);
}

function isObjectEqual(actual: JsonObject, expected: JsonObject, leniency: JsonLeniency): boolean {
  const names = Object.keys(expected);
  if (!leniency.ignoresExtraElements && Object.keys(actual).length !== names.length) return false;
  return names.every((name) => {
    const member = getMember(actual, name);
    return member !== undefined && isEqualBut(member, expected[name] ?? null, leniency);
  });
}

/**
 * Whether each expected item can have an actual one of its own. The first that fits may be wanted
 * by another, which then has to look further: augmenting paths (Kuhn).
 */
function isAssignable(
  actual: readonly JsonValue[],
  expected: readonly JsonValue[],
  leniency: JsonLeniency,
): boolean {
  const owners = new Map<number, number>();
  const fits = expected.map((item) =>
    actual.flatMap((one, index) => (isEqualBut(one, item, leniency) ? [index] : [])),
  );
  const assign = (item: number, tried: Set<number>): boolean =>
    (fits[item] ?? []).some((place) => {
      if (tried.has(place)) return false;
      tried.add(place);
      const owner = owners.get(place);
      if (owner !== undefined && !assign(owner, tried)) return false;
      owners.set(place, item);
      return true;
    });
  return expected.every((_, item) => assign(item, new Set()));
}
