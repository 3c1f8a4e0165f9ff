import type { AnyApi, ApiTypes, OperationTypes } from './api-types.ts';
import { ClockControl } from './clock-control.ts';
import {
  type Channel,
  ControlChannel,
  type SessionHeaders,
  toPath,
  toQuery,
} from './control-channel.ts';
import { FixturesControl, ScenariosControl } from './fixtures-control.ts';
import { type Exchange, JournalControl, type Waiting } from './journal-control.ts';
import { OperationControl } from './operation-control.ts';
import type { Coverage, Verdict, VerdictOptions } from './reports.ts';
import { CollectionControl, type StateControl, WholeState } from './state-control.ts';

/** A part of a session that can be reset by itself. */
export type ResetKind =
  | 'state'
  | 'fixtures'
  | 'scenarios'
  | 'journal'
  | 'clock'
  | 'random'
  | 'validation';

/** How strictly requests are held to the document. */
export type ValidationLevel = 'full' | 'structure' | 'report';

/** A mock with sessions. */
export interface SessionHost extends Channel {
  /** Returns the URL of the mock without a trailing slash; undefined when it does not listen. */
  readonly url: () => string | undefined;
  /** Returns a unique id. */
  readonly createId: () => string;
}

/** Operations by operationId, or by method and path where they have none. */
type OperationControls<Api extends ApiTypes> = {
  readonly [Id in keyof Api['operations']]: OperationControl<
    Extract<Api['operations'][Id], OperationTypes>
  >;
};

/**
 * A session. Each operation is a member by its operationId; one whose name is already a member, such
 * as `reset`, is in `operations`.
 *
 * @example
 * await session.createPlant.failNext(503);
 * const response = await session.fetch('/plants');
 */
export type MockSession<Api extends ApiTypes = AnyApi> = SessionMembers<Api> & {
  readonly [Id in Exclude<
    keyof Api['operations'],
    keyof SessionMembers<Api>
  >]: OperationControls<Api>[Id];
};

/**
 * Opens a session, which starts with its first request.
 *
 * @param id 1 to 128 letters, digits and `._~-`. Defaults to a unique id.
 */
export function openSession<Api extends ApiTypes = AnyApi>(
  host: SessionHost,
  id: string = host.createId(),
): MockSession<Api> {
  const members = new SessionMembers<Api>(host, id);
  return createNamed<MockSession<Api>>(members, (name) =>
    members.operation(name as keyof Api['operations']),
  );
}

/** The members of a session besides its operations. */
export class SessionMembers<Api extends ApiTypes> {
  readonly id: string;
  /** The header field that selects the session; add it to the requests of your own client. */
  readonly headers: SessionHeaders;
  /** Operations by operationId. */
  readonly operations: OperationControls<Api>;
  /** The stored resources. */
  readonly state: StateControl<Api>;
  /** Failure rules and profiles. */
  readonly fixtures: FixturesControl<Api['fixtures']>;
  /** State machines of rules. */
  readonly scenarios: ScenariosControl;
  /** The recorded requests and responses. */
  readonly journal: JournalControl;
  /** Callbacks and webhooks. */
  readonly callbacks: CallbacksControl;
  /** The session's clock. */
  readonly clock: ClockControl;
  /** Calls of the control API, for those that have no method here. */
  readonly control: ControlChannel;
  readonly #host: SessionHost;

  constructor(host: SessionHost, id: string) {
    this.#host = host;
    this.id = id;
    this.headers = { 'Mock-Session': id };
    const control = new ControlChannel(host, this.headers);
    this.control = control;
    this.journal = new JournalControl(control);
    this.callbacks = new CallbacksControl(control, this.journal);
    this.fixtures = new FixturesControl(control);
    this.scenarios = new ScenariosControl(control);
    this.clock = new ClockControl(control);
    this.state = createNamed<StateControl<Api>>(
      new WholeState<Api>(control),
      (name) => new CollectionControl(control, name),
    );
    this.operations = createNamed<OperationControls<Api>>({}, (name) =>
      this.operation(name as keyof Api['operations']),
    );
  }

  /**
   * A base URL that selects the session by its path, for clients that cannot send header fields.
   *
   * @throws {Error} when the mock does not listen
   */
  get url(): string {
    const url = this.#host.url();
    if (url !== undefined) return `${url}/__session/${this.id}`;
    throw new Error('the mock does not listen; call mock.listen() to give its sessions a URL');
  }

