import type { AnyApi, ApiTypes, OperationTypes } from './api-types.ts';
import { ClockControl } from './clock-control.ts';
import { type Channel, ControlChannel, type SessionHeaders, toPath } from './control-channel.ts';
import { FixturesControl } from './fixtures-control.ts';
import { JournalControl } from './journal-control.ts';
import { createNamed } from './named-members.ts';
import { OperationControl } from './operation-control.ts';
import { ScenariosControl } from './scenarios-control.ts';
import { CollectionControl, type StateControl, WholeState } from './state-control.ts';

/** What a reset takes back to the beginning. */
export type ResetKind = 'state' | 'fixtures' | 'scenarios' | 'journal' | 'clock' | 'random';

/** A mock that has sessions. */
export interface SessionHost extends Channel {
  /** Where it can be reached from outside, without a last slash; undefined while it cannot be. */
  readonly url: () => string | undefined;
  /** @returns an id that no other session has */
  readonly createId: () => string;
}

/** The operations of a session by their operationId, or by method and path where they have none. */
type OperationControls<Api extends ApiTypes> = {
  readonly [Id in keyof Api['operations']]: OperationControl<
    Extract<Api['operations'][Id], OperationTypes>
  >;
};

/**
 * A session as a test sees it, each operation under its operationId; one whose name is taken here is
 * found in `operations`.
 */
export type MockSession<Api extends ApiTypes = AnyApi> = SessionMembers<Api> & {
  readonly [Id in Exclude<
    keyof Api['operations'],
    keyof SessionMembers<Api>
  >]: OperationControls<Api>[Id];
};

/**
 * Opens a session; it begins with its first request.
 *
 * @param id 1 to 128 letters, digits and `._~-`; one that no other session has unless it is said
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

/** All of a session but its operations. */
export class SessionMembers<Api extends ApiTypes> {
  readonly id: string;
  /** What selects the session; for clients that send fields of their own. */
  readonly headers: SessionHeaders;
  readonly operations: OperationControls<Api>;
  readonly state: StateControl<Api>;
  readonly fixtures: FixturesControl<Api['fixtures']>;
  readonly scenarios: ScenariosControl;
  readonly journal: JournalControl;
  readonly clock: ClockControl;
  readonly #host: SessionHost;
  readonly #control: ControlChannel;

  constructor(host: SessionHost, id: string) {
    this.#host = host;
    this.id = id;
    this.headers = { 'Mock-Session': id };
    const control = new ControlChannel(host, this.headers);
    this.#control = control;
    this.journal = new JournalControl(control);
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
   * A base URL that selects the session by its path, for clients that can send no fields.
   *
   * @throws when the mock does not listen
   */
  get url(): string {
    const url = this.#host.url();
    if (url !== undefined) return `${url}/__session/${this.id}`;
    throw new Error('the mock does not listen: only mock.listen() gives its sessions a URL');
  }

  /**
   * Sends a request in this session; a path is enough.
   *
   * @throws {TypeError} `fetch failed` where a fixture breaks the connection
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

  /** One operation, by its operationId or, where it has none, by method and path. */
  operation<Id extends keyof Api['operations']>(id: Id): OperationControls<Api>[Id] {
    return new OperationControl(this.#control, this.journal, String(id));
  }

  /** Keeps the session as it is now, under a name; the journal is no part of it. */
  async snapshot(name: string): Promise<void> {
    await this.#control.put(toPath('snapshots', name));
  }

  /** Takes the session back to a snapshot. @throws {ControlError} when there is none of the name */
  restore(name: string): Promise<void> {
    return this.#control.post(`${toPath('snapshots', name)}/restore`);
  }

  /**
   * Makes another session that holds what this one holds now, but for the journal.
   *
   * @param snapshot what it holds instead: the session as it was then
   */
  async fork({ id, snapshot }: ForkOptions = {}): Promise<MockSession<Api>> {
    const to = id ?? this.#host.createId();
    await this.#control.post<unknown>(toPath('sessions', this.id, 'fork'), { to, snapshot });
    return openSession<Api>(this.#host, to);
  }

  /** Takes the session back to its beginning, whole or in part. */
  reset(...only: readonly ResetKind[]): Promise<void> {
    return this.#control.post('/reset', only.length === 0 ? undefined : { only });
  }

  /** Drops the session and all that it holds. */
  close(): Promise<void> {
    return this.#control.delete(toPath('sessions', this.id));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What a fork is called, and what it is made of. */
interface ForkOptions {
  readonly id?: string;
  readonly snapshot?: string;
}
