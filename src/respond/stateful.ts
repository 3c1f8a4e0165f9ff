import type { Call } from '../call.ts';
import type { Content } from '../contract/content.ts';
import type { OperationRequest } from '../contract/operation-request.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { Problem } from '../problem.ts';
import { type CreateAction, keyOf, type Resources } from '../state/resources.ts';
import type { Store } from '../state/store.ts';
import type { Answer, ResponseSource } from './answer.ts';
import { answerByValue, answerEmpty, findExample } from './example.ts';
import type { AnswerByGeneration } from './generated.ts';
import { negotiate } from './negotiate.ts';

/**
 * The source that remembers: what is created is stored, and answered as the response's schema
 * shows it.
 *
 * @param hasUniqueIds true refuses a key that is taken, where otherwise the resource is replaced
 */
export function statefulSource(resources: Resources, hasUniqueIds: boolean): ResponseSource {
  return (request, { session }) => {
    const action = creates(request) ? resources.actionOf(request.operation) : undefined;
    const created = request.body?.value;
    if (action === undefined || !isJsonObject(created)) return undefined;
    return {
      answer: answerCreated(request, (content) => showCreated(content, created)),
      effect: () => put(session.state, action, created, hasUniqueIds),
    };
  };
}

/**
 * For a response that requires more than was sent: what is missing is taken from the document's
 * example, and where there is none it is generated.
 */
export function completedSource(
  resources: Resources,
  generate: AnswerByGeneration,
): ResponseSource {
  return (request, call) => {
    const created = request.body?.value;
    const action = creates(request) ? resources.actionOf(request.operation) : undefined;
    if (action === undefined || !isJsonObject(created)) return undefined;
    const complete = (content: Content, base: JsonValue | undefined): JsonValue | undefined => {
      const projected = content.project(created);
      return isJsonObject(base) && isJsonObject(projected) ? { ...base, ...projected } : undefined;
    };
    const byExample = answerCreated(request, (content) =>
      complete(content, findExample(content)?.value),
    );
    if (byExample !== undefined) return byExample;
    return completeByGeneration(request, call, generate, complete);
  };
}

/** Where the only answer that is declared is a failure, nothing is created. */
function creates({ operation }: OperationRequest): boolean {
  return (operation.responses.success?.status ?? 200) < 400;
}

/** An answer that shows nothing of what was sent is of something else: another source knows it. */
function showCreated(content: Content, created: JsonObject): JsonValue | undefined {
  const shown = content.project(created);
  const isEmpty = isJsonObject(shown) && Object.keys(shown).length === 0;
  return isEmpty && Object.keys(created).length > 0 ? undefined : shown;
}

async function completeByGeneration(
  request: OperationRequest,
  call: Call,
  generate: AnswerByGeneration,
  complete: (content: Content, base: JsonValue | undefined) => JsonValue | undefined,
): Promise<Answer | undefined> {
  const declared = request.operation.responses.success;
  if (declared === undefined) return undefined;
  const content = negotiate(request.match.request.fields, declared);
  if (content === undefined || !canShow(content)) return undefined;
  const generated = await generate(
    declared,
    content,
    { seed: undefined, manner: 'given' },
    'generated',
    call,
  );
  if (generated?.payload.kind !== 'value') return undefined;
  const value = complete(content, generated.payload.value);
  return value === undefined ? undefined : answerByValue(declared, content, value, 'state');
}

function answerCreated(
  request: OperationRequest,
  show: (content: Content) => JsonValue | undefined,
): Answer | undefined {
  const declared = request.operation.responses.success;
  if (declared === undefined) return undefined;
  const content = negotiate(request.match.request.fields, declared);
  if (content === undefined) return answerEmpty(declared, 'state');
  const value = canShow(content) ? show(content) : undefined;
  return value === undefined ? undefined : answerByValue(declared, content, value, 'state');
}

/** A resource is an object: JSON says it, and XML or a form whose schema tells of its members. */
function canShow({ isJson, isJudged, schema }: Content): boolean {
  return isJson || (isJudged && schema !== undefined);
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
    throw new Problem('RESOURCE_EXISTS', `${action.collection} has ${key.slice(0, 80)} already`);
  }
  collection.put(key, resource);
}
