import { Problem, type ToldProblem, type Violation } from '../../base/problem.ts';
import type { RequestPattern, RequestView } from '../../request/view.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';
import { beginShowing, type Redaction, type Showing } from '../redact/redaction.ts';

export interface ReadingSettings {
  /** Called when needed, and not cached: a view with a decoded body takes more room than its request. */
  readonly createView: (exchange: Exchange) => RequestView;
  readonly redaction: () => Redaction;
  /** Returns the problem with which the request of an exchange is refused now; undefined for none. */
  readonly refuseAgain: (exchange: Exchange) => ToldProblem | undefined;
}

/** A listener to a journal. An exception that it throws is dropped. */
export interface JournalListener {
  recorded(exchange: KeptExchange): void;
  cleared?(): void;
  /** The session was dropped: nothing follows. */
  closed?(): void;
}

/** Returns whether a pattern is for this callback, which was delivered, or for a received request. */
export function isFor(pattern: RequestPattern, { callback, problem }: Exchange): boolean {
  if (callback?.name !== pattern.callback) return false;
  return callback === undefined || problem === undefined;
}

/** Each listener costs time for every request. */
const MAXIMUM_LISTENERS = 256;

/** The exchanges of one session, in the order of their responses, wherever they are stored. */
export abstract class Journal {
  abstract readonly size: number;
  abstract readonly bytes: number;
  /** How many were dropped to make room, since the beginning or the last `clear`. */
  abstract readonly dropped: number;
  /** Whether exchanges say when the client left a response that never ends. */
  abstract readonly seesLeaving: boolean;
  readonly #settings: ReadingSettings;
  /** Created for the first one: most journals never have any. */
  #listeners: Set<JournalListener> | undefined;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
  }

  /** Returns all exchanges, the oldest first. */
  protected abstract exchanges(): readonly KeptExchange[];

  /** Returns all exchanges, the newest first. */
  list(): readonly KeptExchange[] {
    return this.exchanges().toReversed();
  }

  /** Returns the exchanges of requests that the mock received, the newest first. */
  received(): readonly KeptExchange[] {
    return this.list().filter(({ callback }) => callback === undefined);
  }

  abstract get(number: number): KeptExchange | undefined;

  abstract clear(): void;

  /** Removes the exchanges of these numbers, and returns how many there were. */
  protected abstract removeAll(numbers: ReadonlySet<number>): number;

  /** Removes an exchange, and returns false when there was none of this number. */
  remove(number: number): boolean {
    return this.removeAll(new Set([number])) > 0;
  }

  /** Removes and returns the exchanges that match, the oldest first. */
  removeMatching(pattern: RequestPattern): readonly KeptExchange[] {
    const matching = this.find(pattern);
    this.removeAll(new Set(matching.map(({ number }) => number)));
    return matching;
  }

  /** Returns the exchanges that match and have this status, or any, the oldest first. */
  find(pattern: RequestPattern, status?: number): readonly KeptExchange[] {
    return this.exchanges().filter((exchange) => this.isMatch(exchange, pattern, status));
  }

  isMatch(exchange: Exchange, pattern: RequestPattern, status?: number): boolean {
    return (
      isFor(pattern, exchange) &&
      (status === undefined || exchange.status === status) &&
      pattern.matches(this.view(exchange))
    );
  }

  count(pattern: RequestPattern, status?: number): number {
    return this.find(pattern, status).length;
  }

  /** Returns the exchanges without operation, and those that were refused, the newest first. */
  unmatched(): readonly KeptExchange[] {
    return this.received().filter(
      ({ operationId, problem }) => operationId === undefined || problem !== undefined,
    );
  }

  /** Returns the request of an exchange as patterns read it. */
  view(exchange: Exchange): RequestView {
    return this.#settings.createView(exchange);
  }

  /** Begins to redact what is shown of an exchange. */
  show(exchange: Exchange): Showing {
    return beginShowing(this.#settings.redaction(), this.view(exchange));
  }

  /**
   * Finds the violations of an exchange again, by validating its request.
   *
   * @returns none where the document has changed, or the body was cut
   */
  violations(exchange: Exchange): readonly Violation[] {
    const { problem } = exchange;
    if (!(problem instanceof KeptProblem)) return problem?.violations ?? [];
    if (problem.violationCount === 0) return [];
    const again = this.#settings.refuseAgain(exchange);
    if (again === undefined || again.message === problem.message) return again?.violations ?? [];
    // A level that tolerates some of them refuses the others.
    return again.violations.filter(({ message }) => problem.message.includes(message));
  }

  /**
   * Adds a listener.
   *
   * @returns a function that removes it
   * @throws {Problem} TOO_MANY_LISTENERS
   */
  on(listener: JournalListener): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    if (listeners.size >= MAXIMUM_LISTENERS) {
      const detail = `${MAXIMUM_LISTENERS} wait already for requests of this session`;
      throw new Problem('TOO_MANY_LISTENERS', detail);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  protected get hasListeners(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }

  protected notify(tell: (listener: JournalListener) => void): void {
    for (const listener of this.#listeners ?? []) {
      try {
        tell(listener);
      } catch {
        // Every error is the listener's own, and must not change the response.
      }
    }
  }

  /** Notifies the listeners that nothing follows, and removes them. */
  protected notifyClosed(): void {
    this.notify((listener) => {
      this.#listeners?.delete(listener);
      listener.closed?.();
    });
  }
}
