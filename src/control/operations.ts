import { parseJsonOrText } from '../base/json/parse.ts';
import { toJson } from '../base/json/stringify.ts';
import type { JsonObject } from '../base/json/value.ts';
import { meantOr } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import { bundleOperation } from '../contract/bundle.ts';
import { exampleNames } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import { fillTemplate } from '../contract/path-template.ts';
import type { PathParameters } from '../contract/routes.ts';
import { encodePercent } from '../http/query.ts';
import { type ReadyRequest, writeCurl } from '../request/ready-request.ts';
import { collectionOf, keyTextsOf, readKey } from '../resources/collections.ts';
import { describeOperation as describeMeaning } from '../resources/describe.ts';
import { findFirst } from '../state/store.ts';
import { type ControlCall, type ControlOperations, jsonResponse } from './call.ts';

/** The operations of the document, and requests to try them with. */
export const operationOperations: ControlOperations = {
  listOperations: ({ pipeline }) =>
    jsonResponse({ operations: pipeline.contract.operations.map(describeOperation) }),
  getOperation(call) {
    const { contract, resources } = call.pipeline;
    const operation = findOperation(call);
    const url = call.mockUrl + contract.basePathOf(operation);
    return jsonResponse({
      ...(toJson(describeMeaning(resources.explanationOf(operation))) as JsonObject),
      ...describeOperation(operation),
      document: bundleOperation(contract.document, operation, url),
    });
  },
  async getReadyRequest(call) {
    const operation = findOperation(call);
    const plain = call.pipeline.ready().of(operation);
    if (plain === undefined) {
      throw new Problem('NOT_GENERATED', `no valid request to ${operation.id} was found`);
    }
    const ready = await nameExisting(call, plain);
    const { target, fields, body } = ready;
    return jsonResponse({
      method: operation.method,
      path: target,
      headers: { ...fields },
      ...(body !== '' && { body: parseJsonOrText(body) }),
      curl: writeCurl(ready, call.mockUrl),
    });
  },
};

/** Returns the request with keys of resources that the session has, where its own find none. */
async function nameExisting(call: ControlCall, plain: ReadyRequest): Promise<ReadyRequest> {
  const { contract, ready } = call.pipeline;
  const { operation, target } = plain;
  const [path = '', ...query] = target.split('?');
  const template = contract.basePathOf(operation) + operation.path;
  const given = contract.route(path, operation.method)?.parameters ?? new Map<string, string>();
  const fill = (keys: PathParameters): string =>
    fillTemplate(template, (name) => encodePercent(keys.get(name) ?? ''));
  if (given.size === 0 || fill(given) !== path) return plain;
  const named = {
    ...plain,
    target: [fill(await findKeys(call, operation, given)), ...query].join('?'),
  };
  return ready().accepts(named) ? named : plain;
}

/** Returns path parameters with the first key of each collection on the path that lacks the given. */
async function findKeys(call: ControlCall, { path }: Operation, given: PathParameters) {
  const { state } = call.session;
  const { all } = call.pipeline.resources;
  const keys = new Map(given);
  for (const { 1: name = '', index } of path.matchAll(/(?<=\/)\{([^{}]+)\}(?=\/|$)/g)) {
    const collection = path.slice(0, index - 1);
    const type = all.find((one) => one.path === collection);
    if (type === undefined || type.kind === 'singleton') continue;
    const stored = collectionOf(type, keys);
    if (await findFirst(state, stored, keyTextsOf(keys.get(name) ?? ''))) continue;
    // Before the first write, a collection has every key.
    const [first] = await state.list(stored, { offset: 0, limit: 1 });
    if (first !== undefined) keys.set(name, String(readKey(first.key)));
  }
  return keys;
}

function findOperation(call: ControlCall): Operation {
  const { contract } = call.pipeline;
  const id = call.path('operationId');
  const found = contract.operation(id);
  if (found !== undefined) return found;
  const ids = contract.operations.map((operation) => operation.id);
  const remedy = meantOr(id, ids, 'GET /__admin/operations lists them');
  throw new Problem('UNKNOWN_OPERATION', `the document has no operation ${quote(id)}; ${remedy}`);
}

function describeOperation(operation: Operation): JsonObject {
  const { id, method, path, summary, fault } = operation;
  const described = {
    operationId: id,
    method,
    path,
    ...(summary !== undefined && { summary }),
  };
  if (fault !== undefined) return { ...described, statuses: [], fault: fault.message };
  const statuses = operation.responses.all.map(({ key }) => key);
  return { ...described, statuses, examples: listExampleNames(operation) };
}

function listExampleNames({ responses }: Operation): JsonObject {
  const named = responses.all.map(({ key, contents }) => [key, exampleNames(contents)] as const);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}
