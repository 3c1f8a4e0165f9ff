import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import { readColumn } from '../../state/columns.ts';
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
    filters.push(sign === '-' ? (...scanned) => !filter(...scanned) : filter);
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
  const tests = Array.from(words, (word) => ({
    word,
    line: `\n${word}\n`,
    isNumber: /\d/.test(word),
  }));
  const readText = readColumn('texts', (resource) => gather(resource, isString).toLowerCase());
  const readNumbers = readColumn('numbers', (resource) => gather(resource, isPlainNumber));
  return (scanned, position) => {
    const text = readText(scanned, position);
    for (const { word, line, isNumber } of tests) {
      const isFound =
        text.includes(word) || (isNumber && readNumbers(scanned, position).includes(line));
      if (!isFound) return false;
    }
    return true;
  };
}

/** Returns all values of a resource that pass a test, each on a line: a word has no line breaks. */
function gather(resource: JsonObject, isWanted: (value: JsonValue) => boolean): string {
  let lines = '\n';
  const visit = (value: JsonValue, depth: number): void => {
    if (isWanted(value)) lines += `${String(value)}\n`;
    else if (depth < DEEPEST && (Array.isArray(value) || isJsonObject(value))) {
      for (const member of Object.values(value)) visit(member, depth + 1);
    }
  };
  visit(resource, 0);
  return lines;
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string';
}

function isPlainNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
