import { Problem } from '../base/problem.ts';
import type { Contract } from '../contract/contract.ts';
import type { WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import type { RoutedRequest } from './request.ts';

/**
 * Finds the operation of a request.
 *
 * @throws {Problem} MALFORMED_TARGET, PATH_NOT_FOUND or METHOD_NOT_ALLOWED, the last with Allow
 */
export function route(contract: Contract, request: WireRequest): RoutedRequest {
  const target = contract.isPlainPath(request.target)
    ? { path: request.target, query: '' }
    : readTarget(request.target);
  if (target === undefined) {
    throw new Problem('MALFORMED_TARGET', 'the request target is not a path that can be read');
  }
  const found = contract.route(target.path, request.method);
  if (found === undefined) {
    throw new Problem('PATH_NOT_FOUND', `the document has no path ${quote(target.path)}`);
  }
  const { methods } = found;
  // Where there is GET there is HEAD (RFC 9110 §9.3.2): the server drops the body.
  const operation =
    methods.get(request.method) ?? (request.method === 'HEAD' ? methods.get('GET') : undefined);
  if (operation === undefined) {
    const allow = [...methods.keys()].join(', ');
    throw new Problem(
      'METHOD_NOT_ALLOWED',
      `${quote(target.path)} has no ${quote(request.method)}, it has ${allow}`,
      { fields: { allow } },
    );
  }
  const { method, fields, rawBody, prefix } = request;
  // A literal: a spread costs more, for every request.
  return {
    method,
    target: request.target,
    prefix,
    fields,
    rawBody,
    operation,
    pathParameters: found.parameters,
    rawPathParameters: found.rawParameters,
    query: target.query,
  };
}

const LONGEST_QUOTE = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
