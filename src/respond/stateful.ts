import type { Content } from '../contract/content.ts';
import type { OperationRequest } from '../contract/operation-request.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { Problem } from '../problem.ts';
import { type CreateAction, keyOf, type Resources } from '../state/resources.ts';
import type { Store } from '../state/store.ts';
import type { Answer, ResponseSource } from './answer.ts';
import { findExample } from './example.ts';
import { negotiate } from './negotiate.ts';

/**
 * The source that remembers: what is created is stored, and answered as the response's schema
 * shows it.
 *
 * @param hasUniqueIds true refuses a key that is taken, where otherwise the resource is replaced
 */
export function statefulSource(
  resources: Resources,
  store: Store,
  hasUniqueIds: boolean,
): ResponseSource {
  return (request) => {
    const action = resources.actionOf(request.operation);
    const created = request.body?.value;
    if (action === undefined || !isJsonObject(created)) return undefined;
    const answer = answerCreated(request, created);
    put(store, action, created, hasUniqueIds);
    return answer;
  };
}

function put(
  store: Store,
  action: CreateAction,
  resource: JsonObject,
  hasUniqueIds: boolean,
): void {
  const collection = store.collection(action.collection);
  const key = keyOf(resource, action, collection);
  if (hasUniqueIds && collection.has(key)) {
    throw new Problem(
      'RESOURCE_EXISTS',
      `${action.collection} has ${JSON.stringify(key.slice(0, 80))} already`,
    );
  }
  collection.put(key, resource);
}

/** Undefined leaves the answer to the document's example: the resource is stored all the same. */
function answerCreated(request: OperationRequest, created: JsonObject): Answer | undefined {
  const declared = request.operation.responses.success;
  if (declared === undefined) return undefined;
  const content = negotiate(request.match.request.fields, declared);
  const base = { source: 'state', declared, status: declared.status, headers: {} };
  if (content === undefined) return { ...base, payload: { kind: 'none' }, isInsisted: false };
  if (!content.isJson) return undefined;
  const value = show(content, created);
  if (value === undefined) return undefined;
  return { ...base, payload: { kind: 'value', content, value }, isInsisted: false };
}

/** The resource as the response declares it; what it lacks is taken from the document's example. */
function show(content: Content, created: JsonObject): JsonValue | undefined {
  const projected = content.project(created);
  if (isConforming(content, projected)) return projected;
  const example = findExample(content)?.value;
  if (!isJsonObject(example) || !isJsonObject(projected)) return undefined;
  const completed = { ...example, ...projected };
  return isConforming(content, completed) ? completed : undefined;
}

function isConforming(content: Content, value: JsonValue): boolean {
  return content.schema === undefined || content.schema.check(value, 'body').length === 0;
}
