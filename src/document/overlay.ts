import { createRequire } from 'node:module';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Source } from './source.ts';
import { SourceDocument } from './source-document.ts';

/** One step of an overlay. */
interface Action {
  readonly pointer: string;
  readonly target: string;
  readonly isRemoval: boolean;
  readonly update: JsonValue | undefined;
  /** JSONPath of the value to copy (Overlay 1.1). */
  readonly copy: string | undefined;
}

const require = createRequire(import.meta.url);

/**
 * Applies an Overlay (OpenAPI Overlay Specification 1.0 and 1.1): its actions in order, each to
 * everything that its target selects.
 *
 * @param value of the document, which is changed in place
 * @throws {DiagnosticError} for an illegal overlay, and for a target that selects nothing
 */
export function applyOverlay(value: JsonValue, overlay: Source): void {
  const file = new SourceDocument(overlay);
  for (const action of readActions(file)) {
    const targets = select(file, action, 'target', action.target, value);
    if (targets.length === 0) {
      throw file.fail(
        `${action.pointer}/target`,
        `the target ${JSON.stringify(action.target)} names nothing in the document`,
        'Correct the target; it is a JSONPath (RFC 9535).',
      );
    }
    for (const { path } of targets.toReversed()) applyAction(file, action, value, path);
  }
}

function readActions(file: SourceDocument): readonly Action[] {
  const { root } = file;
  if (!isJsonObject(root) || root['overlay'] === undefined || !Array.isArray(root['actions'])) {
    throw file.fail(
      '',
      'this is not an overlay',
      'An overlay is an object with "overlay", such as `overlay: 1.0.0`, and a list of "actions".',
    );
  }
  return root['actions'].map((action, index) => {
    const pointer = `/actions/${index}`;
    const { target, remove, update, copy } = isJsonObject(action) ? action : {};
    if (typeof target !== 'string') throw file.fail(pointer, 'an action needs a "target"');
    return {
      pointer,
      target,
      isRemoval: remove === true,
      update,
      copy: typeof copy === 'string' ? copy : undefined,
    };
  });
}

interface Selected {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

function select(
  file: SourceDocument,
  action: Action,
  member: string,
  path: string,
  value: JsonValue,
): readonly Selected[] {
  const { jsonpath } = require('json-p3') as typeof import('json-p3');
  try {
    return [...jsonpath.query(path, value as never)].map((node) => ({
      path: node.location,
      value: node.value as JsonValue,
    }));
  } catch (error) {
    throw file.fail(
      `${action.pointer}/${member}`,
      `${JSON.stringify(path)} is not a JSONPath: ${(error as Error).message}`,
      'Write it as RFC 9535 has it, such as $.paths["/plants"].get.',
    );
  }
}

function applyAction(
  file: SourceDocument,
  action: Action,
  root: JsonValue,
  path: readonly (string | number)[],
): void {
  const key = path.at(-1);
  const parent = valueUnder(root, path.slice(0, -1));
  if (action.isRemoval) {
    if (key === undefined) throw file.fail(action.pointer, 'the whole document cannot be removed');
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else if (isJsonObject(parent)) delete parent[String(key)];
    return;
  }
  const update = action.copy === undefined ? action.update : copied(file, action, root);
  if (update === undefined) return;
  const merged = merge(valueUnder(root, path), update);
  if (key === undefined) {
    if (isJsonObject(root) && isJsonObject(merged)) Object.assign(root, merged);
  } else if (Array.isArray(parent)) parent[Number(key)] = merged;
  else if (isJsonObject(parent)) setMember(parent, String(key), merged);
}

function copied(file: SourceDocument, action: Action, root: JsonValue): JsonValue {
  const [source] = select(file, action, 'copy', action.copy ?? '', root);
  if (source !== undefined) return source.value;
  throw file.fail(`${action.pointer}/copy`, `${JSON.stringify(action.copy)} names nothing`);
}

function valueUnder(root: JsonValue, path: readonly (string | number)[]): JsonValue {
  let value = root;
  for (const key of path) value = (value as JsonObject)[String(key)] as JsonValue;
  return value;
}

/** Merges objects by member, appends to lists, and replaces everything else (Overlay §4.4). */
function merge(target: JsonValue, update: JsonValue): JsonValue {
  if (Array.isArray(target)) return [...target, ...[update].flat()];
  if (!isJsonObject(target) || !isJsonObject(update)) return update;
  const merged: JsonObject = { ...target };
  for (const [name, member] of Object.entries(update)) {
    const known = Object.hasOwn(target, name) ? target[name] : undefined;
    setMember(merged, name, known === undefined ? member : merge(known, member));
  }
  return merged;
}
