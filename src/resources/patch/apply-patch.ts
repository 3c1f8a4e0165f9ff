import { isEqual, toCanonicalText } from '../../base/json/equal.ts';
import { MAXIMUM_DEPTH } from '../../base/json/parse.ts';
import { type Path, toPath, toPointer } from '../../base/json/pointer.ts';
import {
  copyJson,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { shorten } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';

/**
 * Applies a JSON Patch (RFC 6902): all of its operations or none.
 *
 * @returns the patched value; the target is not changed
 * @throws {Problem} INVALID_PATCH with the first operation that cannot be applied, and why
 */
export function applyJsonPatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) {
    throw new Problem('INVALID_PATCH', 'a JSON Patch is an array of operations (RFC 6902 §3)');
  }
  const draft = new PatchDraft(target);
  for (const [index, operation] of patch.entries()) {
    try {
      applyOperation(draft, operation);
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      throw refuseOperation(index, operation, error.message);
    }
  }
  return draft.value;
}

function applyOperation(draft: PatchDraft, operation: JsonValue): void {
  if (!isJsonObject(operation)) throw new PatchFault('an operation is an object');
  const name = readText(operation, 'op');
  const apply = OPERATIONS.get(name);
  if (apply === undefined) {
    throw new PatchFault(`there is no such operation: op is ${[...OPERATIONS.keys()].join(', ')}`);
  }
  apply(draft, readPath(operation, 'path'), operation);
}

type Apply = (draft: PatchDraft, path: Path, operation: JsonObject) => void;

/** RFC 6902 §4.1 to §4.6. */
const OPERATIONS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ['add', (draft, path, operation) => draft.add(path, copyJson(readValue(operation)))],
  ['remove', (draft, path) => void draft.remove(path)],
  ['replace', (draft, path, operation) => draft.replace(path, copyJson(readValue(operation)))],
  ['move', move],
  [
    'copy',
    (draft, path, operation) => draft.add(path, copyJson(draft.get(readPath(operation, 'from')))),
  ],
  ['test', compare],
]);

function move(draft: PatchDraft, path: Path, operation: JsonObject): void {
  const from = readPath(operation, 'from');
  const isPrefix = from.every((token, index) => token === path[index]);
  if (isPrefix && from.length === path.length) {
    draft.get(path);
    return;
  }
  if (isPrefix) throw new PatchFault('what is moved cannot be moved into itself');
  draft.add(path, draft.remove(from));
}

/** Compares numbers by value, and objects in any order of members (RFC 6902 §4.6). */
function compare(draft: PatchDraft, path: Path, operation: JsonObject): void {
  const wanted = readValue(operation);
  const found = draft.get(path);
  draft.weigh(found, path.length);
  if (!isEqual(found, wanted)) throw new PatchFault('what is there is not equal to its value');
}

function readText(operation: JsonObject, name: string): string {
  const text = getMember(operation, name);
  if (typeof text !== 'string') throw new PatchFault(`${name} is to be a string`);
  return text;
}

function readPath(operation: JsonObject, name: string): Path {
  const pointer = readText(operation, name);
  if ((pointer !== '' && !pointer.startsWith('/')) || /~(?![01])/.test(pointer)) {
    throw new PatchFault(`${name} is no JSON Pointer (RFC 6901)`);
  }
  return toPath(pointer);
}

function readValue(operation: JsonObject): JsonValue {
  const value = getMember(operation, 'value');
  if (value === undefined) throw new PatchFault('it has no value');
  return value;
}

function refuseOperation(index: number, operation: JsonValue, reason: string): Problem {
  const got = describe(operation);
  return new Problem('INVALID_PATCH', `operation ${index} of the patch, ${got}: ${reason}`, {
    violations: [
      {
        in: 'body',
        pointer: `/${index}`,
        keyword: 'patch',
        expected: 'an operation that can be applied',
        got,
        message: `body/${index} cannot be applied: ${reason}`,
      },
    ],
  });
}

/** Describes an operation for people: `remove /tags/3`. */
function describe(operation: JsonValue): string {
  if (!isJsonObject(operation)) return 'no object';
  const words = ['op', 'path', 'from']
    .map((name) => getMember(operation, name))
    .filter((word) => typeof word === 'string');
  return words.join(' ').slice(0, 200);
}

/** How many values a patch may touch: a small one can copy a value until memory is full. */
const MOST_WORK = 1_000_000;
/** Moving so many items of an array takes as long as touching one value. */
const MOVES = 20;

type Container = JsonObject | JsonValue[];

class PatchDraft {
  value: JsonValue;
  #work = 0;

  constructor(target: JsonValue) {
    this.value = copyJson(target);
  }

  /** @throws {PatchFault} if there is nothing at the path */
  get(path: Path): JsonValue {
    let value = this.value;
    for (let depth = 0; depth < path.length; depth++) value = memberOf(value, path, depth);
    return value;
  }

  /** Sets a member, or inserts an item; `-` is after the last (RFC 6902 §4.1). */
  add(path: Path, value: JsonValue): void {
    this.weigh(value, path.length);
    this.#set(path, value, 0);
  }

