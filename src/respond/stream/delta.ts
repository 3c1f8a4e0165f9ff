import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Container } from './item-writer.ts';
import type { Variant } from './variants.ts';

const MOST_PIECES = 12;

/** Cuts a text after spaces; the pieces add up to the text. */
function cutText(text: string): readonly string[] {
  const words = text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];
  if (words.length <= 1) return text === '' ? [] : [text];
  const size = Math.ceil(words.length / MOST_PIECES);
  const pieces: string[] = [];
  for (let from = 0; from < words.length; from += size) {
    pieces.push(words.slice(from, from + size).join(''));
  }
  return pieces;
}

/** A text of a container, and whether a `delta` is the text or an object that has it. */
interface Text {
  readonly name: string;
  readonly isNested: boolean;
}

/** Returns the text of a container that the `delta` of a variant brings in pieces. */
export function findText(
  { node, subject }: Variant,
  { value, node: described }: Container,
): Text | undefined {
  const delta = node.property('delta');
  if (delta === undefined) return undefined;
  const texts = Object.entries(value)
    .filter(([name, one]) => typeof one === 'string' && one !== '' && isFree(described, name))
    .map(([name]) => name);
  if (delta.isObject) {
    const name = texts.find((one) => delta.names.has(one));
    return name === undefined ? undefined : { name, isNested: true };
  }
  const about = plain(subject.split('.').at(-1) ?? '');
  const kind = plain(String(value['type'] ?? ''));
  const isMeant = (name: string) =>
    [plain(name), kind + plain(name)].includes(about) || (about === kind && USUAL.test(name));
  const name = texts.find(isMeant);
  return name === undefined ? undefined : { name, isNested: false };
}

/** Names of the text in an object that is named after its type alone. */
const USUAL = /^(?:text|content|value)$/;

/** Returns true for a text that is no constant and no member of an enum. */
function isFree(node: SchemaNode, name: string): boolean {
  const member = node.property(name);
  return member?.keyword('enum') === undefined && member?.keyword('const') === undefined;
}

/** Returns the members of the items that bring a text. */
export function piecesOfText({ name, isNested }: Text, value: JsonObject): readonly JsonObject[] {
  return cutText(String(getMember(value, name))).map((piece) => ({
    delta: isNested ? { [name]: piece } : piece,
  }));
}

/** An object of an answer, and the schema that the items of its stream have in its place. */
interface Match {
  readonly value: JsonObject;
  readonly item: SchemaNode;
}

/**
 * Returns the members of the items that add up to an answer, where their schema has `delta` in
 * place of an object of the answer: `choices[].delta` brings `choices[].message` in pieces.
 *
 * @returns undefined if the schema has no such `delta`
 */
export function findDelta({ value, item }: Match): readonly JsonObject[] | undefined {
  const source = sourceOf({ value, item });
  if (source !== undefined) return piecesOf({ value, item }, source);
  for (const [name, member] of item.properties) {
    const given = getMember(value, name);
    if (!Array.isArray(given) || member.items === undefined) continue;
    const { items } = member;
    const pieces = given.map((one) =>
      isJsonObject(one) ? findDelta({ value: one, item: items }) : undefined,
    );
    if (pieces.length === 0 || pieces.includes(undefined)) continue;
    const all = pieces.flatMap((one) => one ?? []);
    return all.map((piece, at) => ({
      [name]: [piece],
      ...(at === all.length - 1 && remainingOf({ value, item }, name)),
    }));
  }
  return undefined;
}

/** Returns the object of an answer that a schema has no property for, but a `delta` of its parts. */
function sourceOf({ value, item }: Match): JsonObject | undefined {
  const delta = item.property('delta');
  if (delta === undefined) return undefined;
  const objects = Object.entries(value).filter(([name]) => !item.names.has(name));
  for (const [, one] of objects) {
    if (isJsonObject(one) && Object.keys(one).some((name) => delta.names.has(name))) return one;
  }
  return undefined;
}

/** Returns an item for each piece of an object; the last one has what the object is not about. */
function piecesOf({ value, item }: Match, source: JsonObject): readonly JsonObject[] {
  const delta = item.property('delta');
  const whole: JsonObject = {};
  const pieces: JsonObject[] = [];
  for (const [name, member] of Object.entries(source)) {
    const node = delta?.property(name);
    if (node === undefined || member === null) continue;
    const isText = typeof member === 'string' && node.keyword('enum') === undefined;
    if (isText) pieces.push(...cutText(member).map((text) => ({ [name]: text })));
    else if (Array.isArray(member)) pieces.push({ [name]: numbered(member, node.items) });
    else whole[name] = member;
  }
  const others = Object.entries(value).filter(([name]) => item.names.has(name));
  const index = others.filter(([name]) => name === 'index');
  const open = others.filter(([name]) => item.required.has(name)).map(([name]) => [name, null]);
  const before = { ...Object.fromEntries(open), ...Object.fromEntries(index) };
  return [
    ...[whole, ...pieces].map((piece) => ({ ...before, delta: piece })),
    { ...Object.fromEntries(others), delta: {} },
  ];
}

/** Returns elements with their indexes, where their schema has one. */
function numbered(elements: readonly JsonValue[], item: SchemaNode | undefined): JsonValue {
  if (item?.property('index') === undefined) return [...elements];
  return elements.map((one, index) => (isJsonObject(one) ? { index, ...one } : one));
}

/** Returns the members of an answer besides a list that its items have room for. */
function remainingOf({ value, item }: Match, list: string): JsonObject {
  const others = Object.entries(value).filter(([name]) => name !== list && item.names.has(name));
  return Object.fromEntries(others.filter(([, one]) => typeof one === 'object' && one !== null));
}
