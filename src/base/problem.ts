/** The part of a message that has a violation. */
export type ViolationLocation = 'body' | 'path' | 'query' | 'header' | 'cookie';

/** One way in which a message breaks the contract. */
export interface Violation {
  readonly in: ViolationLocation;
  /** JSON Pointer (RFC 6901) into the body, or `/` and the parameter's name. */
  readonly pointer: string;
  /** The JSON Schema keyword, or `required`, `duplicate`… for rules outside of schemas. */
  readonly keyword: string;
  readonly expected: string;
  readonly got: string;
  /** A sentence: `body/id must be an int64, got the string "12"`. */
  readonly message: string;
}

/** Who can correct the cause of a refusal. */
export type Culprit = 'client' | 'document' | 'fixture' | 'mock';

interface ProblemDefinition {
  /** The status of the cause; the response takes another one where the contract declares it. */
  readonly status: number;
  readonly title: string;
  readonly culprit: Culprit;
}

/**
 * All refusals. Their names are stable, as tests and clients rely on them.
 * docs/reference/problems.md explains each; a test holds the two together.
 */
export const problems = {
  MALFORMED_TARGET: define(400, 'The request target cannot be read', 'client'),
  MALFORMED_HOST: define(400, 'The Host field is missing, repeated or malformed', 'client'),
  REPEATED_FIELD: define(400, 'A header field is repeated', 'client'),
  MALFORMED_REQUEST: define(400, 'The request is not HTTP', 'client'),
  REQUEST_TIMEOUT: define(408, 'The request did not arrive in time', 'client'),
  EXPECTATION_FAILED: define(417, 'The expectation cannot be met', 'client'),
  FIELDS_TOO_LARGE: define(431, 'The header fields are larger than the limit', 'client'),
  PATH_NOT_FOUND: define(404, 'No path of the document matches', 'client'),
  METHOD_NOT_ALLOWED: define(405, 'The path has no such method', 'client'),
  UNAUTHORIZED: define(401, 'The credential is missing or malformed', 'client'),
  UNSUPPORTED_MEDIA_TYPE: define(415, 'The media type of the body is not declared', 'client'),
  UNSUPPORTED_CONTENT_CODING: define(
    415,
    'The content coding of the body is not supported',
    'client',
  ),
  BODY_TOO_LARGE: define(413, 'The body is larger than the limit', 'client'),
  UNSUPPORTED_CHARSET: define(415, 'The charset of the body is unknown', 'client'),
  BODY_MISSING: define(400, 'The body is required but empty', 'client'),
  BODY_NOT_DECODABLE: define(400, 'The body does not decode with its content coding', 'client'),
  INVALID_UTF8: define(400, 'The body is not UTF-8', 'client'),
  MALFORMED_JSON: define(400, 'The body is not JSON', 'client'),
  MALFORMED_BODY: define(400, 'The body does not follow its media type', 'client'),
  DUPLICATE_KEY: define(400, 'The body repeats a key', 'client'),
  BODY_TOO_DEEP: define(400, 'The body is nested too deep', 'client'),
  NUMBER_TOO_LONG: define(400, 'The body has a number too long to read', 'client'),
  INVALID_REQUEST: define(422, 'The request breaks the contract', 'client'),
  NOT_ACCEPTABLE: define(406, 'No declared media type is acceptable', 'client'),
  RESOURCE_EXISTS: define(409, 'The resource exists already', 'client'),
  WRONG_STATUS: define(409, 'The status of the resource does not allow the action', 'client'),
  RESOURCE_NOT_FOUND: define(404, 'There is no such resource', 'client'),
  RESOURCE_GONE: define(410, 'The resource was deleted', 'client'),
  PRECONDITION_FAILED: define(412, 'The resource has another version', 'client'),
  INVALID_PATCH: define(422, 'The patch cannot be applied', 'client'),
  IDEMPOTENCY_KEY_REUSED: define(422, 'The idempotency key belongs to another request', 'client'),
  INVALID_CURSOR: define(400, 'The cursor is invalid', 'client'),
  UNKNOWN_STATUS: define(404, 'The preferred status is not declared', 'client'),
  UNKNOWN_EXAMPLE: define(404, 'The preferred example does not exist', 'client'),
  UNKNOWN_FIXTURE: define(404, 'The rule does not exist or is not for this operation', 'client'),
  UNKNOWN_CONTROL_ROUTE: define(404, 'The control API has no such route', 'client'),
  UNKNOWN_DOCUMENT: define(404, 'The mock serves no document of this number', 'client'),
  UNKNOWN_OPERATION: define(404, 'The document has no such operation', 'client'),
  UNKNOWN_COLLECTION: define(404, 'The state has no such collection', 'client'),
  UNKNOWN_RESOURCE: define(404, 'The collection has no such resource', 'client'),
  UNKNOWN_SESSION: define(404, 'There is no such session', 'client'),
  UNKNOWN_SNAPSHOT: define(404, 'There is no such snapshot', 'client'),
  UNKNOWN_EXCHANGE: define(404, 'The journal has no such request', 'client'),
  UNKNOWN_SCENARIO: define(404, 'No rule has such a scenario', 'client'),
  UNKNOWN_STUB_MAPPING: define(404, 'There is no such stub mapping', 'client'),
  INVALID_SESSION: define(400, 'The session name is invalid', 'client'),
  INVALID_REPLAY: define(400, 'The replay cannot be read', 'client'),
  UNKNOWN_CALLBACK: define(404, 'The document has no such callback or webhook', 'client'),
  CALLBACK_NOT_SENT: define(502, 'The callback was not delivered', 'mock'),
  INVALID_FIXTURE: define(422, 'The rule is invalid', 'client'),
  FIXTURE_EXISTS: define(409, 'There is a rule of this name already', 'client'),
  UNSUPPORTED_STUB_MAPPING: define(422, 'The stub mapping is not supported', 'client'),
  CLOSING: define(503, 'The mock is shutting down', 'mock'),
  NOT_SUPPORTED: define(501, 'This is not supported', 'mock'),
  TOO_MANY_LISTENERS: define(429, 'Too many listeners on one session', 'client'),
  TOO_MANY_AT_ONCE: define(422, 'Too many resources for one response', 'client'),
  TOO_MANY_KEPT: define(507, 'The limit of rules or snapshots is reached', 'mock'),
  UNAUTHORIZED_CONTROL: define(401, 'The control API requires its token', 'client'),
  FOREIGN_ORIGIN: define(403, 'The control API refuses pages of other origins', 'client'),
  FOREIGN_HOST: define(403, 'The control API refuses other host names', 'client'),
  FROM_CALLBACK: define(403, 'The control API refuses callbacks', 'client'),
  STATE_FULL: define(507, 'The state is full', 'mock'),
  STATE_BUSY: define(503, 'Too many concurrent changes', 'mock'),
  STORE_UNAVAILABLE: define(503, 'The store cannot be reached', 'mock'),
  NOT_GENERATED: define(501, 'No conforming response was found', 'document'),
  NOT_SERVED: define(501, 'The document has an error here', 'document'),
  NOT_CONFORMING: define(500, 'The response would break the contract', 'mock'),
  INTERNAL: define(500, 'The mock itself failed', 'mock'),
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemName = keyof typeof problems;

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([]);

/** A refusal (RFC 9457), which is turned into a response in one place. */
export interface Refusal {
  readonly problem: ProblemName;
  /** What happened this time, and what to do about it. */
  readonly message: string;
  readonly status: number;
  readonly title: string;
  readonly culprit: Culprit;
  readonly violations: readonly Violation[];
  /** Fields that the response must have, such as `Allow` or `WWW-Authenticate`. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The URI that names the kind of problem. */
  readonly type: string;
}

/** The details of a refusal. */
export type ToldProblem = Pick<Refusal, 'problem' | 'message' | 'violations'>;

interface MoreOfRefusal {
  readonly violations?: readonly Violation[];
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** A refusal that a stage returns: to make an error would be a fiftieth of the whole request. */
export class ReturnedRefusal implements Refusal {
  readonly problem: ProblemName;
  readonly message: string;
  readonly status: number;
  readonly title: string;
  readonly culprit: Culprit;
  readonly violations: readonly Violation[];
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(problem: ProblemName, detail: string, more: MoreOfRefusal = {}) {
    const { status, title, culprit } = problems[problem];
    this.problem = problem;
    this.message = detail;
    this.status = status;
    this.title = title;
    this.culprit = culprit;
    this.violations = more.violations ?? NO_VIOLATIONS;
    this.fields = more.fields;
  }

  get type(): string {
    return typeOf(this.problem);
  }
}

interface MoreOfProblem extends MoreOfRefusal {
  readonly cause?: unknown;
}

/** A refusal that any stage throws. */
export class Problem extends Error implements Refusal {
  override readonly name = 'Problem';
  readonly problem: ProblemName;
  readonly status: number;
  readonly title: string;
  readonly culprit: Culprit;
  readonly violations: readonly Violation[];
  readonly fields: Readonly<Record<string, string>> | undefined;

  /**
   * @param problem the name in {@link problems}
   * @param detail what happened this time, and what to do about it
   */
  constructor(problem: ProblemName, detail: string, more: MoreOfProblem = {}) {
    // A refusal is not a bug: its stack is not needed, and capturing one costs as much as the rest
    // of the request. The stack of a bug is that of its cause.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    Error.stackTraceLimit = limit;
    const { status, title, culprit } = problems[problem];
    this.problem = problem;
    this.status = status;
    this.title = title;
    this.culprit = culprit;
    this.violations = more.violations ?? NO_VIOLATIONS;
    this.fields = more.fields;
  }

  /** The fields, by the library's public name. */
  get headers(): Readonly<Record<string, string>> {
    return this.fields ?? {};
  }

  get type(): string {
    return typeOf(this.problem);
  }
}

/** Returns the URI that names a kind of problem (RFC 9457 §3.1.1). */
export function typeOf(problem: ProblemName): string {
  return `urn:coldframe:problem:${problem}`;
}

/** Returns an error's message, with that of its cause: `fetch` has the reason only there. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Returns the error as a problem; any other error is a bug of the mock. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem('INTERNAL', `a bug in the mock: ${detail}`, { cause: error });
}

function define(status: number, title: string, culprit: Culprit): ProblemDefinition {
  return { status, title, culprit };
}
