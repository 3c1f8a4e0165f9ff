import { createRequire } from 'node:module';
import type { XmlElement } from '@rgrove/parse-xml';
import { groupBy } from '../base/group-by.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { admitsScalar, readScalar, type Shape } from './shape.ts';

/** Elements that are nested deeper are refused. */
const DEEPEST = 200;

const require = createRequire(import.meta.url);

/**
 * Reads XML as the value that a schema and its XML Objects describe. Names are compared without
 * their prefixes. Document types are ignored, and entities that they declare are unknown.
 *
 * @throws {Problem} MALFORMED_BODY or BODY_TOO_DEEP
 */
export function readXml(text: string, shape: Shape): JsonValue {
  return readElement(parse(text), shape, 0);
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

function tooDeep(): Problem {
  return new Problem('BODY_TOO_DEEP', `elements nested deeper than ${DEEPEST} are not accepted`);
}

function readElement(element: XmlElement, shape: Shape, depth: number): JsonValue {
  if (depth > DEEPEST) throw tooDeep();
  const { types } = shape;
  if (types.has('null') && isNil(element)) return null;
  const children = childrenOf(element);
  const attributes = attributesOf(element);
  const isPlain = children.length === 0 && attributes.length === 0;
  if (types.has('object') && (!isPlain || !admitsScalar(shape))) {
    return readObject(element, shape, depth);
  }
  if (types.has('array') && (!isPlain || !admitsScalar(shape))) {
    return children.map((child, index) => readElement(child, shape.item(index), depth + 1));
  }
  if (types.size === 0 && !isPlain) return readObject(element, shape, depth);
  const isText = types.size === 0 || types.has('string');
  return readScalar(isText ? element.text : element.text.trim(), shape);
}

function readObject(element: XmlElement, shape: Shape, depth: number): JsonObject {
  const object: JsonObject = {};
  const children = childrenOf(element);
  const attributes = new Map(attributesOf(element));
  const taken = new Set<string>();
  for (const [name, property] of shape.properties) {
    const value = readProperty(element, name, property, children, attributes, taken, depth);
    if (value !== undefined) setMember(object, name, value);
  }
  for (const [name, text] of attributes) {
    if (!taken.has(`@${name}`)) setMember(object, name, readScalar(text, shape.member(name)));
  }
  for (const [name, list] of groupBy(children, (child) => localName(child.name))) {
    if (taken.has(name)) continue;
    const member = shape.member(name);
    const [only] = list;
    const value =
      list.length === 1 && only !== undefined
        ? readElement(only, member, depth + 1)
        : list.map((child, index) => readElement(child, member.item(index), depth + 1));
    setMember(object, name, value);
  }
  return object;
}

function readProperty(
  element: XmlElement,
  name: string,
  shape: Shape,
  children: readonly XmlElement[],
  attributes: ReadonlyMap<string, string>,
  taken: Set<string>,
  depth: number,
): JsonValue | undefined {
  const { xml } = shape;
  const own = xml.name ?? name;
  switch (xml.nodeType) {
    case 'text':
    case 'cdata':
      return readScalar(textOf(element), shape);
    case 'attribute': {
      taken.add(`@${own}`);
      const text = attributes.get(own);
      return text === undefined ? undefined : readScalar(text, shape);
    }
    default:
      if (isUnwrapped(shape)) return readUnwrapped(own, name, shape, children, taken, depth);
  }
  taken.add(own);
  const child = children.find((one) => localName(one.name) === own);
  return child === undefined ? undefined : readElement(child, shape, depth + 1);
}

/** True for a list without an element around its items. */
function isUnwrapped(shape: Shape): boolean {
  const { xml, types } = shape;
  if (xml.wrapped === true || xml.nodeType === 'element') return false;
  return types.has('array') && !types.has('object') && !admitsScalar(shape);
}

function readUnwrapped(
  own: string,
  name: string,
  shape: Shape,
  children: readonly XmlElement[],
  taken: Set<string>,
  depth: number,
): JsonValue | undefined {
  const item = shape.item(0).xml.name;
  const names = new Set([item ?? own, item ?? name]);
  for (const one of names) taken.add(one);
  const items = children.filter((child) => names.has(localName(child.name)));
  if (items.length === 0) return undefined;
  return items.map((child, index) => readElement(child, shape.item(index), depth + 1));
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((node): node is XmlElement => node.type === 'element');
}

/** Returns the text of an element without the text of its children. */
function textOf(element: XmlElement): string {
  return element.children
    .map((node) =>
      node.type === 'text' || node.type === 'cdata' ? String(Reflect.get(node, 'text')) : '',
    )
    .join('');
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
