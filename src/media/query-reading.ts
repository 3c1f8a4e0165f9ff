import { type JsonObject, setMember } from '../base/json/value.ts';
import { readDeepObject } from './deep-object.ts';
import type { Pair } from './pairs.ts';
import {
  chooseSound,
  type Reading,
  readItems,
  readText,
  type Serialization,
  StyleFault,
} from './style.ts';

/**
 * Reads one value of a query, a form or a list of cookies.
 *
 * @param claimed names that belong to other values: an exploded object does not take them
 * @returns undefined when it did not come
 */
export function readFromPairs(
  pairs: readonly Pair[],
  form: Serialization,
  claimed: ReadonlySet<string>,
): Reading | undefined {
  if (form.style === 'deepObject') return readDeepObject(pairs, form);
  const texts = pairs.filter(({ name }) => name === form.name).map(({ value }) => value);
  if (!form.explode) return readOnce(texts, form);
  const object = form.shape.types.has('object')
    ? readExplodedObject(pairs, form, claimed)
    : undefined;
  if (texts.length === 0) return object;
  const value = readItems(texts, form);
  return object === undefined ? value : chooseSound([value, object], form.shape);
}

function readOnce(texts: readonly string[], form: Serialization): Reading | undefined {
  const [text, ...others] = texts;
  if (text === undefined) return undefined;
  if (others.length === 0) return readText(text, form);
  const types = form.shape.types;
  const isList = types.has('array') || types.has('object');
  const words = isList ? `come once, its parts delimited (style ${form.style})` : 'come once';
  return new StyleFault(words, `${texts.length} values`);
}

/**
 * The members of an exploded object are pairs of their own: those that its schema describes, and
 * where it speaks of others, or describes none, all that nobody else claims.
 */
function readExplodedObject(
  pairs: readonly Pair[],
  form: Serialization,
  claimed: ReadonlySet<string>,
): Reading | undefined {
  const { properties, isOpen } = form.shape;
  const takesOthers = isOpen || properties.size === 0;
  const members = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    if (!properties.has(name) && (!takesOthers || claimed.has(name))) continue;
    const texts = members.get(name);
    if (texts === undefined) members.set(name, [value]);
    else texts.push(value);
  }
  if (members.size === 0) return undefined;
  const object: JsonObject = {};
  for (const [name, texts] of members) {
    const value = readItems(texts, { ...form, shape: form.shape.member(name) });
    if (value instanceof StyleFault)
      return new StyleFault(`${value.expected} (${name})`, value.got);
    setMember(object, name, value);
  }
  return object;
}
