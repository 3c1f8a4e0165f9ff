import { isEqual } from '../../base/json/equal.ts';
import { isNumber, readExactNumber } from '../../base/json/number.ts';
import { toPath } from '../../base/json/pointer.ts';
import {
  copyJson,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mergeDeep,
  setMember,
} from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import { once, remember } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { generateFor } from '../generated.ts';

/** The most schemas to try for one value: unions of unions have many branches. */
const MOST_TRIED = 150;
const DEEPEST = 8;

/** The schema that a value has to fit, and the sources of what it lacks. */
interface Fit {
  readonly material: {
    readonly contract: Pick<Contract, 'document' | 'schemas'>;
    readonly generator: Generator;
  };
  /** Undefined if every value conforms. */
  readonly schema: Schema | undefined;
  /** The first value to take missing members from. */
  readonly example: JsonValue | undefined;
  /** The only thing that generated values depend on. */
  readonly identity: string;
}

/**
 * Returns the value as it conforms, with as few changes as possible. It tries in this
 * order: to add what is missing; to fit each part to its own schema; to remove what is not allowed;
 * to do that with the members of the example or of a generated value added.
 *
 * @returns undefined if no value conforms
 */
export function fitValue(wanted: Fit, value: JsonValue): JsonValue | undefined {
  const { material, schema, example, identity } = wanted;
  if (schema === undefined || schema.accepts(value)) return value;
  const generated = once(() => generateFor(material.generator, schema, identity)?.value);
  const bases = [() => example, generated];
  const first = (make: (base: JsonValue) => JsonValue | undefined): JsonValue | undefined => {
    for (const base of bases) {
      const from = base();
      const made = from === undefined ? undefined : make(from);
      if (made !== undefined) return made;
    }
    return undefined;
  };
  const violations = isJsonObject(value) ? schema.check(value, 'body') : [];
  return (
    (lacks(violations) ? fillFirst(schema, value, bases, violations) : undefined) ??
    new Fitting(wanted, generated).fit(schema.pointer, value, 0) ??
    first((base) => repair(schema, value, base)) ??
    first((base) => repair(schema, mergeDeep(base, value), base))
  );
}

/**
 * Returns the value with the members that it lacks, from the first base that has them; undefined if
 * it does not conform with these.
 */
function fillFirst(
  schema: Schema,
  value: JsonValue,
  bases: readonly (() => JsonValue | undefined)[],
  violations: readonly Violation[],
): JsonValue | undefined {
  for (const find of bases) {
    const base = find();
    const filled = base === undefined ? undefined : fill(schema, value, base, violations);
    // What is wrong besides does not become right by other members.
    if (filled !== undefined && !lacks(filled.violations)) return conforming(filled);
  }
  return undefined;
}

function lacks(violations: readonly Violation[]): boolean {
  return violations.some(({ keyword }) => keyword === 'required');
}

function countKept(value: JsonValue, other: JsonValue): number {
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.reduce<number>((sum, item, at) => sum + countKept(item, other[at] ?? null), 0);
  }
  if (isJsonObject(value) && isJsonObject(other)) {
    return Object.entries(value).reduce(
      (sum, [name, member]) => sum + countKept(member, getMember(other, name) ?? null),
      0,
    );
  }
  return value !== null && isEqual(value, other) ? 1 : 0;
}

/** Fits a value part by part: each branch of a union, each item and each member. */
class Fitting {
  readonly #wanted: Fit;
  /** Returns the generated value of the whole. */
  readonly #generateWhole: () => JsonValue | undefined;
  /** The generated values by the pointers of their schemas: the items of a list share one. */
  readonly #generated = new Map<string, JsonValue | undefined>();
  #left = MOST_TRIED;

  constructor(wanted: Fit, generateWhole: () => JsonValue | undefined) {
    this.#wanted = wanted;
    this.#generateWhole = generateWhole;
  }

