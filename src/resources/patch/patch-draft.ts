import { copyJson } from '../../base/json/copy.ts';
import { MAXIMUM_DEPTH } from '../../base/json/parse.ts';
import { type Path, toPointer } from '../../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';

/**
 * How many values a patch may touch: a small patch can copy a value into itself until memory is
 * full, or move the items of a large array with each of its operations.
 */
const MOST_WORK = 20_000_000;

type Container = JsonObject | JsonValue[];

/**
 * A value that can be changed without changing the original: it copies a container before the first
 * change to it.
 */
export class PatchDraft {
  #root: JsonValue;
  #work = 0;
  readonly #own = new Set<Container>();

  constructor(root: JsonValue) {
    this.#root = root;
  }

  get value(): JsonValue {
    return this.#root;
  }

  /** @throws {PatchFault} if there is nothing at the path */
  get(path: Path): JsonValue {
    let value = this.#root;
    for (let depth = 0; depth < path.length; depth++) value = memberOf(value, path, depth);
    return value;
  }

  /** Sets a member, or inserts an item; `-` is after the last (RFC 6902 §4.1). */
  add(path: Path, value: JsonValue): void {
    this.weigh(value, path.length);
    const token = path.at(-1);
    if (token === undefined) {
      this.#root = value;
      return;
    }
    const container = this.#containerFor(path);
    if (!Array.isArray(container)) {
      setMember(container, String(token), value);
      return;
    }
    const index = token === '-' ? container.length : readIndex(String(token), path);
    if (index > container.length) throw absent(path);
    this.#spend(container.length - index);
    container.splice(index, 0, value);
  }

  remove(path: Path): JsonValue {
    const token = path.at(-1);
    if (token === undefined) throw new PatchFault('the whole of it cannot be removed');
    const removed = this.get(path);
    const container = this.#containerFor(path);
    if (Array.isArray(container)) {
      const index = Number(token);
      this.#spend(container.length - index);
      container.splice(index, 1);
    } else {
      delete container[token];
    }
    return removed;
  }

  replace(path: Path, value: JsonValue): void {
    this.get(path);
    this.weigh(value, path.length);
    const token = path.at(-1);
    if (token === undefined) {
      this.#root = value;
      return;
    }
    setAt(this.#containerFor(path), token, value);
  }

  /** Returns a copy that shares nothing with the original. */
  copy(path: Path): JsonValue {
    const value = this.get(path);
    this.weigh(value, path.length);
    return copyJson(value);
  }

  /** Counts the work on a value against the limit, and checks its depth. */
  weigh(value: JsonValue, depth: number): void {
    this.#spend(1);
    if (typeof value !== 'object' || value === null) return;
    if (depth >= MAXIMUM_DEPTH) {
      throw new PatchFault(`it would be nested deeper than ${MAXIMUM_DEPTH}`);
    }
    if (Array.isArray(value)) for (const item of value) this.weigh(item, depth + 1);
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) this.weigh(value[key] as JsonValue, depth + 1);
    }
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MOST_WORK) {
      throw new PatchFault(`the patch takes more than ${MOST_WORK} steps`);
    }
  }

  /** Returns the container of a path, ready to be changed. */
  #containerFor(path: Path): Container {
    let container = this.#ownContainer(this.#root, path, 0);
    this.#root = container;
    for (let depth = 0; depth < path.length - 1; depth++) {
      const inner = this.#ownContainer(memberOf(container, path, depth), path, depth + 1);
      setAt(container, path[depth], inner);
      container = inner;
    }
    return container;
  }

  /** @param length the number of path segments that lead to it */
  #ownContainer(value: JsonValue, path: Path, length: number): Container {
    if (!isContainer(value)) {
      throw new PatchFault(
        `what is at ${show(path.slice(0, length))} is neither an object nor an array`,
      );
    }
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
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

function setAt(container: Container, token: string | number | undefined, value: JsonValue): void {
  if (Array.isArray(container)) container[Number(token)] = value;
  else setMember(container, String(token), value);
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
  const pointer = toPointer(path);
  return pointer === '' ? 'the top' : pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer;
}

function isContainer(value: JsonValue): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

/** Why an operation of a patch cannot be applied. */
export class PatchFault extends Error {
  override readonly name = 'PatchFault';
}
