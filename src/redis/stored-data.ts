import { Problem } from '../base/problem.ts';
import type { RedisConnection } from './connection.ts';

/** Returns the refusal of data in a key that another version or another program has written. */
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
export type Guarded<Of> = Of extends Guard<infer Value> ? Value : never;

type Guards<Members> = { readonly [Name in keyof Members]-?: Guard<Members[Name]> };

/** The guards of what Redis has. A list or an object may have more items or members than these. */
export const is = {
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  finite: (value: unknown): value is number => Number.isFinite(value),
  count: (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  optional:
    <Value>(isValue: Guard<Value>): Guard<Value | undefined> =>
    (value): value is Value | undefined =>
      value === undefined || isValue(value),
  list:
    <Item>(isItem: Guard<Item>): Guard<readonly Item[]> =>
    (value): value is readonly Item[] =>
      Array.isArray(value) && value.every(isItem),
  tuple:
    <Items extends readonly unknown[]>(...guards: Guards<Items>): Guard<Items> =>
    (value): value is Items =>
      Array.isArray(value) && guards.every((isItem, index) => isItem(value[index])),
  object<Members>(guards: Guards<Members>): Guard<Members> {
    const entries = Object.entries<Guard<unknown>>(guards);
    return (value): value is Members =>
      typeof value === 'object' &&
      value !== null &&
      entries.every(([name, isMember]) => isMember(Reflect.get(value, name)));
  },
};

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
