import type { JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { WireRequest } from '../http/message.ts';

/** A request whose operation is known: what routing gives. */
export interface Match {
  readonly request: WireRequest;
  readonly operation: Operation;
  readonly pathParameters: PathParameters;
  /** As they were sent, percent-encoded. */
  readonly rawPathParameters: PathParameters;
  /** Without the `?`, percent-encoded. */
  readonly query: string;
}

/** A request whose credential is good: what authentication gives. */
export interface Caller {
  readonly match: Match;
  readonly isAuthenticated: true;
}

/** A request as values: what decoding gives. */
export interface DecodedRequest {
  readonly caller: Caller;
  readonly parameters: readonly ParameterValue[];
  readonly body: DecodedBody | undefined;
}

/** A parameter of the operation and the value that came. */
export interface ParameterValue {
  readonly name: string;
  readonly in: ParameterLocation;
  /** Undefined when none came. */
  readonly value: JsonValue | undefined;
  /** Set in place of a value where what came is not written as its style says. */
  readonly fault?: Violation;
}

export interface DecodedBody {
  readonly content: Content;
  readonly value: JsonValue;
  /** True for a value that the schema can judge. */
  readonly isJudged: boolean;
}

/** A request that keeps the contract: what validation gives, and sources of answers take. */
export interface OperationRequest {
  readonly match: Match;
  readonly operation: Operation;
  readonly parameters: readonly ParameterValue[];
  readonly body: DecodedBody | undefined;
  readonly isValid: true;
}
