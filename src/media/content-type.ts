import { readMediaType } from '../http/media-type.ts';
import { splitOutsideQuotes, unquote } from '../http/message.ts';
import type { ContentType } from './codec.ts';

const UNKNOWN: ContentType = { type: 'application/octet-stream', parameters: new Map() };

/**
 * Parses a Content-Type field; of a repeated parameter, the first counts.
 *
 * @returns `application/octet-stream` for a text that is no media type
 */
export function readContentType(field: string): ContentType {
  const type = readMediaType(field);
  if (type === undefined) return UNKNOWN;
  const parameters = new Map<string, string>();
  if (!field.includes(';')) return { type, parameters };
  for (const parameter of splitOutsideQuotes(field, ';').slice(1)) {
    const end = parameter.indexOf('=');
    if (end < 0) continue;
    const name = parameter.slice(0, end).trim().toLowerCase();
    if (!parameters.has(name)) parameters.set(name, unquote(parameter.slice(end + 1).trim()));
  }
  return { type, parameters };
}

/** The media types that are sent if the document only declares a range. */
const USUAL: readonly (readonly [range: string, mediaType: string])[] = [
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/plain'],
  ['image/*', 'image/png'],
  ['audio/*', 'audio/mpeg'],
  ['video/*', 'video/mp4'],
  ['font/*', 'font/woff2'],
  ['multipart/*', 'multipart/form-data'],
];

export function concreteMediaType(declared: string): string {
  // Some documents have several media types in one key.
  if (declared.includes(',') && !declared.includes('"')) {
    return concreteMediaType((declared.split(',', 1)[0] ?? '').trim());
  }
  if (!declared.includes('*')) return declared;
  const range = (declared.split(';', 1)[0] ?? '').trim().toLowerCase();
  const suffix = /^([a-z]+)\/\*\+(\w+)$/.exec(range);
  if (suffix !== null) return `${suffix[1]}/vnd.coldframe+${suffix[2]}`;
  return USUAL.find(([known]) => known === range)?.[1] ?? 'application/octet-stream';
}
