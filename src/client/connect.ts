import { createUniqueName } from '../base/random.ts';
import type { AnyApi, ApiTypes } from './api-types.ts';
import { ControlChannel } from './control-channel.ts';
import type { FixturesControl } from './fixtures-control.ts';
import { type MockSession, openSession, type SessionHost } from './session.ts';

/** How a running mock is reached. */
export interface ConnectOptions {
  /** What its control API wants, where it wants one. */
  readonly token?: string;
  /** What sends the requests; the platform's `fetch` unless it is said. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Whether a mock is well, and what it serves. */
export interface Health {
  readonly status: 'ok';
  readonly document: { readonly title: string; readonly version: string };
  readonly operations: number;
}

/** A mock that runs elsewhere. */
export interface Connection<Api extends ApiTypes = AnyApi> {
  readonly url: string;
  /** The rules of the default session: of requests that name none. */
  readonly fixtures: FixturesControl<Api['fixtures']>;
  /** @param id of the session; one that no other session has unless it is said */
  session(id?: string): MockSession<Api>;
  /** @throws when the mock is not well, or not there */
  health(): Promise<Health>;
  /** @returns the ids of the sessions there are, the last used first */
  sessions(): Promise<readonly string[]>;
  /** Drops every session; the default one begins anew. */
  closeSessions(): Promise<void>;
}

/**
 * Reaches a mock that runs elsewhere, such as in a container. Nothing is sent yet.
 *
 * @param url where it listens, such as `http://127.0.0.1:4010`
 */
export function connect<Api extends ApiTypes = AnyApi>(
  url: string | URL,
  { token, fetch = globalThis.fetch }: ConnectOptions = {},
): Connection<Api> {
  const origin = String(url).replace(/\/+$/, '');
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
      const { sessions } = await control.get<{
        readonly sessions: readonly { readonly id: string }[];
      }>('/sessions?limit=10000');
      return sessions.map(({ id }) => id);
    },
    closeSessions: () => control.delete('/sessions'),
  };
}

/** The one of requests that name none. */
const DEFAULT_SESSION = 'default';
