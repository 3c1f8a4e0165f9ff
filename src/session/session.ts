import type { Awaitable } from '../base/awaitable.ts';
import type { Clock } from '../base/clock.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { JournalSettings } from '../journal/keep/session-journal.ts';
import type { FixtureSet } from '../rules/fixture-set.ts';
import type { FixturesSnapshot, SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store } from '../state/store.ts';
import type { ClockState, SessionClock } from './clock.ts';
import type { Replay } from './replay.ts';

/** The parts of a session that can be reset, each by itself. */
export const sessionParts = [
  'state',
  'fixtures',
  'scenarios',
  'journal',
  'clock',
  'random',
] as const;
export type SessionPart = (typeof sessionParts)[number];

/** The numbers of one request. */
export interface CallNumbers {
  /** From 1, in the order of arrival. The journal and the client use it. */
  readonly number: number;
  /** The number of its random stream: equal to `number` until a snapshot is restored. */
  readonly turn: number;
}

/**
 * Everything that requests can change, as one request uses it. Two sessions share none of it. A
 * session of one process returns values; one that several processes share returns promises.
 */
export interface Session {
  readonly id: string;
  /** The random seed. */
  readonly seed: string;
  readonly clock: SessionClock;
  /** The rules: those of the fixture files as they are now, with the session's changes. */
  readonly fixtures: SessionFixtures;
  readonly state: Store;
  /** Returns the numbers of the next request. */
  takeNumbers(): CallNumbers;
  /** Returns the replay that the mock was started with, to the first request of its operation. */
  claimReplay(operation: string): Awaitable<Replay | undefined>;
  /**
   * Runs the turns of rules on their counters, in one step for all processes.
   *
   * @param places the counters that the turns use
   * @param take is called again where another process has counted in the meantime
   */
  takeTurns<Value>(
    places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Awaitable<Value>;
  /** Adds an exchange to the journal. */
  record(exchange: Exchange): Awaitable<void>;
}

/** A saved copy of a session, without its journal; a store has its resources. */
export interface SessionSnapshot {
  readonly fixtures: FixturesSnapshot;
  readonly clock: ClockState;
  readonly seed: string;
  readonly calls: number;
  /** When the snapshot was taken, by the session's clock; milliseconds since 1970. */
  readonly takenAt: number;
}

/** The state in which every session begins. */
export interface SessionBeginning {
  readonly seed: string;
  readonly clock: Clock;
  readonly clockState: ClockState;
  readonly fixtures: () => FixtureSet;
  readonly journal: JournalSettings;
  /** The failure that the first call of its operation repeats. */
  readonly replay: Replay | undefined;
}
