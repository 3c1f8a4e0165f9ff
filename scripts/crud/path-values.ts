import { plain } from '../../src/base/words.ts';
import { NAMING } from '../../src/resources/shape/words.ts';
import type { Json } from '../sweep/json.ts';
import { isMembers, type JsonMembers } from './compare.ts';

const PARAMETER = /\{([^{}]*)\}/g;

/** @returns the names of the parameters of a path template */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** @returns the parameters of a path in a URL that ends in it */
export function valuesAt(url: string, path: string): ReadonlyMap<string, string> | undefined {
  const names = parametersOf(path);
  const pattern = path
    .split(PARAMETER)
    .map((text, index) =>
      index % 2 ? '([^/?]+)' : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  const [, ...values] = new RegExp(`${pattern.join('')}(?:\\?.*)?$`).exec(url) ?? [];
  return values.length === names.length && values.length > 0
    ? new Map(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
    : undefined;
}

/** @returns the member that a parameter names, or by which the object there is called */
export function valueNamed(shown: JsonMembers, parameter: string): string | undefined {
  const word = plain(parameter);
  const [, found] = Object.entries(shown).find(([name]) => plain(name) === word) ?? [];
  const one = isMembers(found) ? NAMING.map((name) => found[name]).find(isSingle) : found;
  return isSingle(one) ? String(one) : undefined;
}

function isSingle(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** @returns the last segment of a URL, without what the path has after its last parameter */
export function segmentAt(url: string, path = ''): string {
  const [, suffix = ''] = /\{[^{}]*\}([^/{}]*)$/.exec(path) ?? [];
  const segment =
    url
      .replace(/\/*(?:\?.*)?$/, '')
      .split('/')
      .at(-1) ?? '';
  return segment.endsWith(suffix) ? segment.slice(0, segment.length - suffix.length) : segment;
}
