import { toHttpDate } from '../base/clock.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { OperationName } from '../document/listed-paths.ts';
import type { Place } from '../document/place.ts';
import { NO_FIELDS, type ResponseFields } from '../http/message.ts';
import { type Content, readContents } from './content.ts';
import type { ContractSource } from './contract-source.ts';
import { type Parameter, readParameters } from './parameters.ts';
import type { Selector } from './path-template.ts';
import { type DeclaredResponse, type Responses, readResponses } from './responses.ts';
import { readSecurity, type SecurityRequirement, type SecurityScheme } from './security.ts';

/** A Request Body Object (OAS 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly contents: readonly Content[];
}

/** The parts of an operation that are read when it is first used. */
interface OperationDetails {
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: Responses;
  /**
   * The boolean parameter of the query, or member of the request body, that asks for a stream; true
   * or false if the document says so in its `x-coldframe`; undefined for neither.
   */
  readonly streamSwitch: string | boolean | undefined;
  /** Fields of every response that announce its deprecation; none if it is not deprecated. */
  readonly deprecation: ResponseFields;
}

/** The position of an operation in the document. */
export interface OperationPlace {
  /** Pointer of its OpenAPI Object. */
  readonly root: Place;
  /** Upper case, unless it is a method that the document adds (OAS 3.2 §4.9). */
  readonly method: string;
  /** The path template of the document, without the base path of the servers. */
  readonly path: string;
  /** The fields that select this operation among several with its path and method. */
  readonly selectors: readonly Selector[];
  readonly pathItem: Place;
  readonly pointer: Place;
}

/**
 * An Operation Object (OAS 3.1 §4.8.10) with everything that a request to it needs. It is read when
 * it is first used, so that a document of a thousand operations starts as fast as one of ten.
 */
export interface Operation extends OperationDetails, OperationPlace {
  /** Its operationId, else its method and path. */
  readonly id: string;
  readonly summary: string | undefined;
  /** Why it cannot be served; undefined if it can. Its details throw this fault. */
  readonly fault: DiagnosticError | undefined;
}

type Details = ReturnType<typeof readDetails>;

/**
 * An operation of which only the name is read yet. A document may have thousands, and V8 makes a
 * dictionary of an object literal with getters, so it is a class.
 */
export class DeclaredOperation implements Operation {
  readonly root: Place;
  readonly method: string;
  readonly path: string;
  readonly selectors: readonly Selector[];
  readonly pathItem: Place;
  readonly pointer: Place;
  readonly id: string;
  readonly summary: string | undefined;
  readonly #source: ContractSource;
  #read: Details | undefined;

  constructor(source: ContractSource, place: OperationPlace, [id, summary]: OperationName) {
    const { method, path } = place;
    this.root = place.root;
    this.method = method;
    this.path = path;
    this.selectors = place.selectors;
    this.pathItem = place.pathItem;
    this.pointer = place.pointer;
    this.id = id ?? `${method} ${path}`;
    this.summary = summary ?? undefined;
    this.#source = source;
    Object.freeze(this);
  }

  get fault(): DiagnosticError | undefined {
    return this.#details().fault;
  }

  get security(): Operation['security'] {
    return this.#sound().security;
  }

  get parameters(): Operation['parameters'] {
    return this.#sound().parameters;
  }

  get body(): Operation['body'] {
    return this.#sound().body;
  }

  get responses(): Operation['responses'] {
    return this.#sound().responses;
  }

  get streamSwitch(): Operation['streamSwitch'] {
    return this.#sound().streamSwitch;
  }

  get deprecation(): Operation['deprecation'] {
    return this.#sound().deprecation;
  }

  #details(): Details {
    this.#read ??= readDetails(this.#source, this);
    return this.#read;
  }

  /** @throws {DiagnosticError} for an operation that cannot be served */
  #sound(): OperationDetails {
    const found = this.#details();
    if (found.fault !== undefined) throw found.fault;
    return found;
  }
}

/** Returns the details, or an error with every fault of the operation. */
function readDetails(source: ContractSource, place: OperationPlace) {
  const { pointer } = place;
  const faults: Diagnostic[] = [];
  const security = readSecurity(source.document, place);
  const credentials = security.flat().flatMap(queryKey);
  const parameters = collectFaults(faults, () =>
    readParameters(source, place.pathItem, pointer, credentials),
  );
  const body = collectFaults(faults, () => readRequestBody(source, pointer));
  const responses = collectFaults(faults, () => readResponses(source, pointer));
  if (!parameters || !responses || faults.length > 0) {
    return { fault: new DiagnosticError(faults) };
  }
  const deprecation = readDeprecation(source.document, pointer, responses);
  const streamSwitch = readStreamSwitch(source, place, { parameters, body, responses });
  const details = { security, parameters, body, responses, streamSwitch, deprecation };
  return Object.freeze({ fault: undefined, ...details });
}

function readStreamSwitch(
  { document, schemas }: ContractSource,
  { pointer }: OperationPlace,
  details: Pick<OperationDetails, 'parameters' | 'body' | 'responses'>,
): OperationDetails['streamSwitch'] {
  if (details.responses.success?.response.streams.length === 0) return undefined;
  const given = document.at(`${pointer}/x-coldframe/stream`);
  if (typeof given === 'string' || typeof given === 'boolean') return given;
  const isBoolean = (place: Place | undefined) => schemas.nodes.at(place)?.types.has('boolean');
  const inQuery = details.parameters.some(
    (one) => one.in === 'query' && one.name === 'stream' && isBoolean(one.schema?.pointer),
  );
  const inBody = details.body?.contents.some(({ schema }) =>
    isBoolean(schemas.nodes.at(schema?.pointer)?.property('stream')?.pointer),
  );
  return inQuery || inBody ? 'stream' : undefined;
}

function queryKey(scheme: SecurityScheme): readonly string[] {
  return scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.parameter] : [];
}

function readRequestBody(source: ContractSource, operation: Place): RequestBody | undefined {
  const located = source.document.resolveObject(`${operation}/requestBody`);
  if (located === undefined) return undefined;
  return Object.freeze({
    required: located.value['required'] === true,
    contents: readContents(source, located.pointer),
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
 * already, so the date is in the past: `@0`, which is clearly not a real one. `x-sunset`, a date or
 * an object of `date` and `link`, says when the operation ends (RFC 8594 §3). A field that one of
 * the responses declares is not added.
 */
function readDeprecation(document: OpenAPIDocument, operation: Place, { all }: Responses) {
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
  const isDeclared = (name: string) => all.some(({ headers }) => headers.schemas.has(name));
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
