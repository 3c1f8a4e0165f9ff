import type { Mock } from '../../src/assemble/mock.ts';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import type { SecurityScheme } from '../../src/contract/security.ts';
import type { Generator } from '../../src/generate/generator.ts';
import type { Json } from '../sweep/json.ts';

/** The parts of a request without its body. */
export interface Sending {
  readonly mock: Pick<Mock, 'fetch'>;
  readonly contract: Contract;
  /** Of requests. */
  readonly generator: Generator;
  readonly session: string;
}

export interface Received {
  readonly status: number;
  readonly location: string | null;
  /** The field `Mock-Resource`: the URL of a resource whose key the body does not show. */
  readonly resource: string | null;
  readonly source: string;
  readonly link: string;
  readonly text: string;
  /** Undefined for a body that is no JSON. */
  readonly body: Json | undefined;
}

/** Values of path parameters by name. */
export type PathValues = ReadonlyMap<string, string>;

/**
 * @param path values of the path parameters; others are made up
 * @param wished what the query has besides
 */
export async function send(
  sending: Sending,
  operation: Operation,
  path: PathValues,
  body?: { readonly mediaType: string; readonly text: string },
  wished: PathValues = new Map(),
): Promise<Received> {
  const { mock, session } = sending;
  const headers = new Headers({ 'mock-session': session });
  const query = new URLSearchParams();
  addParameters(sending, operation, path, headers, query);
  for (const [name, value] of wished) query.set(name, value);
  for (const scheme of operation.security[0] ?? []) addCredential(scheme, headers, query);
  if (body !== undefined) headers.set('content-type', body.mediaType);
  const json = acceptedJson(operation);
  if (json !== undefined) headers.set('accept', json);
  const text = query.size === 0 ? '' : `?${query}`;
  const target = operation.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    encodeURIComponent(path.get(name) ?? pathValueOf(sending, [operation], name)),
  );
  const response = await mock.fetch(`http://localhost${target}${text}`, {
    method: operation.method,
    headers,
    ...(body !== undefined && { body: body.text }),
    redirect: 'manual',
  });
  const received = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    resource: response.headers.get('mock-resource'),
    source: response.headers.get('mock-source') ?? '',
    link: response.headers.get('link') ?? '',
    text: received,
    body: readJson(received),
  };
}

/** @returns a value for a path parameter that all operations with it accept, where there is one */
export function pathValueOf(
  { generator }: Pick<Sending, 'generator'>,
  operations: readonly Operation[],
  name: string,
): string {
  const schemas = operations.flatMap(({ parameters }) =>
    parameters.flatMap((one) => (one.in === 'path' && one.name === name ? (one.schema ?? []) : [])),
  );
  const values = schemas.flatMap(({ pointer }) => generator.generateMinimal(pointer) ?? []);
  const value = values.find((each) => schemas.every((schema) => schema.accepts(each))) ?? values[0];
  return value === undefined || typeof value === 'object' || value === '' ? '1' : String(value);
}

/** RFC 9110 §13.1.1: `*` is met by whatever there is. */
const ANY_VERSION: ReadonlyMap<string, string> = new Map([['if-match', '*']]);

/** Those that must be sent, and can be as plain text; what the resource says is said again. */
function addParameters(
  { generator }: Sending,
  operation: Operation,
  path: PathValues,
  headers: Headers,
  query: URLSearchParams,
): void {
  for (const { name, in: location, required, schema } of operation.parameters) {
    if (!required || location === 'path') continue;
    const value = schema === undefined ? 'x' : generator.generateMinimal(schema.pointer);
    const text = path.get(name) ?? ANY_VERSION.get(name.toLowerCase()) ?? [value].flat().join();
    if (location === 'header') headers.set(name, text);
    else if (location === 'query') query.set(name, text);
  }
}

function addCredential(scheme: SecurityScheme, headers: Headers, query: URLSearchParams): void {
  switch (scheme.kind) {
    case 'bearer':
      headers.set('authorization', 'Bearer token');
      break;
    case 'basic':
      headers.set('authorization', 'Basic dXNlcjpwYXNz');
      break;
    case 'http':
      headers.set('authorization', `${scheme.scheme} token`);
      break;
    case 'apiKey':
      if (scheme.in === 'query') query.set(scheme.parameter, 'key');
      else if (scheme.in === 'header') headers.set(scheme.parameter, 'key');
      else headers.append('cookie', `${scheme.parameter}=key`);
      break;
    case 'mutualTLS':
      break;
  }
}

function acceptedJson({ responses }: Operation): string | undefined {
  const contents = responses.success?.response.contents ?? [];
  const json = contents.find(({ isJson }) => isJson);
  return json === undefined || contents.length === 1 ? undefined : json.sentAs;
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
