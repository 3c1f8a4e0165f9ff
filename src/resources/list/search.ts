import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Filter } from './filter.ts';

/** Deeper texts are not looked at. */
const DEEPEST = 8;

/** @returns the filter by which each word must stand in some text of a resource, whatever its case */
export function createSearch(wanted: JsonValue): Filter {
  const words = [wanted]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .flatMap((text) => String(text).toLowerCase().split(/\s+/))
    .filter((word) => word !== '');
  return (resource) => words.every((word) => hasWord(resource, word, 0));
}

function hasWord(value: JsonValue, word: string, depth: number): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value) === word;
  if (depth >= DEEPEST) return false;
  if (Array.isArray(value)) return value.some((item) => hasWord(item, word, depth + 1));
  if (!isJsonObject(value)) return false;
  return Object.values(value).some((member) => hasWord(member, word, depth + 1));
}
