import { SessionFixtures } from '../../rules/session-fixtures.ts';
import { createSessionClock, type SessionClock } from '../../session/clock.ts';
import type { SessionBeginning } from '../../session/session.ts';
import { KnownCounters } from '../turns.ts';
import { readRecord } from './session-record.ts';

/** What this process knows of a session: as it was at one version. */
export class SessionView {
  readonly clock: SessionClock;
  readonly counters = new KnownCounters();
  /** True once it is known that nobody waits for the replay any more. */
  isAwaitedTaken = false;
  readonly #beginning: SessionBeginning;
  readonly #fixtures: SessionFixtures;
  #version: string;
  #seed: string;

  constructor(beginning: SessionBeginning) {
    this.#beginning = beginning;
    this.#version = '';
    this.#seed = beginning.seed;
    this.#fixtures = new SessionFixtures(beginning.fixtures());
    this.clock = createSessionClock(beginning.clock, beginning.clockState);
  }

  get version(): string {
    return this.#version;
  }

  get seed(): string {
    return this.#seed;
  }

  get fixtures(): SessionFixtures {
    this.#fixtures.rebase(this.#beginning.fixtures());
    return this.#fixtures;
  }

  /** Shows the session as it is at another version. */
  follow(version: string, record: string): void {
    const { seed, clock, fixtures } = readRecord(record);
    this.#version = version;
    this.#seed = seed;
    this.clock.follow(clock);
    this.isAwaitedTaken = false;
    this.#fixtures.restore({ ...fixtures, memory: NOTHING_COUNTED });
  }
}

/** What is counted is asked for with each request. */
const NOTHING_COUNTED = Object.freeze({ counters: new Map(), scenarios: new Map() });
