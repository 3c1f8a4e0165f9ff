import { type Awaitable, after, attempt } from '../base/awaitable.ts';
import type { JsonObject } from '../base/json/value.ts';
import { Problem, toProblem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import type { WireRequest } from '../http/message.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { EditableSession, Session } from './session.ts';
import type { SessionRequest } from './session-id.ts';

export interface SessionBounds {
  readonly maximum: number;
  /** How long a session stays that no request uses. */
  readonly idleMilliseconds: number;
}

interface SessionEvent {
  readonly kind: 'made' | 'dropped';
  readonly id: string;
  readonly reason?: DropReason;
}

export abstract class SessionEvents {
  readonly #listeners: ((event: SessionEvent) => void)[] = [];

  on(listener: (event: SessionEvent) => void): void {
    this.#listeners.push(listener);
  }

  protected tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

export type DropReason = 'idle' | 'bound' | 'request';

/** How much of a session's journal an edit needs. */
export interface EditScope {
  /** `counts` is the number of exchanges, `read` loads them, `follow` adds those that arrive. */
  readonly journal: 'counts' | 'read' | 'follow';
}

/** The sessions of a mock. Each one is created when a request first names it. */
export interface Sessions {
  /** A session for responses where none can be reached: it keeps nothing. */
  readonly detached: Session;
  /**
   * Returns a session, and creates it if it does not exist.
   *
   * @param id undefined is the default session
   * @param request what the session is opened for, if it is for a request
   * @throws {Problem} INVALID_SESSION
   */
  open(id: string | undefined, request?: WireRequest): Awaitable<Session>;
  /** As {@link open}, for the control API. */
  edit(id: string | undefined, scope: EditScope): Awaitable<EditableSession>;
  /** Returns a session if it exists. This does not count as a use. */
  find(id: string): Awaitable<EditableSession | undefined>;
  /**
   * Creates a session that does not exist.
   *
   * @param seed the random seed; that of the mock by default
   * @throws {Problem} INVALID_SESSION
   */
  create(id: string, seed?: string): Awaitable<EditableSession>;
  /** Drops a session; resets the default session instead. Returns false when there is none. */
  drop(id: string): Awaitable<boolean>;
  /** Drops all sessions but the default one, which is reset. */
  dropAll(): Awaitable<void>;
  /** Carries events to the other processes that share the sessions; undefined for one process. */
  readonly relay: EventRelay | undefined;
  /** Returns the number of sessions, the default one included. */
  count(): Awaitable<number>;
  /** Returns the default session, then those that were used last. */
  list(limit: number): Awaitable<readonly EditableSession[]>;
  /** Finds the sessions that an earlier process has stored. Call it once, before all else. */
  begin(): Awaitable<void>;
  /** Rejects with {@link Problem} STORE_UNAVAILABLE where they cannot be reached. */
  check(): Awaitable<void>;
  on(listener: (event: SessionEvent) => void): void;
  /** Closes the stores; what is stored stays. */
  close(): Awaitable<void>;
}

/**
 * Runs an action in a session or, if that cannot be reached, in one that keeps nothing.
 *
 * Whatever keeps the session from being opened is reported by requests that need it. An error of
 * the action itself is not caught.
 */
export function openOrDetached<Done>(
  sessions: Sessions,
  id: string | undefined,
  act: (session: Session) => Awaitable<Done>,
): Awaitable<Done> {
  const opened = attempt(
    () => sessions.open(id),
    () => sessions.detached,
  );
  return after(opened, act);
}

/**
 * Runs an action in the session that a request names. Where it cannot be opened, the action
 * receives the reason and runs in the default session for an invalid name, and otherwise in one
 * that keeps nothing.
 *
 * @param refusal why the request is refused in any session; its session may have an invalid name
 */
export function openSession<Done>(
  sessions: Sessions,
  { id, request }: SessionRequest,
  refusal: Problem | undefined,
  act: Act<Done>,
): Awaitable<Done> {
  let session: Awaitable<Session>;
  try {
    session = sessions.open(id, request);
  } catch (error) {
    return actRefused(sessions, error, refusal, act);
  }
  return session instanceof Promise
    ? actLater(sessions, session, refusal, act)
    : act(session, refusal);
}

type Act<Done> = (session: Session, refusal: Problem | undefined) => Awaitable<Done>;

function actLater<Done>(
  sessions: Sessions,
  session: Promise<Session>,
  refusal: Problem | undefined,
  act: Act<Done>,
): Promise<Done> {
  return session.then(
    (opened) => act(opened, refusal),
    (error) => actRefused(sessions, error, refusal, act),
  );
}

function actRefused<Done>(
  sessions: Sessions,
  error: unknown,
  refusal: Problem | undefined,
  act: Act<Done>,
): Awaitable<Done> {
  const problem = refusal ?? toProblem(error);
  const isInvalid = error instanceof Problem && error.problem === 'INVALID_SESSION';
  if (!isInvalid) return act(sessions.detached, problem);
  return openOrDetached(sessions, undefined, (session) => act(session, problem));
}

/** Returns the refusal of a name that no session can have. */
export function invalidSession(id: string): Problem {
  if (id.startsWith('__admin')) {
    return new Problem(
      'INVALID_SESSION',
      'a path such as /__session/a1/__admin lost its session: end the base URL with a slash',
    );
  }
  return new Problem(
    'INVALID_SESSION',
    `a session is named by up to 128 letters, digits, ".", "_", "~" and "-", got ${quote(id)}`,
  );
}

export const eventNames = [
  'exchange',
  'callback',
  'fixtures',
  'scenario',
  'state',
  'clock',
  'snapshot',
  'reset',
  'session',
  'reload',
] as const;
export type EventName = (typeof eventNames)[number];

/** A request that the mock received, or that it sent. */
type ExchangeEvent = 'exchange' | 'callback';

/** An event of the event stream. */
export type MockEvent =
  | {
      readonly name: Exclude<EventName, ExchangeEvent>;
      /** The id of its session; undefined for an event of the whole mock. */
      readonly session: string | undefined;
      /** Called only where somebody listens, and at once: later it may give other data. */
      readonly data: () => JsonObject;
    }
  | { readonly name: ExchangeEvent; readonly session: string; readonly exchange: Exchange };

/** Carries events between processes that share their sessions. */
export interface EventRelay {
  /** True while another process listens, as far as is known. */
  readonly isHeard: boolean;
  send(event: MockEvent): void;
  /** Adds a listener for the events of other processes, between {@link listen} and {@link end}. */
  on(listener: (event: MockEvent) => void): void;
  /** Begins to receive events; resolves once none is missed. */
  listen(): Promise<void>;
  end(): void;
}
