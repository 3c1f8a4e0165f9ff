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
  const words = new Set(
    [wanted]
      .flat()
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .flatMap((text) => String(text).toLowerCase().split(/\s+/))
      .filter((word) => word !== ''),
  );
  refuseMany(words.size, 'words');
  return (resource) => {
    const missing = new Set(words);
    dropFound(resource, missing, 0);
    return missing.size === 0;
  };
}

function dropFound(value: JsonValue, missing: Set<string>, depth: number): void {
  if (missing.size === 0) return;
  if (typeof value === 'string') {
    const text = value.toLowerCase();
    for (const word of missing) if (text.includes(word)) missing.delete(word);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    missing.delete(String(value));
  } else if (depth < DEEPEST && (Array.isArray(value) || isJsonObject(value))) {
    for (const member of Object.values(value)) dropFound(member, missing, depth + 1);
  }
}
