import type { Content } from '../contract/content.ts';
import type { OperationRequest } from '../contract/operation-request.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { Problem } from '../problem.ts';
import { type CreateAction, keyOf, type Resources } from '../state/resources.ts';
import type { Store } from '../state/store.ts';
import type { Answer, ResponseSource } from './answer.ts';
import { answerByValue, answerEmpty, findExample } from './example.ts';
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
    // Negotiated before anything is stored: a request that is refused changes nothing.
    const answer = answerCreated(request, (content) => content.project(created));
    put(store, action, created, hasUniqueIds);
    return answer;
  };
}

/**
 * For a response that requires more than was sent: what is missing is taken from the document's
 * example. It is stored by then.
 */
export function completedSource(resources: Resources): ResponseSource {
  return (request) => {
    const created = request.body?.value;
    if (resources.actionOf(request.operation) === undefined || !isJsonObject(created)) {
      return undefined;
    }
    return answerCreated(request, (content) => {
      const projected = content.project(created);
      const example = findExample(content)?.value;
      const canComplete = isJsonObject(example) && isJsonObject(projected);
      return canComplete ? { ...example, ...projected } : undefined;
    });
  };
}

function answerCreated(
  request: OperationRequest,
  show: (content: Content) => JsonValue | undefined,
): Answer | undefined {
  const declared = request.operation.responses.success;
  if (declared === undefined) return undefined;
  const content = negotiate(request.match.request.fields, declared);
  if (content === undefined) return answerEmpty(declared, 'state');
  const value = content.isJson ? show(content) : undefined;
  return value === undefined ? undefined : answerByValue(declared, content, value, 'state');
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
