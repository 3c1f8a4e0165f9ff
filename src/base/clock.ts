import { hrtime } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { JsonValue } from './json/value.ts';

/** The source of time, passed in so that a test can hold it still. */
export interface Clock {
  /** Returns the milliseconds since 1970. */
  now(): number;
  /** Returns milliseconds that never go back, to measure durations. */
  monotonic(): number;
  /** Waits; resolves early, without error, when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` is loaded when it is first used, which takes a start longer.
  monotonic: () => {
    const [seconds, nanoseconds] = hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  // It rejects only when the signal aborts.
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
};

/**
 * Returns a function that returns the share of the time since its previous call in which this thread
 * was busy: 0 to 1.
 */
export function createBusyMeter(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Returns the time of day in the zone of this machine: `12:00:05`. */
export function toTimeOfDay(now: number): string {
  return new Date(now).toTimeString().slice(0, 8);
}

/** Formats a moment for a field of HTTP (RFC 9110 §5.6.7). */
export function toHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/** Formats a moment as mail does (RFC 5322 §3.3): `Sat, 31 Jan 2026 12:00:00 +0000`. */
export function toMailDate(milliseconds: number): string {
  return toHttpDate(milliseconds).replace('GMT', '+0000');
}

/** Returns true for a format whose name is that of such a date: `date-time-rfc-2822`. */
export function isMailFormat(format: JsonValue | undefined): boolean {
  return typeof format === 'string' && /rfc-?(?:2?822|5322|1123)$/i.test(format);
}

/** Formats a moment by RFC 3339, to the millisecond: `2026-01-31T12:00:00.250Z`. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Formats a moment by RFC 3339, to the second: `2026-01-31T12:00:00Z`. */
export function toTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
}

export function toExactTimestamp(at: number): string {
  const fraction = String(Math.floor(at) % 1000).padStart(3, '0');
  return toTimestamp(at).replace('Z', `.${fraction}Z`);
}

/** Parses a date in ISO 8601, with or without a time; NaN for days such as the 31st of February. */
export function parseInstant(text: string): number {
  const day = text.slice(0, 10);
  const start = Date.parse(day);
  const exists = !Number.isNaN(start) && toInstant(start).startsWith(day);
  return exists ? Date.parse(text) : Number.NaN;
}

/** Returns a moment as a date, to read and change its parts. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}
