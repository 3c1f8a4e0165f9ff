import { getMember, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { getProperty, keyTextOf, readKey } from '../collections.ts';
import type { ResourceType } from '../resource.ts';
import { setProperty } from '../wrapping.ts';

type Check = (resource: JsonObject) => readonly Violation[];

/**
 * Gives a key to a resource that has none, as the service would. The same resource gets the same
 * key.
 *
 * @param numbers that are free in the collection
 * @returns `isMade` if the resource contains the key and is accepted with it
 */
export function giveKey(type: ResourceType, value: JsonObject, numbers: FreeNumbers, check: Check) {
  const property = type.key?.property?.value;
  for (;;) {
    const number = numbers.take();
    const bare = { key: String(number), resource: value, isMade: false };
    if (property === undefined) return bare;
    const made = makeKey(type, value, number, () => createRandom(`${type.name} ${number}`));
    const key = keyTextOf(made);
    if (numbers.isTaken(key)) continue;
    const keyed = withKey(value, property, made);
    return check(keyed).length === 0 ? { key, resource: keyed, isMade: true } : bare;
  }
}

/** Returns the resource with the key that it is stored under, if it has none and may contain it. */
export function nameByKey(
  type: ResourceType,
  value: JsonObject,
  key: string,
  check: Check,
): JsonObject {
  const property = type.key?.property?.value;
  if (property === undefined || getProperty(value, property) !== undefined) return value;
  const keyed = withKey(value, property, readKey(key));
  return check(keyed).length === 0 ? keyed : value;
}

/** Returns the resource with the key as its first member, or inside another member. */
export function withKey(value: JsonObject, property: string, key: JsonValue): JsonObject {
  if (property.includes('.')) {
    const keyed = { ...value };
    setProperty(keyed, property, key);
    return keyed;
  }
  const { [property]: _, ...others } = value;
  return { [property]: key, ...others };
}

/** The numbers from 1 that are no key yet, each once. */
export class FreeNumbers {
  readonly isTaken: (key: string) => boolean;
  #last = 0;

  /** @param isTaken returns true for keys that are not free */
  constructor(isTaken: (key: string) => boolean) {
    this.isTaken = isTaken;
  }

  take(): number {
    do this.#last++;
    while (this.isTaken(String(this.#last)));
    return this.#last;
  }
}

/**
 * Returns the key that the service makes; a number if its schema says what it is like.
 *
 * @param number distinguishes resources with the same name
 */
export function makeKey(
  { key }: Pick<ResourceType, 'key'>,
  value: JsonObject,
  number: number,
  random: () => Random,
): JsonValue {
  switch (key?.generation.value) {
    case 'numeric-text':
      return String(number);
    case 'uuid':
      return makeUuid(random());
    case 'slug':
      return makeSlug(value, number - 1);
    default:
      return number;
  }
}

export function makeUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, (_, index) => {
    if (index === 12) return '4';
    const digit = Math.floor(random.next() * 16);
    return (index === 16 ? (digit & 3) | 8 : digit).toString(16);
  });
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Properties that a slug is made from, the best first. */
const NAMING = ['name', 'title', 'label', 'displayName', 'display_name', 'subject'];

/**
 * Returns the slug of a resource's name: `swiss-cheese-plant`.
 *
 * @param attempt from 0; a number is added if the slug is taken
 */
export function makeSlug(resource: JsonObject, attempt: number): string {
  const name = NAMING.map((one) => getMember(resource, one)).find((one) => typeof one === 'string');
  const slug = (typeof name === 'string' ? name : '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const base = slug === '' ? 'item' : slug;
  return attempt === 0 ? base : `${base}-${attempt + 1}`;
}
