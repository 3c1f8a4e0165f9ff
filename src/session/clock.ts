import type { Clock } from '../base/clock.ts';

/** Where a session's clock stands; enough to go on from there. */
export interface ClockState {
  /** Milliseconds by which it is ahead of the machine's clock; 0 while it is frozen. */
  readonly offset: number;
  /** Milliseconds since 1970; undefined while it runs. */
  readonly frozenAt: number | undefined;
}

/** The clock of one session: it can be held, set and moved on without anybody else noticing. */
export interface SessionClock extends Clock {
  readonly isFrozen: boolean;
  readonly state: ClockState;
  /** Stands still, now or at the moment given; delays pass all the same. */
  freeze(at?: number): void;
  /** Runs on from where it stands. */
  resume(): void;
  /** Shows this moment, and runs or stands as before. */
  set(now: number): void;
  /** Moves on; whoever sleeps has slept so much longer. */
  advance(milliseconds: number): void;
  restore(state: ClockState): void;
  /** True while somebody sleeps by it. */
  readonly hasSleepers: boolean;
  /** Stands as another that shows the same session; where that is ahead, all have slept so much. */
  follow(state: ClockState): void;
}

/**
 * @param base the machine's clock, by which durations are measured
 * @param beginning how it stands at first
 */
export function createSessionClock(base: Clock, beginning: ClockState): SessionClock {
  return new AdjustableClock(base, beginning);
}

class AdjustableClock implements SessionClock {
  readonly #base: Clock;
  #offset: number;
  #frozenAt: number | undefined;
  /** One for each sleeper: moves its end. Made when the first sleeps. */
  #sleepers: Set<(milliseconds: number) => void> | undefined;

  constructor(base: Clock, { offset, frozenAt }: ClockState) {
    this.#base = base;
    this.#offset = offset;
    this.#frozenAt = frozenAt;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  get state(): ClockState {
    return { offset: this.#offset, frozenAt: this.#frozenAt };
  }

  now(): number {
    return this.#frozenAt ?? this.#base.now() + this.#offset;
  }

  monotonic(): number {
    return this.#base.monotonic();
  }

  get hasSleepers(): boolean {
    return this.#sleepers !== undefined && this.#sleepers.size > 0;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.#sleepers ??= new Set();
    const sleepers = this.#sleepers;
    let left = milliseconds;
    while (left > 0 && signal?.aborted !== true) {
      const alarm = new AbortController();
      const ring = (): void => alarm.abort();
      const started = this.#base.monotonic();
      let skipped = 0;
      const skip = (by: number): void => {
        skipped += by;
        ring();
      };
      sleepers.add(skip);
      signal?.addEventListener('abort', ring, { once: true });
      await this.#base.sleep(left, alarm.signal);
      signal?.removeEventListener('abort', ring);
      sleepers.delete(skip);
      // Timers may fire a little early: whoever was not woken has slept enough.
      if (skipped === 0) return;
      left -= this.#base.monotonic() - started + skipped;
    }
  }

  freeze(at: number = this.now()): void {
    this.#frozenAt = at;
    this.#offset = 0;
  }

  resume(): void {
    if (this.#frozenAt === undefined) return;
    this.#offset = this.#frozenAt - this.#base.now();
    this.#frozenAt = undefined;
  }

  set(now: number): void {
    if (this.#frozenAt !== undefined) this.#frozenAt = now;
    else this.#offset = now - this.#base.now();
  }

  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
    this.#skip(milliseconds);
  }

  follow(state: ClockState): void {
    const before = this.now();
    this.restore(state);
    const by = this.now() - before;
    if (by > 0) this.#skip(by);
  }

  restore({ offset, frozenAt }: ClockState): void {
    this.#offset = offset;
    this.#frozenAt = frozenAt;
  }

  #skip(milliseconds: number): void {
    for (const skip of [...(this.#sleepers ?? [])]) skip(milliseconds);
  }
}
