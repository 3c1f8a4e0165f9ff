import { type Awaitable, after } from '../../base/awaitable.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { SessionFixtures } from '../../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../../rules/turn/turn.ts';
import type { SessionClock } from '../../session/clock.ts';
import { isReplayOf, type Replay } from '../../session/replay.ts';
import { type CallNumbers, type Session, SessionBase } from '../../session/session.ts';
import type { Store } from '../../state/store.ts';
import { keysOf } from '../keys.ts';
import { journalOf, type SharedParts } from '../shared-parts.ts';
import { KnownCounters } from '../turns.ts';
import type { SessionRecord } from './session-record.ts';
import { CLAIM } from './session-scripts.ts';

/** The last version of a session that this process has read. */
export class SessionView extends SessionBase {
  readonly counters = new KnownCounters();
  /** True once it is known that the replay is claimed. */
  isReplayClaimed = false;
  #version = '';

  get version(): string {
    return this.#version;
  }

  /** Takes another version of the session; shortens sleeps where its clock is ahead. */
  follow(version: string, { seed, clock, fixtures }: SessionRecord): void {
    this.#version = version;
    this.seed = seed;
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
  readonly #parts: SharedParts;
  readonly #view: SessionView;
  readonly #numbers: CallNumbers;

  /** @param numbers of this request alone */
  constructor(id: string, parts: SharedParts, view: SessionView, numbers: CallNumbers) {
    this.id = id;
    this.#parts = parts;
    this.#view = view;
    this.#numbers = numbers;
  }

  get seed(): string {
    return this.#view.seed;
  }

  get clock(): SessionClock {
    return this.#view.clock;
  }

  get fixtures(): SessionFixtures {
    return this.#view.fixtures;
  }

  get state(): Store {
    return this.#parts.stores.use(this.id);
  }

  takeNumbers(): CallNumbers {
    return this.#numbers;
  }

  claimReplay(operation: string): Awaitable<Replay | undefined> {
    const { replay } = this.#parts.beginning;
    if (this.#view.isReplayClaimed || !isReplayOf(replay, operation)) return undefined;
    const { connection } = this.#parts;
    const { main } = keysOf(connection.namespace, this.id);
    return after(connection.run(CLAIM, [main]), (reply) => {
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
    const { connection } = this.#parts;
    const keys = keysOf(connection.namespace, this.id);
    return this.#view.counters.take(connection, keys, counted, take);
  }

  record(exchange: Exchange): Promise<void> {
    return journalOf(this.#parts, this.id).record(exchange);
  }
}
