import { groupBy } from '../base/group-by.ts';
import { type JsonObject, setMember } from '../base/json/value.ts';
import type { Pair } from '../http/query.ts';
import type { Shape } from './shape.ts';
import {
  chooseSound,
  quote,
  type Reading,
  readItems,
  readList,
  readText,
  type Serialization,
  StyleFault,
} from './style.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Reads one value of a query, a form or a list of cookies.
 *
 * @param claimed names of other values, which an exploded object does not contain
 * @returns undefined if it was not sent
 */
export function readFromPairs(
  pairs: readonly Pair[],
  form: Serialization,
  claimed = NO_NAMES,
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
 * Reads an exploded object, whose members are pairs that no other value claims: those that its
 * schema describes, and if the schema mentions others or describes none, all of them.
 */
function readExplodedObject(
  pairs: readonly Pair[],
  form: Serialization,
  claimed: ReadonlySet<string>,
): Reading | undefined {
  const { properties, isOpen } = form.shape;
  const takesOthers = isOpen || properties.size === 0;
  const own = pairs.filter(({ name }) =>
    claimed.has(name) && name !== form.name
      ? false
      : properties.has(name) || (takesOthers && !claimed.has(name)),
  );
  if (own.length === 0) return undefined;
  const object: JsonObject = {};
  for (const [name, members] of groupBy(own, (pair) => pair.name)) {
    const texts = members.map(({ value }) => value);
    const value = readItems(texts, { ...form, shape: form.shape.member(name) });
    if (value instanceof StyleFault)
      return new StyleFault(`${value.expected} (${name})`, value.got);
    setMember(object, name, value);
  }
  return object;
}

/** Names that are nested deeper are refused. */
const DEEPEST = 32;

/** The values of a name: texts, or members. */
interface Branch {
  readonly texts: string[];
  readonly members: Map<string, Branch>;
}

/**
 * Reads style `deepObject`: `filter[size]=5&filter[owner][name]=Ada`. OpenAPI does not define lists,
 * so all forms that clients use are read: `filter[tags][]=a`, `filter[tags][0]=a`, and a repeated
 * name.
 *
 * @returns undefined if no pair has this name
 */
function readDeepObject(pairs: readonly Pair[], form: Serialization): Reading | undefined {
  const root: Branch = { texts: [], members: new Map() };
  for (const { name, value } of pairs) {
    if (name === form.name) root.texts.push(value);
    if (!name.startsWith(`${form.name}[`)) continue;
    const path = readPath(name.slice(form.name.length));
    if (path === undefined) return new StyleFault('be named as in name[member]', quote(name));
    let branch = root;
    for (const key of path) branch = descend(branch, key);
    branch.texts.push(value);
  }
  if (root.texts.length === 0 && root.members.size === 0) return undefined;
  return build(root, form);
}

/** Returns the keys of `[a][b]`; undefined for any other form. */
function readPath(text: string): readonly string[] | undefined {
  if (!/^(?:\[[^[\]]*\])+$/.test(text)) return undefined;
  const keys = text.slice(1, -1).split('][');
  return keys.length > DEEPEST ? undefined : keys;
}

function descend(branch: Branch, key: string): Branch {
  const known = branch.members.get(key);
  if (known !== undefined) return known;
  const child: Branch = { texts: [], members: new Map() };
  branch.members.set(key, child);
  return child;
}

function build(branch: Branch, form: Serialization): Reading {
  const { texts, members } = branch;
  if (members.size === 0) return readItems(texts, form);
  if (texts.length > 0) return new StyleFault('be either a value or an object', 'both');
  return isList(members, form.shape) ? buildArray(members, form) : buildObject(members, form);
}

function isList(members: Branch['members'], { types }: Shape): boolean {
  if (members.has('')) return true;
  return types.has('array') && [...members.keys()].every((key) => /^\d{1,6}$/.test(key));
}

function buildObject(members: Branch['members'], form: Serialization): Reading {
  const object: JsonObject = {};
  for (const [name, branch] of members) {
    const value = build(branch, { ...form, shape: form.shape.member(name) });
    if (value instanceof StyleFault) return value;
    setMember(object, name, value);
  }
  return object;
}

/** Reads items in the order of their numbers; those without one come last. */
function buildArray(members: Branch['members'], form: Serialization): Reading {
  const numbered = [...members].filter(([key]) => key !== '');
  if (numbered.some(([key]) => !/^\d+$/.test(key))) {
    return new StyleFault('be either a list or an object', 'both');
  }
  const unnumbered = members.get('');
  if (unnumbered !== undefined && unnumbered.members.size > 0) {
    return new StyleFault('number the items of a list of objects', 'items without numbers');
  }
  const branches = numbered.sort(([a], [b]) => Number(a) - Number(b)).map(([, branch]) => branch);
  const others = (unnumbered?.texts ?? []).map((text) => ({ texts: [text], members: new Map() }));
  return readList([...branches, ...others], form, build);
}
