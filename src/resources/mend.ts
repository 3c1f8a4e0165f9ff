import { isNumber, readExactNumber } from '../base/json/number.ts';
import { toPath } from '../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** A member that was filled in may want members of its own, and so on. */
const MOST_ROUNDS = 6;

/**
 * Gives a value the members that its schema requires and it lacks; what it has stays as it is.
 *
 * @param base what they are taken from: a value that conforms to the schema
 */
export function fillMissing(schema: Schema, value: JsonObject, base: JsonValue): JsonObject {
  const filled = mendBy(schema, value, ({ keyword }, path, draft) => {
    if (keyword === 'required') setFrom(base, draft, path);
  });
  return isJsonObject(filled.value) ? filled.value : value;
}

/**
 * Makes a value conform with as little change as may be: members that are missing come from the
 * base, a number is told as a text where a text must be and the other way round, and what is not
 * allowed is left out.
 *
 * @returns undefined where that does not lead to a value that conforms
 */
export function mend(schema: Schema, value: JsonValue, base: JsonValue): JsonValue | undefined {
  const mended = mendBy(schema, value, ({ keyword, expected }, path, draft) => {
    if (keyword === 'required') setFrom(base, draft, path);
    else if (keyword !== 'type' || !convert(draft, path, expected)) remove(draft, path, base);
  });
  return mended.isConforming ? mended.value : undefined;
}

/** Of two objects the members of both, at every depth; where both have one, the second's. */
export function mergeDeep(base: JsonValue, value: JsonValue): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(value)) return value;
  const merged: JsonObject = { ...base };
  for (const [name, member] of Object.entries(value)) {
    const below = getMember(base, name);
    setMember(merged, name, below === undefined ? member : mergeDeep(below, member));
  }
  return merged;
}

type Change = (violation: Violation, path: readonly string[], draft: JsonValue) => void;

function mendBy(
  schema: Schema,
  value: JsonValue,
  change: Change,
): { readonly value: JsonValue; readonly isConforming: boolean } {
  let violations = schema.check(value, 'body');
  if (violations.length === 0) return { value, isConforming: true };
  const draft = copy(value);
  for (let round = 0; round < MOST_ROUNDS && violations.length > 0; round++) {
    // The last first: the places of items before stay what they are.
    for (const violation of [...violations].reverse()) {
      const path = toPath(violation.pointer);
      if (path.length > 0) change(violation, path, draft);
    }
    const left = schema.check(draft, 'body');
    if (isSame(left, violations)) return { value: draft, isConforming: false };
    violations = left;
  }
  return { value: draft, isConforming: violations.length === 0 };
}

/** Another round would change nothing more. */
function isSame(left: readonly Violation[], right: readonly Violation[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ message }, index) => message === right[index]?.message)
  );
}

function setFrom(base: JsonValue, draft: JsonValue, path: readonly string[]): void {
  const given = find(base, path);
  if (given !== undefined) put(draft, path, copy(given));
}

/** `7` for `"7"`, and the other way round, as is expected. */
function convert(draft: JsonValue, path: readonly string[], expected: string): boolean {
  const value = find(draft, path);
  const converted = value === undefined ? undefined : otherForm(value, expected);
  if (converted === undefined) return false;
  put(draft, path, converted);
  return true;
}

function otherForm(value: JsonValue, expected: string): JsonValue | undefined {
  if (isNumber(value)) return expected.includes('string') ? String(value) : undefined;
  const isWanted = typeof value === 'string' && /\b(?:integer|number|int)/.test(expected);
  return isWanted && NUMBER.test(value) ? readExactNumber(value) : undefined;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/;

/** Where the base has something in its place that must be there, the next round puts it there. */
function remove(draft: JsonValue, path: readonly string[], base: JsonValue): void {
  const parent = find(draft, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  if (isJsonObject(parent)) delete parent[name];
  else if (Array.isArray(parent)) {
    const item = find(base, path);
    if (item === undefined) parent.splice(Number(name), 1);
    else parent[Number(name)] = copy(item);
  }
}

/** An item that the base does not have is like its first. */
function find(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of path) {
    if (Array.isArray(found)) found = found[Number(name)] ?? found[0];
    else found = isJsonObject(found) ? getMember(found, name) : undefined;
  }
  return found;
}

function put(draft: JsonValue, path: readonly string[], value: JsonValue): void {
  const parent = find(draft, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  if (isJsonObject(parent)) setMember(parent, name, value);
  else if (Array.isArray(parent)) parent[Number(name)] = value;
}

function copy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  const members: JsonObject = {};
  for (const [name, member] of Object.entries(value)) setMember(members, name, copy(member));
  return members;
}
