import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { isObjectHere } from './place.ts';

/** The fixed fields of a Path Item Object that hold operations (OAS 3.2 §4.9). */
export const METHODS: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
];

/** The operationId and the summary of an operation, null if it has none. */
export type OperationName = readonly [operationId: string | null, summary: string | null];

/** An operation of a path item, after the name of the field that has it. */
type ListedOperation = readonly [field: string, ...OperationName];

/**
 * A path with its operations; null in place of these if the path item or one of them is a reference,
 * has servers, or has operations elsewhere. A list of them can be kept as JSON.
 */
export type ListedPath = readonly [path: string, operations: readonly ListedOperation[] | null];

/** Returns the paths of a Paths Object in its order. */
export function listPaths(paths: JsonObject): readonly ListedPath[] {
  return Object.keys(paths)
    .filter((path) => path.startsWith('/'))
    .map((path) => [path, listOperations(paths[path])] as const);
}

/** Like {@link listPaths}, for an OpenAPI Object; undefined if it does not have the paths itself. */
export function listOwnPaths(root: JsonValue): readonly ListedPath[] | undefined {
  const paths = isJsonObject(root) ? getMember(root, 'paths') : undefined;
  return isObjectHere(paths) ? listPaths(paths) : undefined;
}

function listOperations(item: JsonValue | undefined): readonly ListedOperation[] | null {
  if (!isPlain(item) || getMember(item, 'additionalOperations') !== undefined) return null;
  const operations: ListedOperation[] = [];
  for (const field of fieldsOf(item)) {
    const operation = item[field];
    if (!isPlain(operation)) return null;
    operations.push([field, ...nameOperation(operation)]);
  }
  return operations;
}

/** Returns the fields of a path item that have operations. */
export function fieldsOf(item: JsonObject): readonly string[] {
  return Object.keys(item).filter((name) => METHODS.includes(name));
}

/** Returns the name of an Operation Object. */
export function nameOperation(operation: JsonValue | undefined): OperationName {
  const { operationId: id, summary } = isJsonObject(operation) ? operation : {};
  const named = typeof id === 'string' && id !== '' ? id : null;
  return [named, typeof summary === 'string' ? summary : null];
}

/** Returns true for an object without a reference and servers. */
function isPlain(value: JsonValue | undefined): value is JsonObject {
  return isObjectHere(value) && getMember(value, 'servers') === undefined;
}
