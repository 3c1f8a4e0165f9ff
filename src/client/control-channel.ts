import { ControlError, type ControlProblem } from './control-error.ts';
import { readJsonText, writeJsonText } from './json-text.ts';

/** Where a mock is: in this process, or at the end of a connection. */
export interface Channel {
  /** Sends a request to the mock, as the platform's `fetch` does. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** What paths are resolved against, without a last slash. */
  readonly origin: string;
  /** What the control API wants to see; undefined where it is open. */
  readonly token?: string | undefined;
}

/** Fields that every request of a session has. */
export type SessionHeaders = Readonly<Record<'Mock-Session', string>>;

/** Speaks the control API for one session. */
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

  /** @param accept the media type of the text that is wanted */
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
   * @returns what is answered; undefined for an answer without a body
   * @throws {ControlError} that says why it is refused
   */
  async #send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = await (await this.#ask(method, path, body)).text();
    // The document of the control API says what is answered; its tests hold it to that.
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
    const response = await fetch(`${origin}/__admin${path}`, {
      method,
      headers: {
        ...this.#headers,
        ...headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: writeJsonText(body) }),
    });
    if (response.ok) return response;
    throw new ControlError(readProblem(response, await response.text()));
  }
}

/** What stands between may answer in words of its own. */
function readProblem({ status, statusText, headers }: Response, text: string): ControlProblem {
  if (headers.get('content-type')?.startsWith('application/problem+json') === true) {
    return readJsonText(text) as ControlProblem;
  }
  const detail = `the control API answered ${status} ${statusText}: ${text.slice(0, LONGEST)}`;
  return { type: 'about:blank', title: statusText, status, detail };
}

const LONGEST = 500;

/** @returns `/fixtures/slow` with each part encoded */
export function toPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** @returns `?limit=5`; empty where nothing is set */
export function toQuery(values: object): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? '' : `?${query}`;
}
