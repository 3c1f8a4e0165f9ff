import { parseJson } from '../base/json/parse.ts';
import { stringifyJson, toJson } from '../base/json/stringify.ts';
import { Decimal, isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';

/** Sends requests to a mock, in this process or over the network. */
export interface Channel {
  /** Sends a request, like the global `fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The base URL of paths, without a trailing slash. */
  readonly origin: string;
  /** The token of the control API; undefined for none. */
  readonly token?: string | undefined;
}

/** The header field that selects a session. */
export type SessionHeaders = Readonly<Record<'Mock-Session', string>>;

/** A refusal by the control API (RFC 9457). */
export interface ControlProblem {
  /** Such as `urn:coldframe:problem:UNKNOWN_COLLECTION`; see docs/reference/problems.md. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** The reason, and the remedy. */
  readonly detail: string;
  /** The violations of an invalid request. */
  readonly violations?: readonly Violation[];
}

/** Thrown when the control API refuses a call. The message contains the reason. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly problem: ControlProblem;

  constructor(problem: ControlProblem) {
    super(problem.detail);
    this.problem = problem;
  }

  /**
   * Returns whether the problem has this name.
   *
   * @param name such as `UNKNOWN_RESOURCE`; see docs/reference/problems.md
   */
  is(name: string): boolean {
    return this.problem.type.endsWith(`:${name}`);
  }
}

/** Calls the control API for one session. */
export class ControlChannel {
  readonly #channel: Channel;
  readonly #headers: SessionHeaders;

  constructor(channel: Channel, headers: SessionHeaders) {
    this.#channel = channel;
    this.#headers = headers;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#send('GET', path);
  }

  /** Requests text of the media type `accept`. */
  async getText(path: string, accept: string): Promise<string> {
    const response = await this.#ask('GET', path, undefined, { Accept: accept });
    return response.text();
  }

  post<Answer = void>(path: string, body?: unknown): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  put<Answer = void>(path: string, body?: unknown): Promise<Answer> {
    return this.#send('PUT', path, body);
  }

  delete(path: string): Promise<void> {
    return this.#send('DELETE', path);
  }

  /**
   * Returns the body of the response; undefined when it is empty.
   *
   * @throws {ControlError} when the control API refuses the request
   */
  async #send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = await (await this.#ask(method, path, body)).text();
    // The tests of the control API validate every response against its document.
    return (text === '' ? undefined : readJsonText(text)) as Answer;
  }

  /** @param path below `/__admin` */
  async #ask(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { fetch, origin, token } = this.#channel;
    const sent = fetch(`${origin}/__admin${path}`, {
      method,
      headers: {
        ...this.#headers,
        ...headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: writeJsonText(body) }),
    });
    const response = await sent.catch((error: Error) => {
      if (error.message !== 'fetch failed') throw error;
      throw new TypeError(`${error.message}: no mock responds at ${origin}`, error);
    });
    if (response.ok) return response;
    throw new ControlError(readProblem(response, await response.text()));
  }
}

/** Reads the problem of a response; a proxy may respond with something else. */
function readProblem({ status, statusText, headers }: Response, text: string): ControlProblem {
  if (headers.get('content-type')?.startsWith('application/problem+json') === true) {
    return readJsonText(text) as ControlProblem;
  }
  const detail = `the control API responded with ${status} ${statusText}: ${text.slice(0, LONGEST)}`;
  return { type: 'about:blank', title: statusText, status, detail };
}

const LONGEST = 500;

/** Returns a path such as `/fixtures/slow`, with each part encoded. */
export function toPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/**
 * Returns a query such as `?limit=5&rules=jitter,circuit`; empty when every value is undefined. The
 * commas of a list separate its items only as they are (OAS 3.1 §4.8.12, `explode: false`).
 */
export function toQuery(values: object): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(',')}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Writes a value as JSON like `JSON.stringify`, with a bigint as an integer.
 *
 * @throws {TypeError} for a value that JSON cannot represent, such as a function
 */
export function writeJsonText(value: unknown): string {
  return stringifyJson(toJson(value));
}

/**
 * Parses JSON like `JSON.parse`, with integers beyond the safe range as bigints.
 *
 * @throws {JsonError} for invalid JSON
 */
export function readJsonText(text: string): unknown {
  return toPlain(parseJson(text));
}

function toPlain(value: JsonValue): unknown {
  if (value instanceof Decimal) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, toPlain(member)] as const);
  return Object.fromEntries(entries);
}
