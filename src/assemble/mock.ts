import { setMaxListeners } from 'node:events';
import { hasHeapRoom } from '../base/heap.ts';
import { createRandom } from '../base/random.ts';
import { once } from '../base/remember.ts';
import type { WebhookExchange } from '../callbacks/deliver.ts';
import { Sender } from '../callbacks/sender.ts';
import type { AnyApi, ApiTypes } from '../client/api-types.ts';
import type { Coverage } from '../client/reports.ts';
import { type MockSession, openSession, type SessionHost } from '../client/session.ts';
import { type Contract, findErrors } from '../contract/contract.ts';
import type { Control } from '../control/control.ts';
import { type ControlPaths, controlPaths, EVERY_PATH } from '../control/control-target.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { KeptDocuments } from '../document/kept-documents.ts';
import { isSame, type Stamps, stampAll } from '../document/read.ts';
import { createEventHub, type EventHub } from '../events/event-hub.ts';
import type { Exchange } from '../journal/exchange.ts';
import { ExchangeLog } from '../journal/keep/exchange-log.ts';
import { JournalBudget } from '../journal/keep/journal-budget.ts';
import type { JournalSettings } from '../journal/keep/session-journal.ts';
import { writeCoverageFile } from '../report/coverage/coverage-file.ts';
import { RunTally, type Summary } from '../report/summary.ts';
import type { App } from '../serve/app.ts';
import { createFetch } from '../serve/fetch.ts';
import { createHandler, type Handler, type ListenerSettings } from '../serve/listener.ts';
import { type RunningServer, type ServerSettings, startServer } from '../serve/server.ts';
import type { SessionBeginning } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { UsedItems } from '../session/used-items.ts';
import type { Settings } from '../settings/settings.ts';
import { createControlOf } from './control-api.ts';
import { createDrill, type DrillFailure } from './drill.ts';
import { type Loaded, load } from './load.ts';
import {
  type ListenAddress,
  type ListeningMock,
  type Mock,
  type MockOptions,
  type ReadOptions,
  readOptions,
} from './mock-interface.ts';
import {
  type AssembledPipeline,
  assemblePipeline,
  type Lasting,
  refuseAgain,
  showTarget,
  viewExchange,
} from './pipeline.ts';
import { Rehearsal } from './rehearsal.ts';
import { chooseSessions, type OpenSessions, readBeginning } from './sessions.ts';
import { workAhead } from './work-ahead.ts';

export type { ListenAddress, ListeningMock, Mock };

/**
 * Makes a mock of an OpenAPI document. Two mocks in one process share nothing.
 *
 * @throws {DiagnosticError} with everything that is wrong with the document and the fixtures
 * @throws {UsageError} for an unknown setting, or a value that it cannot have
 * @throws {SettingError} for a time or a replay that cannot be read
 * @throws {StoreError} for a store that cannot be opened
 */
export async function createMock<Api extends ApiTypes = AnyApi>(
  options: MockOptions = {},
): Promise<Mock<Api>> {
  return createProgramMock<Api>(options);
}

/** The mock of a program that does other work while there are no requests. */
export interface ProgramMock<Api extends ApiTypes = AnyApi> extends Mock<Api> {
  /** True while requests wait until it is known what the operations mean. */
  readonly isPreparing: boolean;
}

/** Like {@link createMock}; uses and stores results of reading large documents. */
export async function createProgramMock<Api extends ApiTypes = AnyApi>(
  options: MockOptions,
  kept?: KeptDocuments,
): Promise<ProgramMock<Api>> {
  const read = readOptions(options);
  const { settings } = read;
  const [loaded, openSessions] = await Promise.all([
    load(settings, kept),
    chooseSessions(settings),
  ]);
  const mock = new LoadedMock<Api>(loaded, openSessions, { ...read, kept });
  return mock.begin();
}

/** A person who holds the mock can send requests without it. */
const EVERY_HOST = ['*'];

/** Longer bodies are kept cut. */
const LONGEST_KEPT_BODY = 64 * 1024;

interface MockParts extends ReadOptions {
  readonly kept: KeptDocuments | undefined;
}

class LoadedMock<Api extends ApiTypes> implements ProgramMock<Api> {
  readonly #settings: Settings;
  readonly #kept: KeptDocuments | undefined;
  readonly #events: EventHub;
  readonly #lasting: Lasting;
  readonly #beginning: SessionBeginning;
  readonly #sessions: Sessions;
  readonly #control: Control;
  readonly #closing = new AbortController();
  readonly #closed = new AbortController();
  readonly #servers = new Set<RunningServer>();
  readonly #inProcess: ReturnType<typeof createFetch>;
  readonly handler: Handler;
  readonly #host: SessionHost;
  readonly #tally = new RunTally();
  #stopWatching: (() => void) | undefined;
  #worksAhead = false;
  #loaded: Loaded;
  #pipeline: AssembledPipeline;

