import { createUniqueName } from '../base/random.ts';
import type { AnyApi, ApiTypes } from './api-types.ts';
import { ControlChannel } from './control-channel.ts';
import type { FixturesControl } from './fixtures-control.ts';
import type { Coverage } from './reports.ts';
import { type MockSession, openSession, type SessionHost } from './session.ts';

/** Options of `connect`. */
export interface ConnectOptions {
  /** The value of `--admin-token`, when the mock runs with one. */
  readonly token?: string;
  /** Sends the requests. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The health of a mock. */
export interface Health {
  readonly status: 'ok';
  readonly document: { readonly title: string; readonly version: string };
  /** The number of operations. */
  readonly operations: number;
}

/** A connection to a running mock. */
export interface Connection<Api extends ApiTypes = AnyApi> {
  readonly url: string;
  /** The rules of the default session, which serves requests without `Mock-Session`. */
  readonly fixtures: FixturesControl<Api['fixtures']>;
  /**
   * Opens a session, with its own state, rules, journal and clock.
   *
   * @param id 1 to 128 letters, digits and `._~-`. Defaults to a unique id.
   */
  session(id?: string): MockSession<Api>;
  /**
   * Returns the health of the mock.
   *
   * @throws {ControlError} when the mock is not healthy
   * @throws {TypeError} `fetch failed` when nothing listens at the URL
   */
  health(): Promise<Health>;
  /** Returns the ids of all sessions, the last used first. */
  sessions(): Promise<readonly string[]>;
  /** Returns what all requests have used of the documents. */
  coverage(): Promise<Coverage>;
  /** Drops every session, and resets the default session. */
  closeSessions(): Promise<void>;
}

/**
 * Connects to a mock in another process, such as a container. Sends no request yet.
 *
 * @param url where the mock listens, such as `http://localhost:4010`
 *
 * @example
 * const mock = connect<Api>('http://localhost:4010');
 * const session = mock.session();
 * await session.createPlant.failNext(503);
 */
export function connect<Api extends ApiTypes = AnyApi>(
  url: string | URL,
  { token, fetch = globalThis.fetch }: ConnectOptions = {},
): Connection<Api> {
  const origin = String(url).replace(/\/+$/, '');
  if (!/^https?:/i.test(origin)) {
    throw new TypeError(`connect needs a URL such as http://localhost:4010, got "${origin}"`);
  }
  const host: SessionHost = { fetch, origin, token, url: () => origin, createId: createUniqueName };
  const session = (id?: string): MockSession<Api> => openSession<Api>(host, id);
  const standard = session(DEFAULT_SESSION);
  const control = new ControlChannel(host, standard.headers);
  return {
    url: origin,
    fixtures: standard.fixtures,
    session,
    health: () => control.get<Health>('/health'),
    async sessions() {
      const path = '/sessions?limit=10000';
      const { sessions } = await control.get<{ sessions: { id: string }[] }>(path);
      return sessions.map(({ id }) => id);
    },
    coverage: () => control.get<Coverage>('/coverage'),
    closeSessions: () => control.delete('/sessions'),
  };
}

const DEFAULT_SESSION = 'default';
