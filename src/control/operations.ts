import { tryParseJson } from '../base/json/parse.ts';
import { toJson } from '../base/json/to-json.ts';
import type { JsonObject } from '../base/json/value.ts';
import { meantOr } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import { bundleOperation } from '../contract/bundle.ts';
import { exampleNames } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import { writeCurl } from '../request/ready-request.ts';
import { describeOperation as describeMeaning } from '../resources/describe.ts';
import type { ControlCall, ControlOperations } from './call.ts';
import { jsonResponse } from './response.ts';

/** The operations of the document, and requests to try them with. */
export const operationOperations: ControlOperations = {
  listOperations: ({ pipeline }) =>
    jsonResponse({ operations: pipeline.contract.operations.map(describeOperation) }),
  getOperation(call) {
    const { contract, resources } = call.pipeline;
    const operation = findOperation(call);
    const explained = resources.explain().find((one) => one.operation === operation);
    const url = call.mockUrl + contract.basePathOf(operation);
    return jsonResponse({
      ...(explained && (toJson(describeMeaning(explained)) as JsonObject)),
      ...describeOperation(operation),
      document: bundleOperation(contract.document, operation, url),
    });
  },
  getReadyRequest(call) {
    const operation = findOperation(call);
    const ready = call.pipeline.ready().of(operation);
    if (ready === undefined) {
      throw new Problem('NOT_GENERATED', `no valid request to ${operation.id} was found`);
    }
    const { target, fields, body } = ready;
    const value = tryParseJson(body) ?? body;
    return jsonResponse({
      method: operation.method,
      path: target,
      headers: { ...fields },
      ...(body !== '' && { body: value }),
      curl: writeCurl(ready, call.mockUrl),
    });
  },
};

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
