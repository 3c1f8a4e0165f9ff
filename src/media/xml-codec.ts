import { createRequire } from 'node:module';
import type { XmlElement } from '@rgrove/parse-xml';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { groupBy } from '../base/remember.ts';
import { readText, writeText } from './charset.ts';
import type { Codec, ContentType, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { admitsScalar, readScalar, type Shape } from './shape.ts';
import { writeXml } from './xml-writing.ts';

/** Elements that are nested deeper are refused. */
const DEEPEST = 200;

const require = createRequire(import.meta.url);

/** `application/xml`, `text/xml` and every `+xml`, with XML Objects (OAS 3.1 §4.8.26). */
export function createXmlCodec(mediaType: string, { shape, rootName }: Description): Codec {
  const declared = readContentType(mediaType);
  return {
    isValidated: true,
    decode: (bytes, contentType) => readXml(bytes, contentType, shape),
    encode: (value) => {
      // An example in a document may be markup already.
      if (typeof value === 'string' && isMarkup(value)) return value;
      return writeText(writeXml(value, shape, rootName), declared);
    },
  };
}

/**
 * Reads XML as the value that a schema and its XML Objects describe. Names are compared without
 * their prefixes. Document types are ignored, and entities that they declare are unknown.
 *
 * @throws {Problem} MALFORMED_BODY, BODY_TOO_LARGE or BODY_TOO_DEEP
 */
export function readXml(bytes: Uint8Array, contentType: ContentType, shape: Shape): JsonValue {
  refuseCrowded(bytes, 'xml');
  return readElement(parse(readText(bytes, withXmlCharset(bytes, contentType))), shape, 0);
}

/** Adds the charset of the XML declaration if Content-Type has none (RFC 7303 §3). */
function withXmlCharset(bytes: Uint8Array, contentType: ContentType): ContentType {
  if (contentType.parameters.has('charset')) return contentType;
  const isMarked = bytes[0] === 0xfe || bytes[0] === 0xff;
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, written] = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start) ?? [];
  const charset = isMarked ? 'utf-16' : written;
  if (charset === undefined) return contentType;
  return { ...contentType, parameters: new Map([['charset', charset]]) };
}

function parse(text: string): XmlElement {
  const { parseXml } = require('@rgrove/parse-xml') as typeof import('@rgrove/parse-xml');
  try {
    const { root } = parseXml(text);
    if (root === null) throw new Error('it has no element');
    return root;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    const [reason = ''] = (error as Error).message.split('\n');
    throw new Problem('MALFORMED_BODY', `body is not XML: ${reason}`);
  }
}

function isMarkup(text: string): boolean {
  if (!text.trimStart().startsWith('<')) return false;
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function tooDeep(): Problem {
  return new Problem('BODY_TOO_DEEP', `elements nested deeper than ${DEEPEST} are not accepted`);
}

function readElement(element: XmlElement, shape: Shape, depth: number): JsonValue {
  if (depth > DEEPEST) throw tooDeep();
  const { types } = shape;
  if (types.has('null') && isNil(element)) return null;
  const parts = partsOf(element, depth);
  const { children, attributes } = parts;
  const isPlain = children.length === 0 && attributes.size === 0;
  const isContainer = !isPlain || !admitsScalar(shape);
  if (types.has('object') && isContainer) return readObject(parts, shape);
  if (types.has('array') && isContainer) return readItems(children, shape, depth);
  if (types.size === 0 && !isPlain) return readObject(parts, shape);
  const isText = types.size === 0 || types.has('string');
  return readScalar(isText ? element.text : element.text.trim(), shape);
}

/** Returns the parts of an element, none of them taken yet. */
function partsOf(element: XmlElement, depth: number) {
  const attributes = new Map(attributesOf(element));
  return { element, children: childrenOf(element), attributes, depth, taken: new Set<string>() };
}

type Parts = ReturnType<typeof partsOf>;

function readItems(items: readonly XmlElement[], shape: Shape, depth: number): JsonValue[] {
  return items.map((item, index) => readElement(item, shape.item(index), depth + 1));
}

function readObject(parts: Parts, shape: Shape): JsonObject {
  const { children, attributes, taken, depth } = parts;
  const object: JsonObject = {};
  for (const [name, property] of shape.properties) {
    const value = readProperty(parts, name, property) ?? emptyList(shape, name, property);
    if (value !== undefined) setMember(object, name, value);
  }
  for (const [name, text] of attributes) {
    if (!taken.has(`@${name}`)) setMember(object, name, readScalar(text, shape.member(name)));
  }
  for (const [name, list] of groupBy(children, (child) => localName(child.name))) {
    if (taken.has(name)) continue;
    const member = shape.member(name);
    const [only] = list;
    const isOne = list.length === 1 && only !== undefined;
    const value = isOne ? readElement(only, member, depth + 1) : readItems(list, member, depth);
    setMember(object, name, value);
  }
  return object;
}

function readProperty(parts: Parts, name: string, shape: Shape): JsonValue | undefined {
  const { xml } = shape;
  const own = xml.name ?? name;
  switch (xml.nodeType) {
    case 'text':
    case 'cdata':
      return readScalar(textOf(parts.element), shape);
    case 'attribute': {
      parts.taken.add(`@${own}`);
      const text = parts.attributes.get(own);
      return text === undefined ? undefined : readScalar(text, shape);
    }
    default:
      if (isUnwrapped(shape)) return readUnwrapped(parts, name, shape);
  }
  parts.taken.add(own);
  const child = parts.children.find((one) => localName(one.name) === own);
  return child === undefined ? undefined : readElement(child, shape, parts.depth + 1);
}

/** True for a list without an element around its items. */
function isUnwrapped(shape: Shape): boolean {
  const { xml, types } = shape;
  if (xml.wrapped === true || xml.nodeType === 'element') return false;
  return types.has('array') && [...types].every((type) => type === 'array' || type === 'null');
}

function readUnwrapped(parts: Parts, name: string, shape: Shape): JsonValue | undefined {
  const { children, taken, depth } = parts;
  const item = shape.item(0).xml.name;
  const names = new Set([item ?? shape.xml.name ?? name, item ?? name]);
  for (const one of names) taken.add(one);
  const items = children.filter((child) => names.has(localName(child.name)));
  const [only] = items;
  const isNull = items.length === 1 && only !== undefined && isNil(only);
  if (isNull && shape.types.has('null')) return null;
  return items.length === 0 ? undefined : readItems(items, shape, depth);
}

/** Returns an empty list for one that must be there: nothing is written of it. */
function emptyList({ required }: Shape, name: string, property: Shape): JsonValue | undefined {
  return required.has(name) && isUnwrapped(property) ? [] : undefined;
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((node): node is XmlElement => node.type === 'element');
}

/** Returns the text of an element without the text of its children. */
function textOf(element: XmlElement): string {
  const texts = element.children.filter(({ type }) => type === 'text' || type === 'cdata');
  return texts.map((node) => String(Reflect.get(node, 'text'))).join('');
}

/** Returns the attributes without namespace declarations and those of XML Schema. */
function attributesOf(element: XmlElement): readonly (readonly [name: string, text: string])[] {
  return Object.entries(element.attributes)
    .filter(([name]) => !/^xmlns(?::|$)|^xsi:|^xml:/.test(name))
    .map(([name, text]) => [localName(name), text] as const);
}

function isNil(element: XmlElement): boolean {
  return element.attributes['xsi:nil'] === 'true';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
