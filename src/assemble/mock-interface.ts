import { type Clock, systemClock } from '../base/clock.ts';
import { toJson } from '../base/json/stringify.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { WebhookExchange } from '../callbacks/deliver.ts';
import type { AnyApi, ApiTypes } from '../client/api-types.ts';
import type { Coverage } from '../client/reports.ts';
import type { MockSession } from '../client/session.ts';
import type { Contract } from '../contract/contract.ts';
import type { Stamps } from '../document/read.ts';
import { createLog, guardLog, type Log, silentLog } from '../events/log.ts';
import type { Summary } from '../report/summary.ts';
import type { Handler } from '../serve/listener.ts';
import type { RunningServer } from '../serve/server.ts';
import { readConfiguration, UsageError } from '../settings/options.ts';
import { type DocumentName, defaultSettings, type Settings } from '../settings/settings.ts';
import type { DrillFailure } from './drill.ts';

/** Every setting, by its name in a configuration file; a list of one needs no brackets. */
type GivenSettings = {
  readonly [Name in keyof Settings]?: Settings[Name] extends readonly string[]
    ? string | readonly string[] | undefined
    : Settings[Name] | undefined;
};

/** Settings of a mock in a program; what is left out is as on the command line. */
export interface MockOptions extends Omit<GivenSettings, 'document' | 'seed' | 'log'> {
  /** Paths and URLs of OpenAPI documents, or documents that are parsed. */
  readonly document?: string | object | readonly (string | object)[] | undefined;
  readonly seed?: string | number | undefined;
  /** True reloads when a file changes; false by default. */
  readonly watch?: boolean | undefined;
  /** The source of the time; the system's clock by default. */
  readonly clock?: Clock | undefined;
  /** Logs as the command line does, or calls your own log; `auto`, the default, logs nothing. */
  readonly log?: Log | Settings['log'] | undefined;
}

export interface ReadOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
}

const CALLER = 'createMock';

/**
 * Reads the options of a mock. One that is undefined counts as missing.
 *
 * @throws {UsageError} for an unknown setting or an invalid value
 */
export function readOptions(options: MockOptions): ReadOptions {
  const { clock = systemClock, log = 'silent', document, ...given } = options;
  const defaults: Readonly<Record<string, unknown>> = { ...defaultSettings };
  // An empty text is the default of many settings, and means "none".
  const present = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !(value === '' && defaults[name] === ''),
  );
  const settings: Settings = {
    ...defaultSettings,
    watch: false,
    ...readConfiguration(Object.fromEntries(present), CALLER),
    ...(document !== undefined && {
      document: Array.isArray(document) ? document.map(readDocument) : readDocument(document),
    }),
  };
  return { settings, clock, log: openLog(log, settings, clock) };
}

function readDocument(given: unknown): DocumentName {
  if (typeof given === 'string' && given !== '') return given;
  if (given instanceof URL) return given.href;
  const value = typeof given === 'object' ? readObject(given) : undefined;
  if (isJsonObject(value)) return value;
  throw new UsageError(`${CALLER}: document must be a path, a URL or an OpenAPI document`);
}

function readObject(given: object | null) {
  try {
    return toJson(given);
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? 'it contains itself; pass it as it was before its references were replaced'
        : String(error);
    throw new UsageError(`${CALLER}: the document is no JSON: ${reason}`);
  }
}

/** @throws {UsageError} for a form of log that does not exist */
function openLog(log: Log | string, { verboseLevel }: Settings, { now }: Clock): Log {
  if (typeof log !== 'string') return guardLog(log);
  if (log === 'silent' || log === 'auto') return silentLog;
  if (log !== 'pretty' && log !== 'json') {
    throw new UsageError(`createMock: log must be pretty, json, silent or a Log, got "${log}"`);
  }
  return createLog({
    level: verboseLevel,
    form: log === 'pretty' ? 'lines' : 'json',
    hasColor: false,
    // Test runners show it beside the test that wrote it.
    // biome-ignore lint/suspicious/noConsole: A user asked for it.
    write: (text) => console.log(text.trimEnd()),
    now,
  });
}

/** Where to listen; the settings are the defaults. */
export interface ListenAddress {
  /** 0 takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** How many connections may be open at once; no limit but the system's where it is left out. */
  readonly maximumConnections?: number;
  /**
   * True to do what first requests need before they come, while there are no others. A server that
   * lives longer than a test responds faster then.
   */
  readonly worksAhead?: boolean;
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
  /** The number of requests of all sessions since the mock began. */
  readonly requests: number;
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
