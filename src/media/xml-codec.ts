import { createRequire } from 'node:module';
import type { XmlElement } from '@rgrove/parse-xml';
import { isNumber } from '../base/json/number.ts';
import { toText } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { groupBy } from '../base/remember.ts';
import { readText, writeText } from './charset.ts';
import type { Codec, ContentType, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { admitsScalar, readScalar, type Shape } from './shape.ts';

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

/**
 * Returns a value as XML, written by the XML Objects of its schema (OAS 3.1 §4.8.26).
 *
 * @param rootName name of the root element if the schema has none
 */
export function writeXml(value: JsonValue, shape: Shape, rootName: string): string {
  const body = writeValue(shape.xml.name ?? rootName, value, shape, rootName);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
}

/** @param key the name that the value has in its object */
function writeValue(name: string, value: JsonValue, shape: Shape, key = name): string {
  if (value === null) {
    return `<${toName(name)} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`;
  }
  if (isJsonObject(value)) return writeObject(name, value, shape);
  if (Array.isArray(value)) {
    return writeElement(name, shape, writeItems(value, shape, itemName(shape, key)));
  }
  return writeElement(name, shape, escapeText(toText(value)));
}

function writeObject(name: string, value: JsonObject, shape: Shape): string {
  let attributes = '';
  let content = '';
  for (const [key, member] of Object.entries(value)) {
    const property = shape.member(key);
    // An attribute contains a text: an object is an element.
    const isElement = typeof member === 'object' && member !== null && !isNumber(member);
    switch (isElement ? 'element' : property.xml.nodeType) {
      case 'attribute':
        if (member !== null) {
          attributes += ` ${qualify(property.xml.name ?? key, property)}="${escapeAttribute(toText(member))}"`;
        }
        break;
      case 'text':
        content += escapeText(toText(member));
        break;
      case 'cdata':
        content += `<![CDATA[${toText(member).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
        break;
      default:
        content += writeMember(key, member, property);
    }
  }
  return writeElement(name, shape, content, attributes);
}

function writeMember(key: string, value: JsonValue, shape: Shape): string {
  const name = shape.xml.name ?? key;
  const isWrapped = shape.xml.wrapped === true || shape.xml.nodeType === 'element';
  return Array.isArray(value) && !isWrapped
    ? writeItems(value, shape, shape.item(0).xml.name ?? name)
    : writeValue(name, value, shape, key);
}

/** Returns the name of the items, which is by default that of the array (OAS 3.1 §4.8.26.2). */
function itemName(shape: Shape, key: string): string {
  return shape.item(0).xml.name ?? shape.xml.name ?? key;
}

function writeItems(items: readonly JsonValue[], shape: Shape, name: string): string {
  return items.map((item, index) => writeValue(name, item, shape.item(index))).join('');
}

function writeElement(name: string, shape: Shape, content: string, attributes = ''): string {
  const { namespace, prefix } = shape.xml;
  const declaration =
    namespace === undefined
      ? ''
      : ` xmlns${prefix === undefined ? '' : `:${toName(prefix)}`}="${escapeAttribute(namespace)}"`;
  const tag = qualify(name, shape);
  return content === ''
    ? `<${tag}${declaration}${attributes}/>`
    : `<${tag}${declaration}${attributes}>${content}</${tag}>`;
}

/** Adds the prefix, unless it has no namespace: parsers refuse such XML. */
function qualify(name: string, { xml }: Shape): string {
  return xml.prefix !== undefined && xml.namespace !== undefined && xml.nodeType !== 'attribute'
    ? `${toName(xml.prefix)}:${toName(name)}`
    : toName(name);
}

/** Replaces the characters of a name that XML does not allow (XML 1.0 §2.3). */
function toName(name: string): string {
  const allowed = name.replaceAll(NO_NAME_CHARACTER, '_');
  return NAME_START.test(allowed) ? allowed : `_${allowed}`;
}

/** NameStartChar of XML 1.0 §2.3 without the colon, which separates a prefix. */
const STARTS =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D' +
  '\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME_START = new RegExp(`^[${STARTS}]`, 'u');
const NO_NAME_CHARACTER = new RegExp(
  `[^${STARTS}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]`,
  'gu',
);

/** Characters that XML 1.0 §2.2 forbids. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

function escapeText(text: string): string {
  return text
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
