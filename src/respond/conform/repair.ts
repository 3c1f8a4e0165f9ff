import { copyJson } from '../../base/json/copy.ts';
import { isNumber, readExactNumber } from '../../base/json/number.ts';
import { toPath } from '../../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import type { Schema } from '../../schema/schema-compiler.ts';

/** A member that was filled in may require further members, and so on. */
const MOST_ROUNDS = 8;

/**
 * Returns the object with the members that its schema requires and it lacks. The members that it
 * has stay as they are, so the result need not conform.
 *
 * @param base a value that conforms to the schema; the members are taken from it
 */
export function fillMissing(schema: Schema, value: JsonObject, base: JsonValue): JsonObject {
  const filled = new Repair(schema, value, base).run((repair, { keyword }, path) =>
    keyword === 'required' ? repair.takeFromBase(path) : false,
  );
  return isJsonObject(filled.value) ? filled.value : value;
}

/**
 * Returns the value with as few changes as possible so that it conforms: it takes missing members
 * from the base, writes a number as a string or a string as a number if the type requires it, and
 * removes what else is not allowed.
 *
 * @returns undefined if the result still does not conform
 */
export function repair(schema: Schema, value: JsonValue, base: JsonValue): JsonValue | undefined {
  const repaired = new Repair(schema, value, base).run((draft, { keyword }, path) => {
    if (keyword === 'required') return draft.takeFromBase(path);
    return (keyword === 'type' && draft.convert(path)) || draft.remove(path);
  });
  return repaired.isConforming ? repaired.value : undefined;
}

/**
 * Returns the value with the base's members in place of those that break the schema: an `enum` of
 * codes, for example, keeps the base's code. Then removes what still breaks it.
 *
 * @returns undefined if the result still does not conform
 */
export function revert(schema: Schema, value: JsonValue, base: JsonValue): JsonValue | undefined {
  const reverted = new Repair(schema, value, base).run((draft, _, path, round) =>
    round === 0 ? draft.revert(path) : draft.remove(path.slice(0, 1)),
  );
  return reverted.isConforming ? reverted.value : undefined;
}

/** Changes the draft because of one violation. Returns true if it changed something. */
type Remedy = (
  draft: Repair,
  violation: Violation,
  path: readonly string[],
  round: number,
) => boolean;

/** A copy of a value that is changed until it conforms to its schema. */
class Repair {
  readonly #schema: Schema;
  readonly #value: JsonValue;
  readonly #base: JsonValue;
  /** Undefined until something has to be changed. */
  #draft: JsonValue | undefined;
  readonly #converted = new Set<string>();

  constructor(schema: Schema, value: JsonValue, base: JsonValue) {
    this.#schema = schema;
    this.#value = value;
    this.#base = base;
  }

  run(remedy: Remedy): { readonly value: JsonValue; readonly isConforming: boolean } {
    let violations = this.#schema.check(this.#value, 'body');
    if (violations.length === 0) return { value: this.#value, isConforming: true };
    const draft = copyJson(this.#value);
    this.#draft = draft;
    for (let round = 0; round < MOST_ROUNDS && violations.length > 0; round++) {
      let isChanged = false;
      // From the last to the first, so that removing an item leaves the pointers before it valid.
      for (const violation of violations.toReversed()) {
        const path = toPath(violation.pointer);
        if (path.length > 0 && remedy(this, violation, path, round)) isChanged = true;
      }
      if (!isChanged) break;
      violations = this.#schema.check(draft, 'body');
    }
    return { value: draft, isConforming: violations.length === 0 };
  }

  takeFromBase(path: readonly string[]): boolean {
    const given = find(this.#base, path);
    return given !== undefined && this.#put(path, copyJson(given));
  }

  /** Writes `7` for `"7"`, or the other way round; once for each value. */
  convert(path: readonly string[]): boolean {
    const value = find(this.#draft, path);
    const other = value === undefined ? undefined : toOtherType(value);
    const key = path.join('\n');
    if (other === undefined || this.#converted.has(key)) return false;
    this.#converted.add(key);
    return this.#put(path, other);
  }

  /** Removes a member. An item is replaced by the base's item, if the base has one there. */
  remove(path: readonly string[]): boolean {
    const parent = find(this.#draft, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (isJsonObject(parent)) return Object.hasOwn(parent, name) && delete parent[name];
    if (!Array.isArray(parent)) return false;
    if (!this.takeFromBase(path)) parent.splice(Number(name), 1);
    return true;
  }

  /** Puts the base's value at the path, or at the first array on it, or removes the member. */
  revert(path: readonly string[]): boolean {
    let depth = 1;
    while (depth < path.length && this.#isObjectInBoth(path.slice(0, depth))) depth++;
    const member = path.slice(0, depth);
    return this.takeFromBase(member) || this.remove(member);
  }

  #isObjectInBoth(path: readonly string[]): boolean {
    return isJsonObject(find(this.#draft, path)) && isJsonObject(find(this.#base, path));
  }

  #put(path: readonly string[], value: JsonValue): boolean {
    const parent = find(this.#draft, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (isJsonObject(parent)) setMember(parent, name, value);
    else if (Array.isArray(parent)) parent[Number(name)] = value;
    else return false;
    return true;
  }
}

/** Returns the value at the path. An item that the array does not have is like its first. */
function find(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
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
