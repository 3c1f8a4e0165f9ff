import { getMember, type JsonObject } from '../../base/json/value.ts';
import type { Random } from '../../base/random.ts';

/** @returns a UUID of chance (RFC 9562 §5.4) */
export function makeUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, (_, index) => {
    if (index === 12) return '4';
    const digit = Math.floor(random.next() * 16);
    return (index === 16 ? (digit & 3) | 8 : digit).toString(16);
  }).join('');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}

/** Properties that a slug is made of, the likeliest first. */
const NAMING = ['name', 'title', 'label', 'displayName', 'display_name', 'subject'];

/**
 * @param attempt from 0: a slug that is taken gets a number
 * @returns `swiss-cheese-plant` of the name of a resource
 */
export function makeSlug(thing: JsonObject, attempt: number): string {
  const name = NAMING.map((one) => getMember(thing, one)).find((one) => typeof one === 'string');
  const slug = (typeof name === 'string' ? name : '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const base = slug === '' ? 'item' : slug;
  return attempt === 0 ? base : `${base}-${attempt + 1}`;
}
