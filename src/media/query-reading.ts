import { type JsonObject, setMember } from '../base/json/value.ts';
import { groupBy } from '../base/remember.ts';
import type { Pair } from '../http/query.ts';
import {
  addToBranch,
  buildBranch,
  createBranch,
  isNestedIn,
  readBrackets,
  readKeys,
} from './nested-names.ts';
import { chooseReading } from './shape.ts';
import {
  chooseSound,
  quote,
  type Reading,
  readItems,
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
  const texts: string[] = [];
  for (const { name, value } of pairs) if (name === form.name) texts.push(value);
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
  const isOther = (name: string): boolean => {
    const [base = name] = name.split(/[[.]/, 1);
    return !claimed.has(name) && !claimed.has(base) && base !== form.name;
  };
  const own = pairs.filter(({ name }) =>
    claimed.has(name) && name !== form.name
      ? false
      : properties.has(name) || (takesOthers && isOther(name)),
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

/**
 * Reads style `deepObject`: `filter[size]=5&filter[owner][name]=Ada`. OpenAPI does not define lists,
 * so all forms that clients use are read: `filter[tags][]=a`, `filter[tags][0]=a`, and a repeated
 * name.
 *
 * @returns undefined if no pair has this name
 */
function readDeepObject(pairs: readonly Pair[], form: Serialization): Reading | undefined {
  const own = pairs.filter(({ name }) => name === form.name || name.startsWith(`${form.name}[`));
  return readNested(own, form, (behind) => (behind === '' ? [] : readBrackets(behind)));
}

/** @param keysOf returns the keys of what is behind the name of a value; undefined if malformed */
function readNested(pairs: readonly Pair[], form: Serialization, keysOf: typeof readKeys) {
  if (pairs.length === 0) return undefined;
  const root = createBranch<string>();
  for (const { name, value } of pairs) {
    const path = keysOf(name.slice(form.name.length));
    if (path === undefined) return new StyleFault('be named as in name[member]', quote(name));
    addToBranch(root, path, value);
  }
  return buildBranch(root, form.shape, (texts, shape) => readItems(texts, { ...form, shape }));
}

/**
 * Reads one value of a query or a form as {@link readFromPairs} does, and where the declared style
 * cannot be what came, in the styles that clients use all the same: `x[]=a`, `x[0]=a`, `x[k]=a`,
 * `x.k=a`, a repeated `x`, and `x=a,b`.
 *
 * @param deviate receives the name that came, if another style was read
 */
export function readInAnyStyle(
  pairs: readonly Pair[],
  form: Serialization,
  claimed = NO_NAMES,
  deviate?: (name: string) => void,
): Reading | undefined {
  const declared = readFromPairs(pairs, form, claimed);
  const { name, shape, style } = form;
  if (!shape.types.has('array') && !shape.types.has('object')) return declared;
  const own = pairs.filter(
    (pair) => pair.name === name || (isNestedIn(pair.name, name) && !claimed.has(pair.name)),
  );
  const foreign = own.find(
    (pair) => pair.name !== name && (style !== 'deepObject' || pair.name[name.length] === '.'),
  );
  if (foreign === undefined) return readListOr(declared, own, form, deviate);
  const other = readNested(own, form, readKeys);
  if (other === undefined || other instanceof StyleFault) return declared;
  deviate?.(foreign.name);
  return other;
}

/**
 * Returns what was read in the declared style, or in its place the list of a repeated name or of one
 * text with commas, if more of the schemas accept that.
 */
export function readListOr(
  declared: Reading | undefined,
  own: readonly Pair[],
  form: Serialization,
  deviate: ((name: string) => void) | undefined,
): Reading | undefined {
  const [first] = own;
  const isFaulty = declared instanceof StyleFault;
  const mayHaveCommas = own.length === 1 && first !== undefined && /,|%2C/i.test(first.value);
  if (declared === undefined || first === undefined || !(isFaulty || mayHaveCommas)) {
    return declared;
  }
  const other = mayHaveCommas
    ? readText(first.value, { ...form, style: 'form', explode: false })
    : readNested(own, form, readKeys);
  if (other === undefined || other instanceof StyleFault) return declared;
  const best = isFaulty ? other : chooseReading([declared, other], form.shape);
  if (best !== declared) deviate?.(first.name);
  return best;
}
