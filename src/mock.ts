import { type AppEnvironment, createApp, createPlatformResponse } from './app.ts';
import { createCallBack } from './callbacks/callbacks.ts';
import { createSender, type Sender } from './callbacks/sender.ts';
import { createFireWebhook, type FireWebhook, type WebhookExchange } from './callbacks/webhooks.ts';
import { findErrors } from './check/errors.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Contract } from './contract/contract.ts';
import { defaultSettings } from './defaults.ts';
import { type Diagnostic, DiagnosticError } from './document/diagnostic.ts';
import { isSame, type Stamps, stampAll } from './document/stamp.ts';
import { createContractGenerator } from './generate/contract-generator.ts';
import type { Serving } from './handle.ts';
import { takeLightResponse } from './http/light-response.ts';
import { readRequest } from './http/read-request.ts';
import { type Loaded, load } from './load.ts';
import { type Log, silentLog } from './log.ts';
import { createPrismGenerator } from './prism.ts';
import { createDraw } from './respond/draw.ts';
import { createErrorBodies } from './respond/error-body.ts';
import { createReasons } from './respond/nothing-found.ts';
import { createRefuse } from './respond/refuse.ts';
import { orderSources } from './respond/sources.ts';
import { breakConnection, type RunningServer, startServer } from './server.ts';
import { createSession, type Session } from './session.ts';
import type { Settings } from './settings.ts';
import { createMemoryStore } from './state/memory-store.ts';
import { inferResources, type Resources } from './state/resources.ts';

