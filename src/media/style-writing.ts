import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Serialization, Style } from './style.ts';
import { toText } from './text-codec.ts';

/** A name and a value of a form, not yet encoded. */
export type WrittenPair = [name: string, text: string];

/** Returns a value in style `simple` (OAS 3.1 §4.8.12.2), for a header field. */
export function writeSimple(value: JsonValue, explode: boolean): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  if (!isJsonObject(value)) return toText(value);
  return writeMembers(value)
    .map((member) => member.join(explode ? '=' : ','))
    .join(',');
}

function writeMembers(value: JsonObject): WrittenPair[] {
  return Object.entries(value).map(([name, member]) => [name, toText(member)]);
}

type Written = Pick<Serialization, 'name' | 'style' | 'explode'>;

/** Returns the pairs of a value in a query or a form; none for an empty array. */
export function writePairs(value: JsonValue, { name, style, explode }: Written): WrittenPair[] {
  if (style === 'deepObject' && typeof value === 'object') return writeDeep(name, value);
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => [name, toText(item)]);
    return value.length === 0 ? [] : [[name, value.map(toText).join(delimiterOf(style))]];
  }
  if (!isJsonObject(value)) return [[name, toText(value)]];
  const members = writeMembers(value);
  return explode ? members : [[name, members.flat().join(delimiterOf(style))]];
}

function delimiterOf(style: Style): string {
  if (style === 'spaceDelimited') return ' ';
  return style === 'pipeDelimited' ? '|' : ',';
}

function writeDeep(name: string, value: JsonValue): WrittenPair[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => writeDeep(`${name}[${index}]`, item));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => writeDeep(`${name}[${key}]`, item));
  }
  return [[name, toText(value)]];
}

/** Joins pairs to a form or a query (WHATWG URL §5.2). */
export function joinPairs(pairs: readonly WrittenPair[]): string {
  return new URLSearchParams(pairs).toString();
}
