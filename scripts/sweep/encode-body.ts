import { NotJudged } from './description.ts';
import { encode, toText, writePairs } from './encode-style.ts';
import { isMembers, type Json, member } from './json.ts';
import { essence, isJson, isText, isXml } from './media-type.ts';
import type { Content } from './operation.ts';
import type { XmlValues } from './xml-values.ts';

export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const SEQUENCES: Readonly<Record<string, readonly [string, string]>> = {
  'application/jsonl': ['', '\n'],
  'application/x-ndjson': ['', '\n'],
  'application/json-seq': ['\u001e', '\n'],
};

/** Says whether the sweep can write a media type, for some values at least. */
export function isEncodable(mediaType: string): boolean {
  const type = essence(mediaType);
  return !type.startsWith('multipart/') || type === 'multipart/form-data';
}

/** Writes a body. @throws {NotJudged} for a media type that the sweep cannot write */
export function encodeBody(content: Content, value: Json, xml: XmlValues): EncodedBody {
  const contentType = content.mediaType;
  const type = essence(contentType);
  if (isJson(type)) return { contentType, bytes: Buffer.from(JSON.stringify(value)) };
  const sequence = SEQUENCES[type];
  if (sequence !== undefined) {
    const items = Array.isArray(value) ? value : [value];
    const lines = items.map((item) => sequence[0] + JSON.stringify(item) + sequence[1]);
    return { contentType, bytes: Buffer.from(lines.join('')) };
  }
  if (type === 'application/x-www-form-urlencoded') return encodeForm(content, value);
  if (type === 'multipart/form-data') return encodeMultipart(content, value);
  if (isXml(type) && content.schema !== undefined) {
    return { contentType, bytes: Buffer.from(xml.write(content.schema, value)) };
  }
  if (isText(type) && (typeof value !== 'object' || value === null)) {
    return { contentType, bytes: Buffer.from(toText(value)) };
  }
  if (!isXml(type) && !type.startsWith('multipart/') && typeof value === 'string') {
    return { contentType, bytes: Buffer.from(value) };
  }
  throw new NotJudged(`the sweep cannot write ${type}`);
}

function encodeForm(content: Content, value: Json): EncodedBody {
  if (!isMembers(value)) throw new NotJudged('a form that is no object');
  const pairs = Object.entries(value).flatMap(
    ([name, item]): readonly (readonly [string, string])[] => {
      const { style, explode } = readEncoding(content, name);
      const isComplex = Array.isArray(item) ? item.some(isComposite) : isMembers(item);
      if (style === undefined && isComplex) return [[encode(name), encode(JSON.stringify(item))]];
      return writePairs(name, item, style ?? 'form', explode ?? true);
    },
  );
  const text = pairs.map(([name, item]) => `${name}=${item}`).join('&');
  return { contentType: content.mediaType, bytes: Buffer.from(text) };
}

function isComposite(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/** OAS 3.1 §4.8.15: how a property is written. */
function readEncoding(
  content: Content,
  name: string,
): { style?: string; explode?: boolean; contentType?: string } {
  const encoding = member(member(content.owner.value, 'encoding'), name);
  const { style, explode, contentType } = isMembers(encoding) ? encoding : {};
  return {
    ...(typeof style === 'string' && { style, explode: style === 'form' }),
    ...(typeof explode === 'boolean' && { explode }),
    ...(typeof contentType === 'string' && { contentType }),
  };
}

const BOUNDARY = 'sweep-boundary-7f3a';

function encodeMultipart(content: Content, value: Json): EncodedBody {
  if (!isMembers(value)) throw new NotJudged('a form that is no object');
  const parts = Object.entries(value).flatMap(([name, item]) =>
    (Array.isArray(item) ? item : [item]).map((one) => writePart(content, name, one)),
  );
  const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
  return { contentType, bytes: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`) };
}

/** RFC 7578 §4.2; OAS 3.1 §4.8.15.1.1: what is no text is JSON, unless something else is said. */
function writePart(content: Content, name: string, value: Json): string {
  const { contentType } = readEncoding(content, name);
  const declared = contentType?.split(',')[0]?.trim();
  const type = declared ?? (isComposite(value) ? 'application/json' : undefined);
  if (type !== undefined && /xml|multipart/.test(type)) {
    throw new NotJudged(`the sweep cannot write a part of ${type}`);
  }
  const isFile = isBinary(content, name);
  const fileName = isFile ? '; filename="fern.bin"' : '';
  const head = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${fileName}`,
    ...(type !== undefined || isFile ? [`Content-Type: ${makePlain(type)}`] : []),
  ];
  const text = isComposite(value) ? JSON.stringify(value) : toText(value);
  return `${head.join('\r\n')}\r\n\r\n${text}\r\n`;
}

function makePlain(type: string | undefined): string {
  if (type === undefined || type.includes('*')) return 'application/octet-stream';
  return type;
}

/** A guess from the property's own schema; it decides no more than whether a file name is sent. */
function isBinary(content: Content, name: string): boolean {
  const schema = member(content.owner.value, 'schema');
  const property = member(member(schema, 'properties'), name);
  return (
    member(property, 'format') === 'binary' ||
    member(member(property, 'items'), 'format') === 'binary'
  );
}
