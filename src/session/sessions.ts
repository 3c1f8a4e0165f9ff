import type { Awaitable } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import type { EventRelay } from './mock-event.ts';
import type { EditableSession, Session } from './session.ts';

/** How many sessions there may be, and how long one stays that nobody uses. */
export interface SessionBounds {
  readonly most: number;
  readonly idleMilliseconds: number;
}

/** What happens to sessions. */
export interface SessionEvent {
  readonly kind: 'made' | 'dropped';
  readonly id: string;
  /** Why it was dropped. */
  readonly reason?: DropReason;
}

export type DropReason = 'idle' | 'bound' | 'request';

/** Which parts of a session an edit looks at, beside those that are always there. */
export interface EditScope {
  /** `counts` are how many exchanges there are, `follow` hears of those that come as well. */
  readonly journal: 'counts' | 'read' | 'follow';
}

/** All sessions of a mock: each is made when it is first named, as a child of one beginning. */
export interface Sessions {
  /**
   * For answers where no session can be reached: it begins like all, and keeps nothing of what it
   * is told.
   */
  readonly detached: Session;
  /**
   * @param id undefined is the default session
   * @returns the session of this id, made if there is none
   * @throws {Problem} INVALID_SESSION
   */
  open(id: string | undefined): Awaitable<Session>;
  /** As {@link open}, for whoever changes more of it than a request does. */
  edit(id: string | undefined, scope: EditScope): Awaitable<EditableSession>;
  /** @returns the session of this id, if there is one; that does not count as its use */
  find(id: string): Awaitable<EditableSession | undefined>;
  /**
   * Makes a session that is not there yet.
   *
   * @param seed where its chance comes from; the mock's own where it is left out
   * @throws {Problem} INVALID_SESSION
   */
  create(id: string, seed?: string): Awaitable<EditableSession>;
  /** @returns false when there is none; the default session is reset in place of being dropped */
  drop(id: string): Awaitable<boolean>;
  /** Drops all but the default session, and takes that back to the beginning. */
  dropAll(): Awaitable<void>;
  /** To the other processes that have them too; undefined where there are none. */
  readonly relay: EventRelay | undefined;
  /** How many there are, the default one included. */
  count(): Awaitable<number>;
  /** The default session first, then those that were used last; not more than so many. */
  list(most: number): Awaitable<readonly EditableSession[]>;
  /** Finds again what an earlier process has kept; to be waited for once, before all else. */
  begin(): Awaitable<void>;
  /** Rejects with {@link Problem} STORE_UNAVAILABLE where they cannot be reached. */
  check(): Awaitable<void>;
  /** @returns stops listening */
  on(listener: (event: SessionEvent) => void): () => void;
  /** Lets go of what is open; what is kept stays kept. */
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
  let session: Awaitable<Session>;
  try {
    session = sessions.open(id);
  } catch {
    session = sessions.detached;
  }
  if (!(session instanceof Promise)) return act(session);
  return session.catch(() => sessions.detached).then(act);
}

/** @returns why a session cannot be called so */
export function invalidSession(id: string): Problem {
  if (id.startsWith('__admin')) {
    return new Problem(
      'INVALID_SESSION',
      'a path such as /__session/a1/__admin lost its session: end the base URL with a slash',
    );
  }
  return new Problem(
    'INVALID_SESSION',
    `a session is named by up to 128 letters, digits, ".", "_", "~" and "-", ` +
      `got ${JSON.stringify(id.slice(0, 80))}`,
  );
}
