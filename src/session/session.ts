import type { Awaitable } from '../base/awaitable.ts';
import type { Clock } from '../base/clock.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal, JournalSettings } from '../journal/keep/journal.ts';
import type { FixtureSet } from '../rules/fixture-set.ts';
import type { FixturesSnapshot, SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store } from '../state/store.ts';
import type { ClockState, SessionClock } from './clock.ts';
import type { Replay } from './replay.ts';

/** What can be taken back to the beginning, each by itself. */
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
  /** From 1, in the order in which requests come: what the journal and the client know it by. */
  readonly number: number;
  /** Which stream of chance is its own; the same as its number until something is restored. */
  readonly turn: number;
}

/**
 * All that requests can change, as a request meets it: two sessions share none of it. A session of
 * one process answers at once; one that several processes share is asked over the network.
 */
export interface Session {
  readonly id: string;
  /** Where its chance comes from. */
  readonly seed: string;
  readonly clock: SessionClock;
  /** Its fixtures, as the files have them now. */
  readonly fixtures: SessionFixtures;
  readonly state: Store;
  /** @returns the numbers of the next request */
  takeNumbers(): CallNumbers;
  /** @returns the replay that the mock was started with, once, for the operation that failed then */
  claimReplay(operation: string): Awaitable<Replay | undefined>;
  /**
   * Lets rules take their turns: what they count is counted as one, whoever else counts.
   *
   * @param places where they keep count
   * @param take may be called again, with what others have counted meanwhile
   */
  takeTurns<Value>(
    places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Awaitable<Value>;
  /** Keeps what was asked, and what became of it. */
  record(exchange: Exchange): Awaitable<void>;
}

/** A session as the control API meets it: all of it can be seen and changed. */
export interface EditableSession
  extends Pick<Session, 'id' | 'seed' | 'clock' | 'fixtures' | 'state'> {
  /** How many requests it has had. */
  readonly calls: number;
  readonly journal: Journal;
  /** @param seed where its chance comes from, from the next request on */
  reseed(seed: string): void;
  /** Takes these parts back to the beginning; all of them where none is named. */
  reset(parts?: readonly SessionPart[]): Awaitable<void>;
  /** By their names. */
  readonly snapshots: ReadonlyMap<string, SessionSnapshot>;
  /** @returns undefined when there are too many already */
  takeSnapshot(name: string): Awaitable<SessionSnapshot | undefined>;
  /** @returns the resources of one that there is */
  openSnapshot(name: string): Awaitable<Store>;
  /** @returns false when there is none so called */
  removeSnapshot(name: string): Awaitable<boolean>;
  /** @returns its resources as they are now, which nobody changes; whoever asked drops them */
  copyState(): Awaitable<StateCopy>;
  /**
   * Holds what a session holds now or, in a snapshot of it that there is, held then. The journal
   * stays as it is.
   */
  copyFrom(source: EditableSession, snapshot?: string): Awaitable<void>;
  /**
   * Keeps what was changed.
   *
   * @returns false when others have changed the session meanwhile: nothing is kept, and whoever
   *   edits it does it again
   */
  save(): Awaitable<boolean>;
  /** Hears of nothing more: whoever edits it has done. */
  release(): void;
}

/** The resources of a session at one moment. */
export interface StateCopy {
  readonly state: Store;
  drop(): Awaitable<void>;
}

/** What a session held at some moment besides its resources; its journal is no part of it. */
export interface SessionSnapshot {
  readonly fixtures: FixturesSnapshot;
  readonly clock: ClockState;
  readonly seed: string;
  readonly calls: number;
  /** When it was taken, by the session's clock; milliseconds since 1970. */
  readonly takenAt: number;
}

/** What every session begins with. */
export interface SessionBeginning {
  readonly seed: string;
  readonly clock: Clock;
  readonly clockState: ClockState;
  readonly fixtures: () => FixtureSet;
  readonly journal: JournalSettings;
  /** What the first call of its operation makes again. */
  readonly replay: Replay | undefined;
}

/** @returns the session that a store belongs to, and the snapshot where it is of one */
export function splitSnapshotStore(name: string): readonly [session: string, snapshot?: string] {
  const end = name.indexOf('/');
  return end < 0 ? [name] : [name.slice(0, end), name.slice(end + 1)];
}

/** @returns the name of the store that holds the resources of a snapshot */
export function nameSnapshotStore(session: string, snapshot: string): string {
  return `${session}/${snapshot}`;
}
