import { type Awaitable, after } from '../../base/awaitable.ts';
import type { ItemPace } from '../../delivery/transmission.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { ValidationLevel } from '../../request/validate.ts';
import type { SessionFixtures } from '../../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../../rules/turn/turn.ts';
import type { SessionClock } from '../../session/clock.ts';
import { isReplayOf, type Replay } from '../../session/replay.ts';
import { type CallNumbers, type Session, SessionBase } from '../../session/session.ts';
import type { UsedItems } from '../../session/used-items.ts';
import type { LaterFacts } from '../exchange-text.ts';
import type { RedisStore } from '../redis-store.ts';
import { SharedScript } from '../shared-script.ts';
import type { StoredSession } from '../stored-session.ts';
import { createTurns } from '../turns.ts';
import type { SessionRecord } from './session-record.ts';
import { CLAIM, ENTER, TAKE_NUMBER } from './session-scripts.ts';

/** The last version of a session that this process has read. */
export class SessionView extends SessionBase {
  readonly stored: StoredSession;
  /** Begins the requests of a turn. */
  readonly enter: SharedScript;
  readonly takeTurns: ReturnType<typeof createTurns>;
  isReplayClaimed = false;
  version = '';

  constructor(stored: StoredSession) {
    super(stored.parts.beginning);
    this.stored = stored;
    const { parts, keys, store } = stored;
    this.enter = new SharedScript(parts.connection, ENTER, [keys.main, store.meta]);
    this.takeTurns = createTurns(stored);
  }

  /** Takes another version of the session; shortens sleeps where its clock is ahead. */
  follow(version: string, { seed, clock, validate, fixtures }: SessionRecord): void {
    this.version = version;
    this.seed = seed;
    this.validate = validate;
    this.clock.follow(clock);
    this.isReplayClaimed = false;
    this.fixtures.restore({ ...fixtures, memory: NOTHING_COUNTED });
  }
}

/** Counters are read with each request. */
const NOTHING_COUNTED: TurnMemory = Object.freeze({ counters: new Map(), scenarios: new Map() });

/** A session that all processes share, for one request. */
export class SessionVisit implements Session {
  readonly id: string;
  readonly isShared = true;
  readonly clock: SessionClock;
  readonly state: RedisStore;
  readonly #view: SessionView;
  readonly #stored: StoredSession;
  readonly #numbers: CallNumbers;

  constructor(view: SessionView, numbers: CallNumbers, state: RedisStore) {
    this.id = view.stored.id;
    this.state = state;
    this.clock = view.clock;
    this.#view = view;
    this.#stored = view.stored;
    this.#numbers = numbers;
  }

  get seed(): string {
    return this.#view.seed;
  }

  get validate(): ValidationLevel | undefined {
    return this.#view.validate;
  }

  get fixtures(): SessionFixtures {
    return this.#view.fixtures;
  }

  get used(): UsedItems {
    return this.#view.used;
  }

  takeNumbers(): CallNumbers {
    return this.#numbers;
  }

  async takeNumber(): Promise<number> {
    const { parts, keys } = this.#stored;
    return Number(await parts.connection.run(TAKE_NUMBER, [keys.main]));
  }

  claimReplay(operation: string): Awaitable<Replay | undefined> {
    const { parts, keys } = this.#stored;
    const { replay } = parts.beginning;
    if (this.#view.isReplayClaimed || !isReplayOf(replay, operation)) return undefined;
    return after(parts.connection.run(CLAIM, [keys.main]), (reply) => {
      this.#view.isReplayClaimed = true;
      return reply === 1 ? replay : undefined;
    });
  }

  takeTurns<Value>(
    places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Awaitable<Value> {
    const counted = places();
    if (counted.length === 0) return take({ counters: new Map(), scenarios: new Map() });
    return this.#view.takeTurns(counted, take);
  }

  record(exchange: Exchange): Promise<void> {
    // What reads the state from here on comes after the response.
    this.state.forget();
    return this.#stored.journal.record(exchange);
  }

  leave(number: number): void {
    this.#amend(number, { leftAt: this.clock.now() });
  }

  finishStream(number: number, stream: ItemPace): void {
    this.#amend(number, { stream });
  }

  #amend(number: number, later: LaterFacts): void {
    // The response has been sent; a Redis that does not respond is logged as such.
    this.#stored.journal.amend(number, later).catch(() => undefined);
  }
}