  constructor(
    loaded: Loaded,
    openSessions: OpenSessions,
    { settings, log, clock, kept }: MockParts,
  ) {
    const events = createEventHub(() => this.#sessions.relay);
    const target = (exchange: Exchange): string => showTarget(exchange, this.#pipeline);
    const listen = (exchange: Exchange): void => {
      log.exchange(exchange, target);
      events.exchange(exchange);
      this.#tally.record(exchange);
    };
    this.#settings = settings;
    this.#kept = kept;
    this.#events = events;
    this.#loaded = loaded;
    this.#lasting = {
      settings,
      log,
      sender: new Sender(clock),
      listen,
      closed: this.#closed.signal,
      used: new UsedItems(),
      publish: (exchange) => events.exchange(exchange),
    };
    this.#pipeline = assemblePipeline(loaded, this.#lasting);
    this.#beginning = {
      ...readBeginning(settings, clock),
      fixtures: () => this.#pipeline.fixtures,
      journal: this.#limitJournals(),
    };
    this.#sessions = openSessions(
      this.#beginning,
      () => this.#pipeline.beginning(),
      {
        info: (message) => log.info('store', { message }),
        warn: (message) => log.warn('store', { message }),
      },
      (request) => this.#pipeline.foresee(request),
    );
    this.#sessions.on(({ kind, id, reason }) => {
      const data = () => ({ change: kind, ...(reason !== undefined && { reason }) });
      events.publish({ name: 'session', session: id, data });
    });
    // Whatever waits listens to it.
    setMaxListeners(0, this.#closing.signal, this.#closed.signal);
    this.#control = createControlOf({
      settings,
      clock,
      events,
      sessions: this.#sessions,
      openSession: (id) => openSession(this.#host, id),
      pipeline: () => this.#pipeline,
      closing: this.#closing.signal,
      port: () => this.#port(),
      summarize: () => this.summary(),
    });
    // A program that holds the mock itself needs no port for its control API.
    const paths = controlPaths(settings.admin);
    this.#inProcess = this.#createFetch(paths);
    this.handler = createHandler(this.#listenerSettings(paths), this.#closing.signal);
    this.#host = this.#createHost();
  }

  async begin(): Promise<this> {
    await this.#sessions.begin();
    if (this.#settings.watch) {
      const { watchMock } = await import('./watch.ts');
      this.#stopWatching = watchMock(this, this.#lasting.log);
    }
    return this;
  }

  get contract(): Contract {
    return this.#loaded.contract;
  }

  get stamps(): Stamps {
    return this.#loaded.stamps;
  }

  get fixtures() {
    return this.#loaded.fixtures.rules;
  }

  session(id?: string): MockSession<Api> {
    return openSession<Api>(this.#host, id);
  }

  drill(...only: readonly string[]): readonly DrillFailure<Api>[] {
    return createDrill(this.#loaded, () => this.session(), only);
  }

  readonly fetch: Mock['fetch'] = async (input, init) => this.#inProcess(toRequest(input, init));

  async listen(given: ListenAddress = {}): Promise<ListeningMock> {
    const { port = this.#settings.port, host = this.#settings.host, maximumConnections } = given;
    const { admin, adminPort } = this.#settings;
    const paths = controlPaths(admin && adminPort === undefined);
    const server = await this.#start({ port, host, maximumConnections }, paths);
    this.#worksAhead ||= given.worksAhead === true;
    this.#workAhead();
    if (adminPort === undefined || !admin) return { ...server, adminUrl: undefined };
    const beside = await this.#start({ port: adminPort, host }, EVERY_PATH).catch(
      async (error: unknown) => {
        await server.close();
        throw error;
      },
    );
    const close = async (): Promise<void> => {
      await Promise.all([server.close(), beside.close()]);
    };
    return { ...server, adminUrl: beside.url, close };
  }

  async webhook(name: string, url: string | URL): Promise<WebhookExchange> {
    const session = await this.#sessions.open(undefined);
    return this.#pipeline.sendByHand({ name, url }, session, EVERY_HOST);
  }

  get requests(): number {
    return this.#tally.requests;
  }

  get isPreparing(): boolean {
    return this.#loaded.resources.isPreparing;
  }

  summary(): Summary {
    return this.#tally.summarize(this.contract);
  }

  async coverage(): Promise<Coverage> {
    return this.#pipeline.coverage.describe();
  }

  async reset(): Promise<void> {
    await this.#sessions.dropAll();
  }

  async reload(): Promise<void> {
    const next = await loadWhole(this.#settings, this.#kept);
    refuseNewErrors(this.#loaded.contract, next.contract);
    this.#pipeline = assemblePipeline(next, this.#lasting);
    this.#loaded = next;
    this.#workAhead();
    this.#events.publish({ name: 'reload', session: undefined, data: () => ({}) });
  }

  async close(): Promise<void> {
    this.#stopWatching?.();
    this.#closing.abort();
    await Promise.all([...this.#servers].map((server) => server.close()));
    this.#closed.abort();
    await this.#lasting.sender.close();
    await this.#sessions.close();
    await this.#writeCoverage();
    this.#servers.clear();
    this.#lasting.log.flush();
  }

  #workAhead(): void {
    if (!this.#worksAhead) return;
    const loaded = this.#loaded;
    const { mode, dynamic, coverage: isCovered } = this.#settings;
    // Only responses from the state need meanings at once.
    const resources = mode === 'stateful' && !dynamic ? loaded.resources : undefined;
    const createRehearsal = () => new Rehearsal(loaded, this.#lasting, this.#beginning);
    const isCurrent = () => !this.#closing.signal.aborted && this.#loaded === loaded;
    const coverage = isCovered ? this.#pipeline.coverage : undefined;
    workAhead({ resources, createRehearsal, coverage, hasRoom: hasHeapRoom }, isCurrent);
  }

  async #writeCoverage(): Promise<void> {
    const { coverageFile: file } = this.#settings;
    if (file === '') return;
    const { log } = this.#lasting;
    await writeCoverageFile(file, await this.coverage()).catch((error: unknown) => {
      log.error(`the coverage is not in ${file}`, error);
    });
  }

  #limitJournals(): JournalSettings {
    const { journalLimit, journalBytes } = this.#settings;
    return {
      maximumExchanges: journalLimit,
      maximumBytes: journalBytes,
      maximumBodyLength: LONGEST_KEPT_BODY,
      budget: new JournalBudget(journalBytes),
      log: new ExchangeLog(),
      createView: (exchange) => viewExchange(exchange, this.#pipeline),
      redaction: () => this.#pipeline.redaction,
      refuseAgain: (exchange) => refuseAgain(exchange, this.#pipeline),
    };
  }

  /** Sessions of tests use the control API, also where it is disabled for others. */
  #createHost(): SessionHost {
    const fetch = this.#createFetch(controlPaths(true));
    const names = createRandom(`${this.#settings.seed}\nsessions`);
    return {
      fetch: async (input, init) => fetch(toRequest(input, init)),
      origin: 'http://localhost',
      token: this.#settings.adminToken,
      url: () => [...this.#servers][0]?.url,
      createId: () => `test-${Math.floor(names.next() * 2 ** 52).toString(36)}`,
    };
  }

  /** Returns the port of the documents' paths; undefined while the mock does not listen. */
  #port(): string | undefined {
    const [server] = this.#servers;
    return server && new URL(server.url).port;
  }

  #createFetch(paths: ControlPaths) {
    return createFetch({ ...this.#servingSettings(paths), closing: this.#closing.signal });
  }

  /** Hono is loaded with the first request to the control API: most mocks never get one. */
  #createApp(paths: ControlPaths): App {
    const load = once(async () =>
      (await import('../serve/app.ts')).createApp(this.#control, paths),
    );
    return async (...request) => (await load())(...request);
  }

  #servingSettings(paths: ControlPaths) {
    const { cors, bodyLimit: maximumBodyBytes } = this.#settings;
    const pipeline = () => this.#pipeline;
    const app = this.#createApp(paths);
    return { cors, sessions: this.#sessions, pipeline, controlPaths: paths, maximumBodyBytes, app };
  }

  #listenerSettings(paths: ControlPaths): ListenerSettings {
    return { ...this.#servingSettings(paths), log: this.#lasting.log };
  }

  async #start(
    address: Pick<ServerSettings, 'port' | 'host' | 'maximumConnections'>,
    paths: ControlPaths,
  ): Promise<RunningServer> {
    const server = await startServer({ ...this.#listenerSettings(paths), ...address });
    this.#servers.add(server);
    return server;
  }
}

/** Accepts a path alone, because in process there is no host to name. */
function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  return new Request(new URL(input, 'http://localhost'), init);
}

/**
 * A file that is half written often parses: saving must not lose an operation that was served.
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
async function loadWhole(settings: Settings, kept: KeptDocuments | undefined): Promise<Loaded> {
  for (;;) {
    const loaded = await load(settings, kept);
    if (isSame(loaded.stamps, await stampAll(loaded.stamps.keys()))) return loaded;
  }
}
