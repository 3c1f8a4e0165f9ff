import type { JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { WireRequest } from '../http/message.ts';

/** A request whose operation is known; the result of `route`. */
export interface RoutedRequest extends WireRequest {
  readonly operation: Operation;
  readonly pathParameters: PathParameters;
  /** As they were sent, percent-encoded. */
  readonly rawPathParameters: PathParameters;
  /** Without the `?`, percent-encoded. */
  readonly query: string;
}

declare const authenticated: unique symbol;
declare const valid: unique symbol;

/** A request whose credential is accepted; the result of `authenticate`. */
export interface AuthenticatedRequest extends RoutedRequest {
  /** Exists only in the type: it keeps the stages in order. */
  readonly [authenticated]: true;
}

/** A request as values; the result of `decode`. */
export interface DecodedRequest extends AuthenticatedRequest {
  readonly parameters: readonly ParameterValue[];
  readonly body: DecodedBody | undefined;
}

/** A request that keeps the contract; the result of `validate`, which response sources take. */
export interface ValidRequest extends DecodedRequest {
  /** Exists only in the type: it keeps the stages in order. */
  readonly [valid]: true;
}

export interface ParameterValue {
  readonly name: string;
  readonly in: ParameterLocation;
  /** Undefined when the request has none. */
  readonly value: JsonValue | undefined;
  /** Set in place of a value where the text does not follow the parameter's style. */
  readonly fault?: Violation;
}

export interface DecodedBody {
  readonly content: Content;
  readonly value: JsonValue;
  /** True if the schema can validate the value. */
  readonly isValidated: boolean;
}

/**
 * Returns a request with its decoded values. Written member by member: a spread takes several
 * microseconds, for every request.
 */
export function withValues(
  request: AuthenticatedRequest,
  parameters: readonly ParameterValue[],
  body: DecodedBody | undefined,
): DecodedRequest {
  return {
    method: request.method,
    target: request.target,
    prefix: request.prefix,
    fields: request.fields,
    rawBody: request.rawBody,
    operation: request.operation,
    pathParameters: request.pathParameters,
    rawPathParameters: request.rawPathParameters,
    query: request.query,
    parameters,
    body,
  } as DecodedRequest;
}
