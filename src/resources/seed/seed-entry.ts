import { stringifyJson } from '../../base/json/stringify.ts';
import {
  Decimal,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../base/json/value.ts';
import type { Stored } from '../../state/store.ts';
import { keyIn, keyTextOf, readKey } from '../collections.ts';
import type { ResourceType } from '../resource.ts';

/** An entry in a list of resources: a resource, possibly with its key beside it. */
export type SeedEntry = ReturnType<typeof readEntry>;

const KEY = '$key';
const RESOURCE = '$resource';

/**
 * Reads an entry: a resource, or `{"$key": 7, "$resource": {…}}` if it does not contain its key.
 *
 * @returns the pointer of the resource in its entry; its key is undefined if it contains none
 */
export function readEntry(value: JsonValue, type: ResourceType) {
  if (isJsonObject(value) && Object.keys(value).length === 2) {
    const key = getMember(value, KEY);
    const inner = getMember(value, RESOURCE);
    if (key !== undefined && inner !== undefined) {
      return { key: keyTextOf(key), value: inner, pointer: `/${RESOURCE}` };
    }
  }
  return { key: keyIn(type, value), value, pointer: '' };
}

/**
 * Returns the function that writes the entries of one collection in order. {@link readEntry} finds
 * the same key and resource again. If resources of the type contain no key, those numbered 1, 2, 3…
 * at the beginning are written without it.
 */
export function createEntryWriter(of: ResourceType): (stored: Stored) => JsonObject {
  let next = of.key?.property === undefined ? 1 : undefined;
  return ({ key, resource }) => {
    const entry = readEntry(resource, of);
    const isBare = entry.pointer === '';
    if (isBare && entry.key === key) return resource;
    if (isBare && next !== undefined && key === String(next)) {
      next++;
      return resource;
    }
    next = undefined;
    return { [KEY]: readKey(key), [RESOURCE]: resource };
  };
}

/** Returns the first lines of a fixture file with resources, always the same. */
export function writeSeedHeading(isEmpty: boolean): string {
  return `# Resources that a mock begins with: coldframe <document> --fixtures <this file>
# Written by coldframe state export; docs/guide/seeds.md describes the format.
resources:${isEmpty ? ' {}' : ''}
`;
}

/** Returns the line of a collection; with the resource if it is a singleton. */
export function writeSeedPlace(
  collection: string,
  content: JsonObject | 'list' | 'nothing',
): string {
  const name = PLAIN.test(collection) ? collection : writeFlow(collection);
  if (content === 'list') return `  ${name}:\n`;
  return `  ${name}: ${content === 'nothing' ? '[]' : writeFlow(content)}\n`;
}

export function writeSeedEntry(entry: JsonObject): string {
  return `    - ${writeFlow(entry)}\n`;
}

/** Names that YAML reads as strings without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9_-]*$/;

/** Writes JSON with spaces, and escapes what YAML does not print. */
function writeFlow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, one]) => `${writeFlow(name)}: ${writeFlow(one)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(UNPRINTED, escapeSign);
  return value instanceof Decimal ? value.text : stringifyJson(value);
}

/** YAML 1.2.2 §5.1, and line breaks of older versions (§5.4). */
const UNPRINTED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
