import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/index.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which everything that needs no time has happened. */
const TURNS = 4;
const MOST_IDLE = 10_000;

/** A clock that jumps to the next moment for which anyone waits, once nothing else is to be done. */
export class VirtualClock implements Clock {
  #now = Date.parse('2026-01-31T12:00:00Z');
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + Math.max(0, milliseconds), wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Lets the time pass until the work is done. */
  async run<Value>(work: Promise<Value>): Promise<Value> {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    for (let idle = 0; !isDone; idle = this.#skip() ? 0 : idle + 1) {
      if (idle > MOST_IDLE) throw new Error('everyone waits, and nobody for a time');
      for (let turn = 0; turn < TURNS && !isDone; turn++) await setImmediate();
    }
    return work;
  }

  /** Returns false when nobody waits for a time. */
  #skip(): boolean {
    const next = Math.min(...[...this.#sleepers].map(({ at }) => at));
    if (!Number.isFinite(next)) return false;
    this.#now = Math.max(this.#now, next);
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= next) sleeper.wake();
    return true;
  }
}
