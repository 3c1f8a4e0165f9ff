import { toHttpDate } from '../base/clock.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { NO_FIELDS, type ResponseFields } from '../http/message.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import { type Content, readContents } from './content.ts';
import type { FindValues } from './header-fields.ts';
import { type Parameter, readParameters } from './parameters.ts';
import { type DeclaredResponse, type Responses, readResponses } from './responses.ts';
import { readSecurity, type SecurityRequirement, type SecurityScheme } from './security.ts';

/** A Request Body Object (OAS 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly contents: readonly Content[];
}

/**
 * An Operation Object (OAS 3.1 §4.8.10) with everything that a request to it needs. It is read when
 * it is first used, so that a document of a thousand operations starts as fast as one of ten.
 */
export interface Operation {
  /** Its operationId, else its method and path. */
  readonly id: string;
  /** Upper case, unless the document adds a method of its own (OAS 3.2 §4.9). */
  readonly method: string;
  /** The path template, without the base path of the servers. */
  readonly path: string;
  readonly pointer: Place;
  /** Pointer of its OpenAPI Object. */
  readonly root: Place;
  readonly summary: string | undefined;
  /** Why it cannot be served; undefined if it can. */
  readonly fault: DiagnosticError | undefined;
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: Responses;
  /** Fields of every response that announce its deprecation; none if it is not deprecated. */
  readonly deprecation: ResponseFields;
}

/** The position of an operation in the document. */
export interface OperationPlace {
  readonly root: Place;
  readonly method: string;
  readonly path: string;
  /** Pointer of the Path Item Object. */
  readonly pathItem: Place;
  /** Pointer of the Operation Object. */
  readonly pointer: Place;
}

type OperationDetails = Pick<
  Operation,
  'security' | 'parameters' | 'body' | 'responses' | 'deprecation'
>;

/** Returns an operation, of which only its name is read yet. */
export function createOperation(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  place: OperationPlace,
  findValues: FindValues,
): Operation {
  return new DeclaredOperation(document, schemas, place, findValues);
}

class DeclaredOperation implements Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly pointer: Place;
  readonly root: Place;
  readonly summary: string | undefined;
  readonly #read: () => OperationDetails;
  #details: OperationDetails | undefined;
  #fault: DiagnosticError | undefined;

  constructor(
    document: OpenAPIDocument,
    schemas: SchemaCompiler,
    place: OperationPlace,
    findValues: FindValues,
  ) {
    const { root, method, path, pointer } = place;
    const id = document.at(`${pointer}/operationId`);
    const summary = document.at(`${pointer}/summary`);
    this.id = typeof id === 'string' && id !== '' ? id : `${method} ${path}`;
    this.method = method;
    this.path = path;
    this.pointer = pointer;
    this.root = root;
    this.summary = typeof summary === 'string' ? summary : undefined;
    this.#read = () => readDetails(document, schemas, place, findValues);
  }

  get fault(): DiagnosticError | undefined {
    try {
      this.#known();
      return undefined;
    } catch (error) {
      if (error instanceof DiagnosticError) return error;
      throw error;
    }
  }

  get security(): readonly SecurityRequirement[] {
    return this.#known().security;
  }

  get parameters(): readonly Parameter[] {
    return this.#known().parameters;
  }

  get body(): RequestBody | undefined {
    return this.#known().body;
  }

  get responses(): Responses {
    return this.#known().responses;
  }

  get deprecation(): ResponseFields {
    return this.#known().deprecation;
  }

  /** Read once, and refused with the same fault each time. */
  #known(): OperationDetails {
    if (this.#details !== undefined) return this.#details;
    if (this.#fault !== undefined) throw this.#fault;
    try {
      this.#details = this.#read();
      return this.#details;
    } catch (error) {
      if (error instanceof DiagnosticError) this.#fault = error;
      throw error;
    }
  }
}

/** @throws {DiagnosticError} with every fault of the operation */
function readDetails(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  { root, pathItem, pointer }: OperationPlace,
  findValues: FindValues,
): OperationDetails {
  const faults: DiagnosticError[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      faults.push(error);
      return undefined;
    }
  };
  const security = attempt(() => readSecurity(document, pointer, root));
  const credentials = (security ?? []).flat().flatMap(queryKey);
  const parameters = attempt(() =>
    readParameters(document, schemas, pathItem, pointer, credentials),
  );
  const body = attempt(() => readRequestBody(document, schemas, pointer));
  const responses = attempt(() => readResponses(document, schemas, findValues, pointer));
  if (security === undefined || parameters === undefined || responses === undefined) {
    throw joinFaults(faults);
  }
  if (faults.length > 0) throw joinFaults(faults);
  const deprecation = readDeprecation(document, pointer, responses);
  return Object.freeze({ security, parameters, body, responses, deprecation });
}

function queryKey(scheme: SecurityScheme): readonly string[] {
  return scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.parameter] : [];
}

function joinFaults(faults: readonly DiagnosticError[]): DiagnosticError {
  return new DiagnosticError(faults.flatMap(({ diagnostics }) => diagnostics));
}

function readRequestBody(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  operation: Place,
): RequestBody | undefined {
  const located = document.resolveObject(`${operation}/requestBody`);
  if (located === undefined) return undefined;
  return Object.freeze({
    required: located.value['required'] === true,
    contents: readContents(document, schemas, located.pointer),
  });
}

/** Returns the responses that may declare an error of the client or of the server. */
export function errorResponses(operation: Operation): readonly DeclaredResponse[] {
  return operation.responses.all.filter(({ key }) => /^(?:[45]|default)/.test(key));
}

/**
 * Returns the fields that announce the deprecation of an operation (OAS 3.1 §4.8.10).
 *
 * RFC 9745 §2.1 requires a date, which `deprecated: true` does not have. The operation is deprecated
 * already, so the date is in the past: `@0`, which nobody takes for a real one. `x-sunset`, a date or
 * an object of `date` and `link`, says when the operation ends (RFC 8594 §3).
 *
 * @param operation pointer of the Operation Object
 * @param responses of the operation; a field that one of them declares is not added
 * @returns none if the operation is not deprecated
 */
export function readDeprecation(
  document: OpenAPIDocument,
  operation: string,
  responses: Responses,
): ResponseFields {
  const object = document.at(operation);
  if (!isJsonObject(object) || object['deprecated'] !== true) return NO_FIELDS;
  const sunset = getMember(object, 'x-sunset');
  const details = isJsonObject(sunset) ? sunset : { date: sunset ?? null };
  const date = readDate(details['date']);
  const link = details['link'];
  const fields = {
    deprecation: '@0',
    ...(date !== undefined && { sunset: date }),
    ...(isTarget(link) && { link: `<${link}>; rel="sunset"` }),
  };
  const isDeclared = (name: string): boolean =>
    responses.all.some(({ headers }) => headers.schemas.has(name));
  return Object.freeze(
    Object.fromEntries(Object.entries(fields).filter(([name]) => !isDeclared(name))),
  );
}

function readDate(value: JsonValue | undefined): string | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : toHttpDate(moment);
}

/** True for a URI reference that may be between angle brackets (RFC 8288 §3.1). */
function isTarget(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[!#-;=?-[\]_a-z~%]+$/.test(value);
}
