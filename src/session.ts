import type { Clock } from './clock.ts';
import type { FixtureSet } from './fixtures/fixture-set.ts';
import { type FixturesSnapshot, SessionFixtures } from './fixtures/session-fixtures.ts';
import type { Replay } from './http/replay.ts';
import { createJournal, type Journal, type JournalSettings } from './journal/journal.ts';
import { type ClockState, createSessionClock, type SessionClock } from './session-clock.ts';
import type { Store } from './state/store.ts';

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

/** What a session held at some moment; its journal is no part of it. */
export interface SessionSnapshot {
  readonly state: Store;
  readonly fixtures: FixturesSnapshot;
  readonly clock: ClockState;
  readonly seed: string;
  readonly calls: number;
  /** When it was taken, by the session's clock; milliseconds since 1970. */
  readonly takenAt: number;
}

/** The numbers of one request. */
export interface CallNumbers {
  /** From 1, in the order in which requests come: what the journal and the client know it by. */
  readonly number: number;
  /** Which stream of chance is its own; the same as its number until something is restored. */
  readonly turn: number;
}

/** What every session begins with. */
export interface SessionBeginning {
  readonly seed: string;
  readonly clock: Clock;
  readonly clockState: ClockState;
  readonly fixtures: () => FixtureSet;
  /** @returns a store that holds what is there from the start */
  readonly createStore: () => Store;
  readonly journal: JournalSettings;
  /** What the first call of its operation makes again. */
  readonly replay: Replay | undefined;
}

const MOST_SNAPSHOTS = 100;

/** All that requests can change: two sessions share none of it. */
export class Session {
  readonly id: string;
  readonly clock: SessionClock;
  readonly journal: Journal;
  readonly #beginning: SessionBeginning;
  readonly #fixtures: SessionFixtures;
  #state: Store;
  #seed: string;
  #calls = 0;
  #exchanges = 0;
  readonly #snapshots = new Map<string, SessionSnapshot>();
  #awaited: Replay | undefined;

  constructor(id: string, beginning: SessionBeginning, seed: string = beginning.seed) {
    this.id = id;
    this.#beginning = beginning;
    this.#seed = seed;
    this.#state = beginning.createStore();
    this.#fixtures = new SessionFixtures(beginning.fixtures());
    this.clock = createSessionClock(beginning.clock, beginning.clockState);
    this.journal = createJournal(beginning.journal);
    this.#awaited = beginning.replay;
  }

  /** Where its chance comes from. */
  get seed(): string {
    return this.#seed;
  }

  /** How many requests it has had. */
  get calls(): number {
    return this.#calls;
  }

  get state(): Store {
    return this.#state;
  }

  /** Its fixtures, as the files have them now. */
  get fixtures(): SessionFixtures {
    this.#fixtures.rebase(this.#beginning.fixtures());
    return this.#fixtures;
  }

  /** @returns the numbers of the next request */
  takeNumbers(): CallNumbers {
    return { number: ++this.#exchanges, turn: ++this.#calls };
  }

  /** @returns the replay that the mock was started with, once, for the operation that failed then */
  takeAwaited(operation: string): Replay | undefined {
    const awaited = this.#awaited;
    if (awaited === undefined) return undefined;
    if (awaited.operation !== undefined && awaited.operation !== operation) return undefined;
    this.#awaited = undefined;
    return awaited;
  }

  /** @param seed where its chance comes from, from the next request on */
  reseed(seed: string): void {
    this.#seed = seed;
  }

  /** Takes these parts back to the beginning; all of them where none is named. */
  reset(parts: readonly SessionPart[] = sessionParts): void {
    for (const part of parts) this.#resetPart(part);
    // Numbers that the journal still has are not given again.
    if (parts.includes('random') && this.journal.size === 0) this.#exchanges = 0;
  }

  /** By their names. */
  get snapshots(): ReadonlyMap<string, SessionSnapshot> {
    return this.#snapshots;
  }

  /** @returns false when there are too many already */
  keepSnapshot(name: string, snapshot: SessionSnapshot): boolean {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= MOST_SNAPSHOTS) return false;
    this.forgetSnapshot(name);
    this.#snapshots.set(name, snapshot);
    return true;
  }

  /** @returns false when there is none so called */
  forgetSnapshot(name: string): boolean {
    this.#snapshots.get(name)?.state.clear();
    return this.#snapshots.delete(name);
  }

  snapshot(): SessionSnapshot {
    return {
      state: this.#state.fork(),
      fixtures: this.fixtures.snapshot(),
      clock: this.clock.state,
      seed: this.#seed,
      calls: this.#calls,
      takenAt: this.clock.now(),
    };
  }

  /** Holds again what it, or another, held then; the journal stays as it is. */
  restore({ state, fixtures, clock, seed, calls }: SessionSnapshot): void {
    this.#state.restore(state);
    this.fixtures.restore(fixtures);
    this.clock.restore(clock);
    this.#seed = seed;
    this.#calls = calls;
  }

  /** Lets go of what it holds beyond itself. */
  close(): void {
    this.#state.clear();
    for (const { state } of this.#snapshots.values()) state.clear();
    this.journal.close();
  }

  #resetPart(part: SessionPart): void {
    const resets: Readonly<Record<SessionPart, () => void>> = {
      state: () => this.#state.restore(this.#beginning.createStore()),
      fixtures: () => this.#fixtures.reset(),
      scenarios: () => this.#fixtures.resetScenarios(),
      journal: () => this.journal.clear(),
      clock: () => this.clock.restore(this.#beginning.clockState),
      random: () => {
        this.#calls = 0;
        this.#seed = this.#beginning.seed;
        this.#awaited = this.#beginning.replay;
      },
    };
    resets[part]();
  }
}
