import type { ControlChannel } from './control-channel.ts';

/** The state of a session's clock. */
export interface ClockReading {
  /** The time in RFC 3339, such as `2026-01-31T12:00:00.000Z`. */
  readonly now: string;
  readonly isFrozen: boolean;
}

/** A point in time: a `Date`, or a string in RFC 3339. */
export type Moment = Date | string;

/** A span of time: milliseconds, or a string such as `500ms`, `5s`, `5m`, `2h` or `1d`. */
export type Duration = number | string;

/** Returns a duration as the control API reads it. */
export function toDurationText(duration: Duration | undefined): string | undefined {
  return typeof duration === 'number' ? `${duration}ms` : duration;
}

/** The clock of a session. It starts at the system's time and runs with it. */
export class ClockControl {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Returns the time of the session. */
  read(): Promise<ClockReading> {
    return this.#control.get<ClockReading>('/clock');
  }

  /**
   * Moves the clock forward. Delays that end within this span end at once.
   *
   * @example
   * await session.clock.advance('5m');
   */
  advance(by: Duration): Promise<ClockReading> {
    return this.#control.post<ClockReading>('/clock/advance', { by: toDurationText(by) });
  }

  /** Stops the clock, at the given time or at its current one. */
  freeze(at?: Moment): Promise<ClockReading> {
    return this.#put({ isFrozen: true, ...(at !== undefined && { now: toText(at) }) });
  }

  /** Sets the time. A running clock continues from there; a frozen one stays frozen. */
  set(at: Moment): Promise<ClockReading> {
    return this.#put({ now: toText(at) });
  }

  /** Lets a frozen clock run again, from its current time. */
  resume(): Promise<ClockReading> {
    return this.#put({ isFrozen: false });
  }

  #put(change: Partial<ClockReading>): Promise<ClockReading> {
    return this.#control.put<ClockReading>('/clock', change);
  }
}

function toText(at: Moment): string {
  return typeof at === 'string' ? at : at.toISOString();
}
