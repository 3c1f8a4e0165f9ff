import { isNumber } from '../base/json/number.ts';
import { toText } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Shape } from './shape.ts';

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