  /**
   * Sends a request in this session, like the global `fetch`. The input can be a path.
   *
   * @throws {TypeError} `fetch failed` when a rule breaks the connection
   *
   * @example
   * const response = await session.fetch('/plants', { method: 'POST', body });
   */
  fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(
      init.headers ?? (input instanceof Request ? input.headers : undefined),
    );
    headers.set('Mock-Session', this.id);
    const { fetch, origin } = this.#host;
    const isPath = typeof input === 'string' && input.startsWith('/');
    return fetch(isPath ? origin + input : input, { ...init, headers });
  }

  /** Returns an operation by its operationId or, where it has none, by method and path. */
  operation<Id extends keyof Api['operations']>(id: Id): OperationControls<Api>[Id] {
    return new OperationControl(this.control, this.journal, String(id));
  }

  /** Saves the session, without its journal, under a name. */
  async snapshot(name: string): Promise<void> {
    await this.control.put(toPath('snapshots', name));
  }

  /**
   * Restores the session from a snapshot.
   *
   * @throws {ControlError} when there is no snapshot of this name
   */
  restore(name: string): Promise<void> {
    return this.control.post(`${toPath('snapshots', name)}/restore`);
  }

  /** Copies this session, or one of its snapshots, without the journal, to another session. */
  async fork({ id, snapshot }: ForkOptions = {}): Promise<MockSession<Api>> {
    const to = id ?? this.#host.createId();
    await this.control.post<unknown>(toPath('sessions', this.id, 'fork'), { to, snapshot });
    return openSession<Api>(this.#host, to);
  }

  /**
   * Sets how strictly the session's requests are held to the document; null for the mock's setting.
   *
   * @example
   * await session.validate('structure');
   */
  async validate(level: ValidationLevel | null): Promise<void> {
    await this.control.put<unknown>('/validation', { validate: level });
  }

  /**
   * Returns what the requests of this session have used of the documents.
   *
   * @example
   * const { errors } = (await session.coverage()).sums;
   * assert.equal(errors.covered, errors.total);
   */
  coverage(): Promise<Coverage> {
    return this.control.get<Coverage>('/coverage?of=session');
  }

  /**
   * Returns the valid requests of this session as a consumer contract of Pact (specification 3).
   *
   * @param consumer the name of your client
   */
  pact(consumer: string): Promise<object> {
    return this.control.get<object>(`/pact${toQuery({ consumer })}`);
  }

  /**
   * Judges how the client behaves when requests fail, by the requests of this session so far.
   *
   * @example
   * const { rules } = await session.verdict({ thresholds: { 'attempts-bounded': { most: 3 } } });
   * assert.deepEqual(rules.filter(({ result }) => result === 'broken'), []);
   */
  verdict({ rules, also, thresholds = {} }: VerdictOptions = {}): Promise<Verdict> {
    const set = Object.entries(thresholds).flatMap(([rule, values]) =>
      Object.entries(values).map(([name, value]) => `${rule}.${name}=${value}`),
    );
    const query = toQuery({ rules, also, set: set.length === 0 ? undefined : set });
    return this.control.get<Verdict>(`/verdict${query}`);
  }

  /**
   * Resets the session, or only some parts of it.
   *
   * @example
   * await session.reset('state', 'journal');
   */
  reset(...only: readonly ResetKind[]): Promise<void> {
    return this.control.post('/reset', only.length === 0 ? undefined : { only });
  }

  /** Drops the session with everything in it. */
  close(): Promise<void> {
    return this.control.delete(toPath('sessions', this.id));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Returns the TypeScript for an operation of a session: `createPlant`, `operation('reset')`. */
export function writeOperation(id: string): string {
  const isMember =
    /^[A-Za-z_$][\w$]*$/.test(id) && !(id in SessionMembers.prototype) && !FIELDS.has(id);
  return isMember ? id : `operation('${id.replaceAll(/['\\]/g, '\\$&')}')`;
}

/** The members of a session that are no methods. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'headers', 'operations', 'state', 'fixtures', 'scenarios', 'journal', 'callbacks'],
  ...['clock', 'control'],
]);

interface ForkOptions {
  /** The id of the copy. Defaults to a unique id. */
  readonly id?: string;
  /** The snapshot to copy. Defaults to the current session. */
  readonly snapshot?: string;
}

/**
 * Returns a proxy with the members of an object, and for each other name a created member.
 *
 * @typeParam Named the type of the proxy, which only its user knows
 * @param create creates the member of a name; it must not return a function, because an object with
 *   a function `then` counts as a promise
 */
function createNamed<Named>(own: object, create: (name: string) => unknown): Named {
  return new Proxy(own, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) {
        return bind(target, Reflect.get(target, name, target));
      }
      return create(name);
    },
  }) as Named;
}

/** Binds methods to the object itself: the proxy does not have its private fields. */
function bind(target: object, member: unknown): unknown {
  return typeof member === 'function' ? member.bind(target) : member;
}

/** The payload of a callback or webhook. */
interface Payload {
  /** In place of the document's example. */
  readonly body?: unknown;
  /** True sends a body that the document does not allow. */
  readonly offContract?: boolean;
}

/** A callback or webhook that was sent, and the response of its receiver. */
interface SentWebhook {
  /** Of its exchange in the journal. */
  readonly number: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** How many callbacks to wait for. */
type CallbackWaiting = Pick<Waiting, 'times' | 'within'>;

/** The callbacks and webhooks of a session. */
class CallbacksControl {
  readonly #control: ControlChannel;
  readonly #journal: JournalControl;

  constructor(control: ControlChannel, journal: JournalControl) {
    this.#control = control;
    this.#journal = journal;
  }

  /**
   * Sends a webhook or a callback of the document to a URL, and returns the response to it.
   *
   * @throws {ControlError} for an unknown name, a body that the document does not allow, and a
   *   receiver that does not respond
   *
   * @example
   * await session.callbacks.send('newPlant', 'http://localhost:8080/hooks');
   */
  send(name: string, url: string | URL, payload: Payload = {}): Promise<SentWebhook> {
    return this.#control.post(toPath('callbacks', name), { url: String(url), ...payload });
  }

  /**
   * Waits until callbacks are delivered, and returns them.
   *
   * @throws {VerificationError} when they are not delivered in time
   *
   * @example
   * const [delivered] = await session.callbacks.waitFor('orderShipped');
   */
  async waitFor(callback: string, waiting: CallbackWaiting = {}): Promise<readonly Exchange[]> {
    await this.#journal.wait({ callback, ...waiting });
    return this.#journal.find({ callback });
  }
}
