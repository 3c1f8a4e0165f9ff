import { isMembers, type Json } from './json.ts';
import type { Parameter } from './operation.ts';

/** A scalar as the text that a parameter carries. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @returns whether a value can be written in a style and be read back as one value only */
export function isWritable(parameter: Parameter, value: Json): boolean {
  if (parameter.mediaType !== undefined) return true;
  const scalar = (one: Json) => isScalarWritable(parameter, one);
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((item) => scalar(item) && item !== '');
  }
  if (!isMembers(value)) return !/deepObject|Delimited/i.test(parameter.style) && scalar(value);
  const members = Object.entries(value);
  if (members.length === 0) return false;
  return members.every(([name, item]) => /^[\w-]+$/.test(name) && scalar(item) && item !== '');
}

function isScalarWritable(parameter: Parameter, value: Json): boolean {
  if (value === null || typeof value === 'object') return false;
  const text = toText(value);
  if (/Delimited/.test(parameter.style) && /[ |,\t]/.test(text)) return false;
  switch (parameter.in) {
    case 'path':
      // A dot is taken for a part of the path, or for label's separator; a slash comes out decoded.
      return (
        /^[^/\\]+$/.test(text) &&
        !/^\.+$/.test(text) &&
        !(parameter.style === 'label' && text.includes('.'))
      );
    case 'header':
      return /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !/[,="]/.test(text);
    case 'cookie':
      return /^[\w.~:/+-]+$/.test(text);
    default:
      return true;
  }
}

/** Percent-encodes all but unreserved characters (RFC 3986 §2.3). */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

/** Writes a query or cookie parameter (OAS 3.1 §4.8.12.3). @returns `name=value` pairs, encoded */
export function writePairs(
  name: string,
  value: Json,
  style: string,
  explode: boolean,
): readonly (readonly [string, string])[] {
  const key = encode(name);
  const separator = SEPARATORS[style] ?? ',';
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(toText(item)));
    return explode ? items.map((item) => [key, item]) : [[key, items.join(separator)]];
  }
  if (!isMembers(value)) return [[key, encode(toText(value))]];
  const members = Object.entries(value).map(
    ([member, item]) => [encode(member), encode(toText(item))] as const,
  );
  if (style === 'deepObject') return members.map(([member, text]) => [`${key}[${member}]`, text]);
  if (explode) return members;
  return [[key, members.flat().join(separator)]];
}

/** Writes what takes a path template's place. */
export function writePath(name: string, value: Json, style: string, explode: boolean): string {
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => encode(toText(item)))
    : isMembers(value)
      ? writeMembers(value, explode)
      : [encode(toText(value))];
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(',');
  const key = encode(name);
  if (!explode || (!isList && !isMembers(value))) return `;${key}=${items.join(',')}`;
  return items.map((item) => (isList ? `;${key}=${item}` : `;${item}`)).join('');
}

/** Writes a header's value: style simple, nothing encoded. */
export function writeHeader(value: Json, explode: boolean): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  if (!isMembers(value)) return toText(value);
  const members = Object.entries(value);
  return members.map(([name, item]) => `${name}${explode ? '=' : ','}${toText(item)}`).join(',');
}

function writeMembers(value: Record<string, Json>, explode: boolean): string[] {
  return Object.entries(value).map(
    ([name, item]) => `${encode(name)}${explode ? '=' : ','}${encode(toText(item))}`,
  );
}
