import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../sweep/json.ts';

export type JsonMembers = { readonly [name: string]: Json };

export function isMembers(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns what stands where names of members lead to */
export function find(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = isMembers(found) ? found[name] : undefined;
  return found;
}

/** The members of a resource, also of a resource object of JSON:API. */
export function membersOf(value: Json | undefined, form: string): JsonMembers | undefined {
  if (!isMembers(value)) return undefined;
  if (form === 'plain') return value;
  const attributes = isMembers(value['attributes']) ? value['attributes'] : {};
  return { ...attributes, ...(value['id'] !== undefined && { id: value['id'] }) };
}

/**
 * Holds what is shown against what was sent: members that both have must say the same.
 *
 * @param passed names of members that the service sets, those inside others with a dot
 * @returns what differs; undefined where nothing does
 */
export function differ(
  sent: JsonMembers,
  shown: JsonMembers,
  passed: ReadonlySet<string>,
): string | undefined {
  const without = (value: Json, name: string): Json =>
    isMembers(value)
      ? Object.fromEntries(Object.entries(value).filter(([each]) => !passed.has(`${name}.${each}`)))
      : value;
  for (const [name, value] of Object.entries(sent)) {
    const other = shown[name];
    if (passed.has(name) || other === undefined || says(without(value, name), other)) continue;
    const told = [value, other].map((one) => JSON.stringify(one).slice(0, 80));
    return `${name} was sent as ${told[0]} and is shown as ${told[1]}`;
  }
  return undefined;
}

/**
 * Equal, or a projection: an object that is shown may lack members, or have more. An object may be
 * shown for what names it: `{"login": "anna"}` for `anna`.
 */
function says(sent: Json, shown: Json): boolean {
  // Null may mean that nothing is said.
  if (sent === null || isDeepStrictEqual(sent, shown)) return true;
  if (Array.isArray(sent) && Array.isArray(shown)) {
    return sent.length === shown.length && sent.every((one, at) => says(one, shown[at] ?? null));
  }
  if (isMembers(sent) && isMembers(shown)) {
    return Object.keys(sent).every((name) => {
      const [one, other] = [sent[name], shown[name]];
      return one === undefined || other === undefined || says(one, other);
    });
  }
  if (typeof sent === 'object') return false;
  if (isMembers(shown)) return Object.values(shown).some((one) => String(one) === String(sent));
  // A schema may want the number as a text, or the text as a number.
  const isNumber = typeof shown === 'number' && sent !== '';
  return String(sent) === String(shown) || (isNumber && Number(sent) === shown);
}