  fit(pointer: string, value: JsonValue, depth: number): JsonValue | undefined {
    this.#left--;
    if (this.#left < 0 || depth > DEEPEST) return undefined;
    const { material, identity, example } = this.#wanted;
    const schema = material.contract.schemas.schemaAt(pointer, 'response');
    if (schema.accepts(value)) return value;
    const conforms = (one: JsonValue | undefined): one is JsonValue =>
      one !== undefined && schema.accepts(one);
    // The branch that describes and keeps most values; of several, the first.
    const [closest] = this.#branchesOf(pointer)
      .map((branch) => ({ branch, fitted: this.fit(branch, value, depth + 1) }))
      .flatMap(({ branch, fitted }) =>
        conforms(fitted)
          ? { fitted, kept: countKept(value, this.#describedIn(branch, fitted)) }
          : [],
      )
      .sort((one, other) => other.kept - one.kept);
    if (closest !== undefined) return closest.fitted;
    const parts = this.#fitParts(pointer, value, depth);
    const violations = schema.check(parts, 'body');
    if (violations.length === 0) return parts;
    const fillOrRepair = (base: JsonValue | undefined): JsonValue | undefined => {
      if (base === undefined) return undefined;
      if (!isJsonObject(parts)) return repair(schema, parts, base, violations);
      const filled = fill(schema, parts, base, violations);
      return conforming(filled) ?? repair(schema, filled.value, base, filled.violations);
    };
    const generate = () => generateFor(material.generator, schema, `${identity} ${pointer}`)?.value;
    if (depth === 0) return fillOrRepair(example) ?? fillOrRepair(this.#generateWhole());
    return fillOrRepair(remember(this.#generated, pointer, generate));
  }

  /** Fits each item and each member to its own schema. One that does not fit stays as it is. */
  #fitParts(pointer: string, value: JsonValue, depth: number): JsonValue {
    const { document, schemas } = this.#wanted.material.contract;
    if (Array.isArray(value)) {
      const at = `${document.resolve(pointer)?.pointer ?? pointer}/items`;
      if (document.schemaAt(at) === undefined) return value;
      return value.map((item) => this.fit(at, item, depth + 1) ?? item);
    }
    if (!isJsonObject(value)) return value;
    const fitted: JsonObject = { ...value };
    for (const [name, { pointer: at }] of schemas.nodes.at(pointer)?.properties ?? []) {
      const member = getMember(value, name);
      if (member === undefined || typeof member !== 'object') continue;
      setMember(fitted, name, this.fit(at, member, depth + 1) ?? member);
    }
    return fitted;
  }

  /** Returns the members that a schema describes; all of them if it describes none. */
  #describedIn(pointer: string, value: JsonValue): JsonValue {
    const described = this.#wanted.material.contract.schemas.nodes.at(pointer)?.names;
    if (described === undefined || described.size === 0 || !isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => described.has(name)));
  }

  /** Returns the branches of a schema, and of the parts that its `allOf` has. */
  #branchesOf(pointer: string): readonly string[] {
    const { schemas } = this.#wanted.material.contract;
    return (schemas.nodes.at(pointer)?.certain ?? []).flatMap(({ value, pointer: place }) =>
      ['oneOf', 'anyOf'].flatMap((keyword) => {
        const branches = value[keyword];
        return Array.isArray(branches)
          ? branches.map((_, index) => `${place}/${keyword}/${index}`)
          : [];
      }),
    );
  }
}

/** A member that was filled in may require further members, and so on. */
const MOST_ROUNDS = 8;

/**
 * Returns the object with the members that its schema requires and it lacks. The members that it
 * has stay as they are, so the result need not conform.
 *
 * @param base a value that conforms to the schema; the members are taken from it
 */
export function fillMissing(schema: Schema, value: JsonObject, base: JsonValue): JsonObject {
  const filled = fill(schema, value, base);
  return isJsonObject(filled.value) ? filled.value : value;
}

function fill(
  schema: Schema,
  value: JsonValue,
  base: JsonValue,
  violations?: readonly Violation[],
): Mended {
  const remedy: Remedy = (draft, path, keyword) =>
    keyword === 'required' && draft.takeFromBase(path);
  return mend(schema, value, base, remedy, violations);
}

/**
 * Returns the value with as few changes as possible so that it conforms: it takes missing members
 * from the base, writes a number as a string or a string as a number if the type requires it, and
 * removes what else is not allowed.
 *
 * @returns undefined if the result still does not conform
 */
export function repair(
  schema: Schema,
  value: JsonValue,
  base: JsonValue,
  violations?: readonly Violation[],
): JsonValue | undefined {
  const remedy: Remedy = (draft, path, keyword) => {
    if (keyword === 'required') return draft.takeFromBase(path);
    return (keyword === 'type' && draft.convert(path)) || draft.remove(path);
  };
  return conforming(mend(schema, value, base, remedy, violations));
}

/**
 * Returns the value with the base's members in place of those that break the schema: an `enum` of
 * codes, for example, keeps the base's code. Then removes what still breaks it.
 *
 * @returns undefined if the result still does not conform
 */
export function revert(schema: Schema, value: JsonValue, base: JsonValue): JsonValue | undefined {
  const remedy: Remedy = (draft, path, _, round) =>
    round === 0 ? draft.revert(path) : draft.remove(path.slice(0, 1));
  return conforming(mend(schema, value, base, remedy));
}

type Path = readonly string[];

/** Changes the draft because of one violation. Returns true if it changed something. */
type Remedy = (draft: Draft, path: Path, keyword: string, round: number) => boolean;

/** A changed value, and the violations that it still has. */
interface Mended {
  readonly value: JsonValue;
  readonly violations: readonly Violation[];
}

function conforming({ value, violations }: Mended): JsonValue | undefined {
  return violations.length === 0 ? value : undefined;
}

/** @param known the violations of the value, where they are known */
function mend(
  schema: Schema,
  value: JsonValue,
  base: JsonValue,
  remedy: Remedy,
  known: readonly Violation[] = schema.check(value, 'body'),
): Mended {
  if (known.length === 0) return { value, violations: known };
  let violations = known;
  const draft = new Draft(copyJson(value), base);
  for (let round = 0; round < MOST_ROUNDS && violations.length > 0; round++) {
    let isChanged = false;
    // From the last to the first, so that removing an item leaves the pointers before it valid.
    for (const { pointer, keyword } of violations.toReversed()) {
      const path = toPath(pointer);
      if (path.length > 0 && remedy(draft, path, keyword, round)) isChanged = true;
    }
    if (!isChanged) break;
    violations = schema.check(draft.value, 'body');
  }
  return { value: draft.value, violations };
}

class Draft {
  readonly value: JsonValue;
  readonly #base: JsonValue;
  readonly #converted = new Set<string>();

  constructor(value: JsonValue, base: JsonValue) {
    this.value = value;
    this.#base = base;
  }

  takeFromBase(path: Path): boolean {
    const given = find(this.#base, path);
    return given !== undefined && this.#put(path, copyJson(given));
  }

  /** Writes `7` for `"7"`, or the other way round; once for each value. */
  convert(path: Path): boolean {
    const value = find(this.value, path);
    const other = value === undefined ? undefined : toOtherType(value);
    const key = path.join('\n');
    if (other === undefined || this.#converted.has(key)) return false;
    this.#converted.add(key);
    return this.#put(path, other);
  }

  /** Removes a member. An item is replaced by the base's item, if the base has one there. */
  remove(path: Path): boolean {
    const parent = find(this.value, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (isJsonObject(parent)) return Object.hasOwn(parent, name) && delete parent[name];
    if (!Array.isArray(parent)) return false;
    if (!this.takeFromBase(path)) parent.splice(Number(name), 1);
    return true;
  }

  /** Puts the base's value at the path, or at the first array on it, or removes the member. */
  revert(path: Path): boolean {
    let depth = 1;
    while (depth < path.length && this.#isObjectInBoth(path.slice(0, depth))) depth++;
    const member = path.slice(0, depth);
    return this.takeFromBase(member) || this.remove(member);
  }

  #isObjectInBoth(path: Path): boolean {
    return isJsonObject(find(this.value, path)) && isJsonObject(find(this.#base, path));
  }

  #put(path: Path, value: JsonValue): boolean {
    const parent = find(this.value, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (isJsonObject(parent)) setMember(parent, name, value);
    else if (Array.isArray(parent)) parent[Number(name)] = value;
    else return false;
    return true;
  }
}

/** Returns the value at the path. An item that the array does not have is like its first. */
function find(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  let found = value;
  for (const name of path) {
    if (Array.isArray(found)) found = found[Number(name)] ?? found[0];
    else found = isJsonObject(found) ? getMember(found, name) : undefined;
  }
  return found;
}

function toOtherType(value: JsonValue): JsonValue | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && NUMBER.test(value) ? readExactNumber(value) : undefined;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/;