/** Settings of a mock in a program; what is left out is as on the command line. */
export interface MockOptions extends Partial<Omit<Settings, 'seed' | 'verboseLevel' | 'watch'>> {
  readonly seed?: string | number;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** A mock server: in process, or listening. */
export interface Mock {
  readonly contract: Contract;
  /** The files and folders that were read, each with the stamp that it had then. */
  readonly stamps: Stamps;
  /** The names of the failure fixtures, and whether each is on. */
  readonly fixtures: readonly { readonly name: string; readonly isEnabled: boolean }[];
  /**
   * Answers a request without a port, as the platform's `fetch` would.
   *
   * @throws {TypeError} `fetch failed` where a fixture breaks the connection
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** @param address overrules the settings; port 0 takes a free one */
  listen(address?: { readonly port?: number; readonly host?: string }): Promise<RunningServer>;
  /**
   * Sends a webhook of the document to a URL, with the example of its body or a generated one.
   *
   * @throws when the document has no such webhook, or nobody answers
   */
  webhook(name: string, url: string | URL): Promise<WebhookExchange>;
  /** Takes state, counts and chance back to the beginning. */
  reset(): void;
  /** Reads the files again. @throws {DiagnosticError} and serves on as before */
  reload(): Promise<void>;
  /** Closes what listens; requests under way are answered first, callbacks broken off. */
  close(): Promise<void>;
}

type Served = Serving & { readonly resources: Resources; readonly fireWebhook: FireWebhook };

/**
 * Makes a mock of an OpenAPI document. Two mocks in one process share nothing.
 *
 * @throws {DiagnosticError} with everything that is wrong with the document and the fixtures
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { clock = systemClock, log = silentLog, seed, ...given } = options;
  const settings: Settings = {
    ...defaultSettings,
    ...withoutUndefined(given),
    ...(seed !== undefined && { seed: String(seed) }),
  };
  const session = createSession({ seed: settings.seed, clock, createStore: createMemoryStore });
  const sender = createSender(clock);
  let loaded = await load(settings);
  let served = serve(loaded, settings, session, log, sender);
  const app = createMockApp(settings, () => served);
  const servers = new Set<RunningServer>();
  return {
    get contract() {
      return loaded.contract;
    },
    get stamps() {
      return loaded.stamps;
    },
    get fixtures() {
      return loaded.fixtures.rules;
    },
    fetch: (input, init) => fetchInProcess(app, toRequest(input, init)),
    async listen({ port = settings.port, host = settings.host } = {}) {
      const server = await startServer({
        port,
        host,
        maximumBodyBytes: settings.bodyLimit,
        serving: () => served,
        fetch: app,
      });
      servers.add(server);
      return server;
    },
    webhook: (name, url) => served.fireWebhook(name, url),
    reset: () => session.reset(),
    async reload() {
      const next = await loadWhole(settings);
      refuseNewErrors(loaded.contract, next.contract);
      served = serve(next, settings, session, log, sender);
      loaded = next;
    },
    async close() {
      await Promise.all([...servers].map((server) => server.close()));
      await sender.close();
      servers.clear();
    },
  };
}

/**
 * What is half written often still parses: a part that could be served must not be lost by a save.
 *
 * @throws {DiagnosticError} with the errors that were not there before
 */
function refuseNewErrors(before: Contract, after: Contract): void {
  const keyOf = ({ pointer, message }: Diagnostic): string => `${pointer} ${message}`;
  const known = new Set([...findErrors(before)].map(keyOf));
  const news = [...findErrors(after)].filter((error) => !known.has(keyOf(error)));
  if (news.length > 0) throw new DiagnosticError(news);
}

/** A file that is written while it is read may have been read in part: it is read again. */
async function loadWhole(settings: Settings): Promise<Loaded> {
  for (;;) {
    const loaded = await load(settings);
    if (isSame(loaded.stamps, await stampAll(loaded.stamps.keys()))) return loaded;
  }
}

function serve(
  { contract, fixtures }: Loaded,
  settings: Settings,
  session: Session,
  log: Log,
  sender: Sender,
): Served {
  const resources = inferResources(contract);
  const answering = createContractGenerator(contract, 'response');
  const requesting = createContractGenerator(contract, 'request');
  const errorBodies = createErrorBodies(answering);
  const generateByPrism = createPrismGenerator(contract);
  const { now } = session.clock;
  const reasons = createReasons(contract.document);
  const draw = createDraw({ generator: answering, generateByPrism, reasons, now });
  const drawRequest = createDraw({ generator: requesting, generateByPrism, reasons, now });
  const material = { contract, draw: drawRequest, random: session.random, sender, log };
  return Object.freeze({
    contract,
    fixtures,
    resources,
    sources: orderSources(settings, {
      document: contract.document,
      fixtures,
      resources,
      session,
      errorBodies,
      draw,
      reasons,
    }),
    errorBodies,
    refuse: createRefuse(contract, errorBodies, settings.undeclared, settings.errors),
    session,
    journal: log.exchange,
    callBack: createCallBack({ ...material, hosts: settings.callbackHosts }),
    fireWebhook: createFireWebhook(material),
    tokens: new Set(settings.tokens),
    maximumBodyBytes: settings.bodyLimit,
    brotli: settings.brotli,
  });
}

type Fetch = (request: Request, environment: AppEnvironment) => Response | Promise<Response>;

function createMockApp(settings: Settings, serving: () => Served): Fetch {
  const Light = takeLightResponse();
  const read = (request: Request, environment: unknown) => {
    const received = (environment as AppEnvironment).incoming?.received;
    return received === undefined
      ? readRequest(request, settings.bodyLimit)
      : Promise.resolve(received.request);
  };
  const app = createApp({
    cors: settings.cors,
    maximumBodyBytes: settings.bodyLimit,
    serving,
    control: { serving, read, cors: settings.cors },
    createResponse: (body, init, environment) =>
      environment.incoming === undefined
        ? createPlatformResponse(body, init)
        : new Light(body, init),
    breakConnection,
  });
  return (request, environment) => app.fetch(request, environment);
}

async function fetchInProcess(app: Fetch, request: Request): Promise<Response> {
  const environment: AppEnvironment = {};
  const response = await app(request, environment);
  if (environment.fault === undefined) return response;
  // What undici's fetch throws for a connection that breaks.
  const isReset = environment.fault === 'CONNECTION_RESET_BY_PEER';
  const cause = Object.assign(new Error(isReset ? 'read ECONNRESET' : 'other side closed'), {
    code: isReset ? 'ECONNRESET' : 'UND_ERR_SOCKET',
  });
  throw new TypeError('fetch failed', { cause });
}

/** A path alone is enough: there is no host to name in process. */
function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  return new Request(new URL(input, 'http://localhost'), init);
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<Value>;
}