  replace(path: Path, value: JsonValue): void {
    this.get(path);
    this.weigh(value, path.length);
    this.#set(path, value, 1);
  }

  remove(path: Path): JsonValue {
    const token = path.at(-1);
    if (token === undefined) throw new PatchFault('the whole of it cannot be removed');
    const removed = this.get(path);
    const container = this.#containerOf(path);
    if (Array.isArray(container)) this.#splice(container, Number(token), 1);
    else delete container[token];
    return removed;
  }

  /** Counts the work on a value against the limit, and checks its depth. */
  weigh(value: JsonValue, depth: number): void {
    this.#spend(1);
    if (!isContainer(value)) return;
    if (depth >= MAXIMUM_DEPTH) {
      throw new PatchFault(`it would be nested deeper than ${MAXIMUM_DEPTH}`);
    }
    for (const member of Object.values(value)) this.weigh(member, depth + 1);
  }

  /** @param replaced the number of items of an array that the value replaces */
  #set(path: Path, value: JsonValue, replaced: 0 | 1): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.value = value;
      return;
    }
    const container = this.#containerOf(path);
    if (!Array.isArray(container)) {
      setMember(container, String(token), value);
      return;
    }
    const index = token === '-' ? container.length : readIndex(String(token), path);
    if (index > container.length) throw absent(path);
    this.#splice(container, index, replaced, value);
  }

  #splice(array: JsonValue[], index: number, replaced: 0 | 1, ...values: JsonValue[]): void {
    const moved = replaced === values.length ? 0 : array.length - index;
    this.#spend(moved / MOVES);
    array.splice(index, replaced, ...values);
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MOST_WORK) {
      throw new PatchFault(`the patch takes more than ${MOST_WORK} steps`);
    }
  }

  #containerOf(path: Path): Container {
    let value = this.value;
    for (let depth = 0; ; depth++) {
      if (!isContainer(value)) {
        const place = show(path.slice(0, depth));
        throw new PatchFault(`what is at ${place} is neither an object nor an array`);
      }
      if (depth === path.length - 1) return value;
      value = memberOf(value, path, depth);
    }
  }
}

function memberOf(value: JsonValue, path: Path, depth: number): JsonValue {
  const token = String(path[depth]);
  let member: JsonValue | undefined;
  if (Array.isArray(value)) member = token === '-' ? undefined : value[readIndex(token, path)];
  else if (isJsonObject(value)) member = getMember(value, token);
  if (member === undefined) throw absent(path.slice(0, depth + 1));
  return member;
}

/** RFC 6901 §4: digits without leading zeros. */
function readIndex(token: string, path: Path): number {
  if (!/^(?:0|[1-9]\d{0,15})$/.test(token)) {
    throw new PatchFault(`${show(path)} is in an array, and ${JSON.stringify(token)} no index`);
  }
  return Number(token);
}

function absent(path: Path): PatchFault {
  return new PatchFault(`there is nothing at ${show(path)}`);
}

function show(path: Path): string {
  return shorten(toPointer(path), 200) || 'the top';
}

function isContainer(value: JsonValue): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

class PatchFault extends Error {
  override readonly name = 'PatchFault';
}

/**
 * Applies a merge patch (RFC 7396 §2): sets its members, removes those that it has as null. A patch
 * that is no object replaces the target.
 *
 * @param target undefined if there is none
 * @param node of the target in a strategic merge patch, which merges lists whose schema says by
 *   which member: `x-…-patch-merge-key`
 * @returns the patched value; the target is not changed
 */
export function applyMergePatch(
  target: JsonValue | undefined,
  patch: JsonValue,
  node?: SchemaNode,
): JsonValue {
  if (Array.isArray(patch)) return mergeItems(target, patch, node);
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [name, change] of Object.entries(patch)) {
    const inner = node?.property(name) ?? node?.additional;
    if (change === null) delete merged[name];
    else setMember(merged, name, applyMergePatch(getMember(merged, name), change, inner));
  }
  return merged;
}

function mergeItems(target: JsonValue | undefined, patch: JsonValue[], node?: SchemaNode) {
  const key = node && mergeKeyOf(node);
  if (key === undefined || !Array.isArray(target)) return patch;
  const keyOf = (item: JsonValue): string =>
    isJsonObject(item) ? toCanonicalText(getMember(item, key) ?? null) : '';
  const merged = new Map(target.map((item) => [keyOf(item), item]));
  for (const item of patch) {
    const own = keyOf(item);
    const isRemoved = isJsonObject(item) && getMember(item, '$patch') === 'delete';
    if (isRemoved) merged.delete(own);
    else merged.set(own, applyMergePatch(merged.get(own), item, node?.items));
  }
  return [...merged.values()];
}

/** Returns the member by which the schema of a list says that its items are merged. */
function mergeKeyOf({ possible }: SchemaNode): string | undefined {
  const [key] = possible.flatMap(({ value }) =>
    Object.entries(value).flatMap(([name, one]) => (/^x-.*patch-merge-key$/.test(name) ? one : [])),
  );
  return typeof key === 'string' ? key : undefined;
}
