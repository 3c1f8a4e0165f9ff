import { Problem } from '../base/problem.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Returns the refusal of data that another version or another program has written.
 *
 * @param what the kind of data: `a counter`
 * @param key where it is stored
 */
export function unreadable(
  { place }: Pick<RedisConnection, 'place'>,
  what: string,
  key: string,
): Problem {
  return new Problem(
    'STORE_UNAVAILABLE',
    `the Redis at ${place} has ${what} in the key ${key} that this version of Coldframe cannot ` +
      'read: delete the key, or give Coldframe another namespace (?namespace=…)',
  );
}

/** Tells whether a value that was read is of a type. */
export type Guard<Value> = (value: unknown) => value is Value;
/** The type of the values that a guard accepts. */
export type Guarded<Of> = Of extends Guard<infer Value> ? Value : never;

export const isText: Guard<string> = (value): value is string => typeof value === 'string';
export const isFlag: Guard<boolean> = (value): value is boolean => typeof value === 'boolean';
export const isFiniteNumber: Guard<number> = (value): value is number => Number.isFinite(value);
export const isCount: Guard<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export function isListOf<Item>(isItem: Guard<Item>): Guard<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(isItem);
}

type Guards<Members> = { readonly [Name in keyof Members]-?: Guard<Members[Name]> };

/** Tells whether a list begins with items of these types; more may follow. */
export function isTupleOf<Items extends readonly unknown[]>(
  ...guards: Guards<Items>
): Guard<Items> {
  return (value): value is Items =>
    Array.isArray(value) && guards.every((isItem, index) => isItem(value[index]));
}

/** Tells whether an object has members of these types; it may have more. */
export function isObjectOf<Members>(guards: Guards<Members>): Guard<Members> {
  const entries = Object.entries<Guard<unknown>>(guards);
  return (value): value is Members =>
    typeof value === 'object' &&
    value !== null &&
    entries.every(([name, isMember]) => isMember(Reflect.get(value, name)));
}

export function isOptional<Value>(isValue: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || isValue(value);
}

/** Returns the JSON value of a text that is of a type, else undefined. */
export function parseAs<Value>(text: string, isValue: Guard<Value>): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isValue(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
