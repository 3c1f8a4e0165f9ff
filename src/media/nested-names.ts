import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Shape } from './shape.ts';
import { type Reading, StyleFault } from './style.ts';

/** Names that are nested deeper are refused. */
const DEEPEST = 32;

/** The values of one name: those that have it, and those of its members, by their keys. */
export interface Branch<Leaf> {
  readonly own: Leaf[];
  readonly members: Map<string, Branch<Leaf>>;
}

export function createBranch<Leaf>(): Branch<Leaf> {
  return { own: [], members: new Map() };
}

/** Adds a value at a path of keys; an empty key is an item without a number. */
export function addToBranch<Leaf>(root: Branch<Leaf>, path: readonly string[], leaf: Leaf): void {
  let branch = root;
  for (const key of path) branch = remember(branch.members, key, createBranch<Leaf>);
  branch.own.push(leaf);
}

/** Returns the keys of `[a][b]`; undefined for any other form. */
export function readBrackets(text: string): readonly string[] | undefined {
  if (!/^(?:\[[^[\]]*\])+$/.test(text)) return undefined;
  const keys = text.slice(1, -1).split('][');
  return keys.length > DEEPEST ? undefined : keys;
}

/** Returns the keys of what is behind a name: of `[a][b]`, of `.a.b`, or of nothing. */
export function readKeys(text: string): readonly string[] | undefined {
  if (text === '') return [];
  if (!/^(?:\.[^.[\]]+)+$/.test(text)) return readBrackets(text);
  const keys = text.slice(1).split('.');
  return keys.length > DEEPEST ? undefined : keys;
}

/** Returns true for `x[k]` and `x.k`, which may name a member or an item of `x`. */
export function isNestedIn(name: string, base: string): boolean {
  if (name.length <= base.length || !name.startsWith(base)) return false;
  return (name[base.length] === '[' || name[base.length] === '.') && base !== '';
}

/** Reads the values that one name has. */
type ReadOwn<Leaf> = (leaves: readonly Leaf[], shape: Shape) => Reading;

/** Returns the value of a branch: an object, a list, or what its own values say. */
export function buildBranch<Leaf>(
  { own, members }: Branch<Leaf>,
  shape: Shape,
  readOwn: ReadOwn<Leaf>,
): Reading {
  if (members.size === 0) return readOwn(own, shape);
  if (own.length > 0) return new StyleFault('be either a value or an object', 'both');
  return isList(members, shape)
    ? buildArray(members, shape, readOwn)
    : buildObject(members, shape, readOwn);
}

type Members<Leaf> = Branch<Leaf>['members'];

function isList<Leaf>(members: Members<Leaf>, { types }: Shape): boolean {
  if (members.has('')) return true;
  return types.has('array') && [...members.keys()].every((key) => /^\d{1,6}$/.test(key));
}

function buildObject<Leaf>(members: Members<Leaf>, shape: Shape, readOwn: ReadOwn<Leaf>): Reading {
  const object: JsonObject = {};
  for (const [name, branch] of members) {
    const value = buildBranch(branch, shape.member(name), readOwn);
    if (value instanceof StyleFault) return value;
    setMember(object, name, value);
  }
  return object;
}

/** Reads items in the order of their numbers; those without one come last. */
function buildArray<Leaf>(members: Members<Leaf>, shape: Shape, readOwn: ReadOwn<Leaf>): Reading {
  const numbered = [...members].filter(([key]) => key !== '');
  if (numbered.some(([key]) => !/^\d+$/.test(key))) {
    return new StyleFault('be either a list or an object', 'both');
  }
  const unnumbered = members.get('');
  if (unnumbered !== undefined && unnumbered.members.size > 0) {
    return new StyleFault('number the items of a list of objects', 'items without numbers');
  }
  const branches = numbered.sort(([a], [b]) => Number(a) - Number(b)).map(([, branch]) => branch);
  const others = (unnumbered?.own ?? []).map((leaf) => ({ own: [leaf], members: new Map() }));
  const list: JsonValue[] = [];
  for (const branch of [...branches, ...others]) {
    const item: Reading = buildBranch(branch, shape.item(list.length), readOwn);
    if (item instanceof StyleFault) return item;
    list.push(item);
  }
  return list;
}
