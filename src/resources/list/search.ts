import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import { createFilter, type Filter, refuseMany } from './filter.ts';
import type { Comparison } from './list-query.ts';

/**
 * Returns the filters of a search text: words that a resource contains in one of its texts, and
 * conditions on its properties, as in `email:"anna@example.com" AND amount>100 -status:open`.
 *
 * @param names of the properties of the resources
 * @throws {Problem} INVALID_REQUEST for too many words or conditions
 */
export function readSearch(wanted: JsonValue, names: readonly string[]): readonly Filter[] {
  if (typeof wanted !== 'string' || !/[:=<>~]/.test(wanted)) return [createSearch(wanted)];
  const filters: Filter[] = [];
  const words: string[] = [];
  for (const { 0: text, groups } of wanted.matchAll(TERM)) {
    const { sign, name = '', key, operator = '', value = '' } = groups ?? {};
    const property = names.find((one) => plain(one) === plain(name));
    if (property === undefined) {
      words.push(text);
      continue;
    }
    const path = key === undefined ? [property] : [property, unquote(key)];
    const filter = createFilter(path, COMPARED[operator] ?? 'equal', unquote(value));
    filters.push(sign === '-' ? (resource) => !filter(resource) : filter);
  }
  if (filters.length === 0) return [createSearch(wanted)];
  refuseMany(filters.length, 'conditions');
  const rest = words.filter((word) => !/^(?:AND|and)$/.test(word));
  return rest.length === 0 ? filters : [...filters, createSearch(rest.join(' '))];
}

/** A condition on a property, or a member of it, `metadata["level"]:"gold"`; else a word. */
const TERM =
  /(?<sign>-?)(?<name>[A-Za-z]\w*)(?:\[(?<key>[^\]\s]*)\])?(?<operator>[<>]=?|[:=~])(?<value>"[^"]*"|'[^']*'|[^\s"'/][^\s]*)|\S+/g;

const COMPARED: Readonly<Record<string, Comparison>> = {
  '~': 'contains',
  '<': 'less',
  '<=': 'at-most',
  '>': 'greater',
  '>=': 'at-least',
};

function unquote(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

const DEEPEST = 8;

/**
 * Returns the filter for resources that contain each word in one of their strings, in upper or
 * lower case.
 *
 * @throws {Problem} INVALID_REQUEST for too many words
 */
export function createSearch(wanted: JsonValue): Filter {
  const texts = [wanted].flat().filter((one) => typeof one === 'string' || typeof one === 'number');
  const words = new Set(texts.flatMap((text) => String(text).toLowerCase().match(/\S+/g) ?? []));
  refuseMany(words.size, 'words');
  const each = [...words];
  return (resource) => each.every((word) => hasWord(resource, word, 0));
}

function hasWord(value: JsonValue, word: string, depth: number): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value) === word;
  if (depth === DEEPEST) return false;
  if (Array.isArray(value)) return value.some((item) => hasWord(item, word, depth + 1));
  if (!isJsonObject(value)) return false;
  for (const name in value) if (hasWord(value[name] ?? null, word, depth + 1)) return true;
  return false;
}
