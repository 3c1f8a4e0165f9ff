import { DEFAULT_SESSION, isSessionId } from './http/session-id.ts';
import { Problem } from './problem.ts';
import { Session, type SessionBeginning } from './session.ts';

/** How many sessions there may be, and how long one stays that nobody uses. */
export interface SessionBounds {
  readonly most: number;
  readonly idleMilliseconds: number;
}

/** What happens to sessions. */
export interface SessionEvent {
  readonly kind: 'made' | 'dropped';
  readonly session: Session;
  /** Why it was dropped. */
  readonly reason?: 'idle' | 'bound' | 'request';
}

/** All sessions of a mock: each is made when it is first named, as a child of one beginning. */
export class Sessions {
  /** The session of requests that name none; never dropped. */
  readonly default: Session;
  readonly #beginning: SessionBeginning;
  readonly #bounds: SessionBounds;
  /** The one that was used longest ago first. */
  readonly #sessions = new Map<string, Used>();
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  constructor(beginning: SessionBeginning, bounds: SessionBounds) {
    this.#beginning = beginning;
    this.#bounds = bounds;
    this.default = new Session(DEFAULT_SESSION, beginning);
  }

  /** How many there are, the default one included. */
  get size(): number {
    return this.#sessions.size + 1;
  }

  /**
   * @param id undefined is the default session
   * @returns the session of this id, made if there is none
   * @throws {Problem} INVALID_SESSION
   */
  open(id: string | undefined): Session {
    if (id === undefined || id === DEFAULT_SESSION) return this.default;
    this.#dropIdle();
    const known = this.#sessions.get(id);
    return known === undefined ? this.create(id) : this.#use(id, known);
  }

  /** @returns the session of this id, if there is one; that does not count as its use */
  find(id: string): Session | undefined {
    this.#dropIdle();
    return id === DEFAULT_SESSION ? this.default : this.#sessions.get(id)?.session;
  }

  /**
   * Makes a session that is not there yet.
   *
   * @param seed where its chance comes from; the mock's own where it is left out
   * @throws {Problem} INVALID_SESSION
   */
  create(id: string, seed?: string): Session {
    if (!isSessionId(id)) throw invalidSession(id);
    this.#dropIdle();
    while (this.#sessions.size >= this.#bounds.most) this.#dropOldest();
    const session = new Session(id, this.#beginning, seed);
    this.#sessions.set(id, { session, usedAt: this.#beginning.clock.monotonic() });
    this.#tell({ kind: 'made', session });
    return session;
  }

  /** @returns false when there is none; the default session is reset in place of being dropped */
  drop(id: string): boolean {
    if (id === DEFAULT_SESSION) {
      this.default.reset();
      return true;
    }
    return this.#drop(id, 'request');
  }

  /** Drops all but the default session, and takes that back to the beginning. */
  dropAll(): void {
    for (const id of [...this.#sessions.keys()]) this.#drop(id, 'request');
    this.default.reset();
  }

  /** The default session first, then those that were used longest ago. */
  list(): readonly Session[] {
    this.#dropIdle();
    return [this.default, ...[...this.#sessions.values()].map(({ session }) => session)];
  }

  /** @returns stops listening */
  on(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #use(id: string, used: Used): Session {
    used.usedAt = this.#beginning.clock.monotonic();
    // What is used last stands last; a map keeps the order in which its keys were set.
    if (this.#sessions.size > 1) {
      this.#sessions.delete(id);
      this.#sessions.set(id, used);
    }
    return used.session;
  }

  /** Those that were used longest ago stand first, so that this looks at one more than it drops. */
  #dropIdle(): void {
    const limit = this.#beginning.clock.monotonic() - this.#bounds.idleMilliseconds;
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > limit) return;
      this.#drop(id, 'idle');
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined) this.#drop(oldest, 'bound');
  }

  #drop(id: string, reason: 'idle' | 'bound' | 'request'): boolean {
    const used = this.#sessions.get(id);
    if (used === undefined) return false;
    this.#sessions.delete(id);
    used.session.close();
    this.#tell({ kind: 'dropped', session: used.session, reason });
    return true;
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

interface Used {
  readonly session: Session;
  /** By the machine's monotonic clock; milliseconds. */
  usedAt: number;
}

function invalidSession(id: string): Problem {
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
