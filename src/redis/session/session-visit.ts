import type { Awaitable } from '../../base/awaitable.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { SessionFixtures } from '../../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../../rules/turn/turn.ts';
import type { SessionClock } from '../../session/clock.ts';
import type { Replay } from '../../session/replay.ts';
import type { CallNumbers, Session } from '../../session/session.ts';
import type { Store } from '../../state/store.ts';
import { journalOf, keysOf, type SharedParts } from '../shared-parts.ts';
import { takeSharedTurns } from '../turns.ts';
import type { SessionView } from './session-view.ts';

/** A session of all processes, as one request meets it. */
export class SessionVisit implements Session {
  readonly id: string;
  readonly #parts: SharedParts;
  readonly #view: SessionView;
  readonly #numbers: CallNumbers;

  /** @param numbers of the request, which nobody else has */
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

  takeAwaited(operation: string): Awaitable<Replay | undefined> {
    const awaited = this.#parts.beginning.replay;
    if (awaited === undefined || this.#view.isAwaitedTaken) return undefined;
    if (awaited.operation !== undefined && awaited.operation !== operation) return undefined;
    return this.#claim(awaited);
  }

  takeTurns<Value>(
    places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Awaitable<Value> {
    const counted = places();
    if (counted.length === 0) return take({ counters: new Map(), scenarios: new Map() });
    const keys = keysOf(this.#parts, this.id);
    return takeSharedTurns(this.#parts.connection, keys, this.#view.counters, counted, take);
  }

  record(exchange: Exchange): Promise<void> {
    return journalOf(this.#parts, this.id).record(exchange);
  }

  /** Of all processes one is the first. */
  async #claim(awaited: Replay): Promise<Replay | undefined> {
    const { main } = keysOf(this.#parts, this.id);
    const isFirst = (await this.#parts.connection.send('HSETNX', main, 'a', '1')) === 1;
    this.#view.isAwaitedTaken = true;
    return isFirst ? awaited : undefined;
  }
}
