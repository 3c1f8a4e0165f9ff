import { createRequire } from 'node:module';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mergeDeep,
  setMember,
} from '../base/json/value.ts';
import type { Source } from './source.ts';
import { SourceDocument } from './source-document.ts';

const require = createRequire(import.meta.url);

/**
 * Applies an Overlay (OpenAPI Overlay Specification 1.0 and 1.1) to a value in place: its actions in
 * order, each to everything that its target selects.
 *
 * @throws {DiagnosticError} for an illegal overlay, and for a target that selects nothing
 */
export function applyOverlay(value: JsonValue, overlay: Source): void {
  const file = new SourceDocument(overlay);
  const { root } = file;
  if (!isJsonObject(root) || root['overlay'] === undefined || !Array.isArray(root['actions'])) {
    throw file.fail(
      '',
      'this is not an overlay',
      'An overlay is an object with "overlay", such as `overlay: 1.0.0`, and a list of "actions".',
    );
  }
  const actions = root['actions'].map((json, index) => new Action(file, `/actions/${index}`, json));
  for (const action of actions) action.apply(value);
}

interface Selected {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

class Action {
  readonly #file: SourceDocument;
  readonly #pointer: string;
  readonly #json: JsonObject;
  readonly #target: string;

  constructor(file: SourceDocument, pointer: string, json: JsonValue) {
    this.#file = file;
    this.#pointer = pointer;
    this.#json = isJsonObject(json) ? json : {};
    const { target } = this.#json;
    if (typeof target !== 'string') throw file.fail(pointer, 'an action needs a "target"');
    this.#target = target;
  }

  apply(root: JsonValue): void {
    const targets = this.#select('target', this.#target, root);
    if (targets.length === 0) {
      throw this.#file.fail(
        `${this.#pointer}/target`,
        `the target ${JSON.stringify(this.#target)} names nothing in the document`,
        'Correct the target; it is a JSONPath (RFC 9535).',
      );
    }
    for (const { path } of targets.toReversed()) this.#change(root, path);
  }

  #select(member: string, path: string, root: JsonValue): readonly Selected[] {
    const { jsonpath } = require('json-p3') as typeof import('json-p3');
    try {
      return [...jsonpath.query(path, root as never)].map((node) => ({
        path: node.location,
        value: node.value as JsonValue,
      }));
    } catch (error) {
      throw this.#file.fail(
        `${this.#pointer}/${member}`,
        `${JSON.stringify(path)} is not a JSONPath: ${(error as Error).message}`,
        'Use the syntax of RFC 9535, such as $.paths["/plants"].get.',
      );
    }
  }

  #change(root: JsonValue, path: Selected['path']): void {
    const key = path.at(-1);
    const parent = valueUnder(root, path.slice(0, -1));
    if (this.#json['remove'] === true) {
      if (key === undefined)
        throw this.#file.fail(this.#pointer, 'the whole document cannot be removed');
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else if (isJsonObject(parent)) delete parent[String(key)];
      return;
    }
    const update = this.#updateFrom(root);
    if (update === undefined) return;
    const merged = merge(valueUnder(root, path), update);
    if (key === undefined) {
      if (isJsonObject(root) && isJsonObject(merged)) Object.assign(root, merged);
    } else if (Array.isArray(parent)) parent[Number(key)] = merged;
    else if (isJsonObject(parent)) setMember(parent, String(key), merged);
  }

  /** Returns the update: that of the action, or the value that it copies (Overlay 1.1). */
  #updateFrom(root: JsonValue): JsonValue | undefined {
    const { update, copy } = this.#json;
    if (typeof copy !== 'string') return update;
    const [source] = this.#select('copy', copy, root);
    if (source !== undefined) return source.value;
    throw this.#file.fail(`${this.#pointer}/copy`, `${JSON.stringify(copy)} names nothing`);
  }
}

function valueUnder(root: JsonValue, path: Selected['path']): JsonValue {
  let value = root;
  for (const key of path) value = (value as JsonObject)[String(key)] as JsonValue;
  return value;
}

/** Merges objects by member, appends to lists, and replaces everything else (Overlay §4.4). */
function merge(target: JsonValue, update: JsonValue): JsonValue {
  return mergeDeep(target, update, (list, more) =>
    Array.isArray(list) ? [...list, ...[more].flat()] : more,
  );
}
