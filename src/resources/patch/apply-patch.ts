import { isEqual } from '../../base/json/equal.ts';
import { type Path, toPath } from '../../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { PatchDraft, PatchFault } from './patch-draft.ts';

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
  ['add', (draft, path, operation) => draft.add(path, readValue(operation))],
  ['remove', (draft, path) => void draft.remove(path)],
  ['replace', (draft, path, operation) => draft.replace(path, readValue(operation))],
  ['move', move],
  ['copy', (draft, path, operation) => draft.add(path, draft.copy(readPath(operation, 'from')))],
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

/**
 * Compares numbers by value, and objects without regard to the order of members (RFC 6902 §4.6).
 */
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

/**
 * Applies a merge patch (RFC 7396 §2): sets its members, removes those that it has as null. A patch
 * that is no object replaces the target.
 *
 * @param target undefined if there is none
 * @returns the patched value; the target is not changed
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const change = patch[name] as JsonValue;
    if (change === null) delete merged[name];
    else {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
      setMember(merged, name, applyMergePatch(before, change));
    }
  }
  return merged;
}
