import type { WebhookExchange } from '../callbacks/deliver.ts';
import type { AnyApi, ApiTypes } from '../client/api-types.ts';
import type { Coverage } from '../client/reports.ts';
import type { MockSession } from '../client/session.ts';
import type { Contract } from '../contract/contract.ts';
import type { Stamps } from '../document/read.ts';
import type { Summary } from '../report/summary.ts';
import type { Handler } from '../serve/listener.ts';
import type { RunningServer } from '../serve/server.ts';
import type { DrillFailure } from './drill.ts';

/** Where to listen; the settings are the defaults. */
export interface ListenAddress {
  /** 0 takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** How many connections may be open at once; no limit but the system's where it is left out. */
  readonly maximumConnections?: number;
}

/** Where a mock listens. */
export interface ListeningMock extends RunningServer {
  /** The URL of the control API if it has its own port. */
  readonly adminUrl: string | undefined;
}

/**
 * A mock server: in process, or listening.
 *
 * @typeParam Api the types of its document, as `coldframe types` writes them
 */
export interface Mock<Api extends ApiTypes = AnyApi> {
  readonly contract: Contract;
  /** The files and folders that were read, each with the stamp that it had then. */
  readonly stamps: Stamps;
  /** The names of the failure fixtures, and whether each is on at the start. */
  readonly fixtures: readonly { readonly name: string; readonly isEnabled: boolean }[];
  /**
   * Answers a request without a port, as the platform's `fetch` would.
   *
   * @throws {TypeError} `fetch failed` where a fixture breaks the connection
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * The mock as a request listener of `node:http`, or as middleware of Connect, Express or Vite.
   * It passes on requests for paths that neither the document nor the control API has.
   */
  readonly handler: Handler;
  /**
   * Returns an isolated session for a test.
   *
   * @param id a new one where it is left out
   */
  session(id?: string): MockSession<Api>;
  /**
   * Returns the failures to try a client with, each in a session of its own: every declared error,
   * every disabled rule and every profile.
   *
   * @param only names of failures, operations or statuses, such as `createPlant` or `503`
   * @throws {UsageError} for a name that is none of these
   *
   * @example
   * for (const failure of mock.drill()) {
   *   test(failure.title, async () => {
   *     const session = await failure.session();
   *     await addPlant(fern, { fetch: session.fetch });
   *   });
   * }
   */
  drill(...only: readonly string[]): readonly DrillFailure<Api>[];
  /** @param address overrules the settings */
  listen(address?: ListenAddress): Promise<ListeningMock>;
  /**
   * Sends a webhook of the document to a URL, with the example of its body or a generated one.
   *
   * @throws {Error} if the document has no such webhook, or the receiver does not respond
   */
  webhook(name: string, url: string | URL): Promise<WebhookExchange>;
  /** Returns which operations no request reached, and how often requests were refused for what. */
  summary(): Summary;
  /** Returns what all requests have used of the documents. */
  coverage(): Promise<Coverage>;
  /** Takes the default session back to the beginning, and drops all others. */
  reset(): Promise<void>;
  /** Reads the files again. @throws {DiagnosticError} and serves on as before */
  reload(): Promise<void>;
  /** Closes the servers, after the requests under way; aborts callbacks. */
  close(): Promise<void>;
}
