import type { Clock } from '../base/clock.ts';

export interface ClockState {
  /** Milliseconds by which it is ahead of the machine's clock; 0 while it is frozen. */
  readonly offset: number;
  /** Milliseconds since 1970; undefined while it runs. */
  readonly frozenAt: number | undefined;
}

/** The clock of one session. It can be frozen, set and advanced without effect on other sessions. */
export class SessionClock implements Clock {
  state: ClockState;
  readonly #base: Clock;
  /** For each sleeper a function that shortens its sleep. Created when the first one sleeps. */
  #sleepers: Set<(milliseconds: number) => void> | undefined;

  /** @param base the machine's clock, which measures durations */
  constructor(base: Clock, state: ClockState) {
    this.#base = base;
    this.state = state;
  }

  get isFrozen(): boolean {
    return this.state.frozenAt !== undefined;
  }

  now(): number {
    return this.state.frozenAt ?? this.#base.now() + this.state.offset;
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
      // A timer may fire a little early: a sleep that was not shortened is over.
      if (skipped === 0) return;
      left -= this.#base.monotonic() - started + skipped;
    }
  }

  /** Stops the clock, now or at the given moment. Delays pass all the same. */
  freeze(at: number = this.now()): void {
    this.state = { offset: 0, frozenAt: at };
  }

  /** Lets the clock run on from the moment that it shows. */
  resume(): void {
    const { frozenAt } = this.state;
    if (frozenAt === undefined) return;
    this.state = { offset: frozenAt - this.#base.now(), frozenAt: undefined };
  }

  /** Sets the clock, which stays frozen or running. */
  set(now: number): void {
    if (this.isFrozen) this.freeze(now);
    else this.state = { offset: now - this.#base.now(), frozenAt: undefined };
  }

  /** Moves the clock forward, and shortens all sleeps by as much. */
  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
    this.#skip(milliseconds);
  }

  /** Takes the state of the same session's clock in another process; shortens sleeps if it is ahead. */
  follow(state: ClockState): void {
    const before = this.now();
    this.state = state;
    const by = this.now() - before;
    if (by > 0) this.#skip(by);
  }

  #skip(milliseconds: number): void {
    for (const skip of [...(this.#sleepers ?? [])]) skip(milliseconds);
  }
}
