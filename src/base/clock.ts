/** Where time comes from: passed in, so that a test can hold it still. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Returns milliseconds since some moment, never going back: for durations. */
  monotonic(): number;
  /** Waits; resolves early, without error, when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
    }),
};

/** Returns a moment as fields of HTTP write it (RFC 9110 §5.6.7). */
export function toHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/** Returns a moment as RFC 3339 writes it, to the millisecond: `2026-01-31T12:00:00.250Z`. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns a moment as RFC 3339 writes it, to the second: `2026-01-31T12:00:00Z`. */
export function toTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
}
