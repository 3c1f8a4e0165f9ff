import type { ControlChannel } from './control-channel.ts';
import { type Duration, toDurationText } from './duration.ts';

/** What time it is in a session. */
export interface ClockReading {
  /** RFC 3339. */
  readonly now: string;
  readonly isFrozen: boolean;
}

/** A point in time: a Date, or a text of RFC 3339. */
export type Moment = Date | string;

/** The clock of a session. */
export class ClockControl {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  read(): Promise<ClockReading> {
    return this.#control.get<ClockReading>('/clock');
  }

  /** Sets the clock forward; delays that end within this time are over at once. */
  advance(by: Duration): Promise<ClockReading> {
    return this.#control.post<ClockReading>('/clock/advance', { by: toDurationText(by) });
  }

  /** Stops the clock, at a time or where it is. */
  freeze(at?: Moment): Promise<ClockReading> {
    return this.#put({ isFrozen: true, ...(at !== undefined && { now: toText(at) }) });
  }

  /** Sets the clock; it goes on, or stands, as before. */
  set(at: Moment): Promise<ClockReading> {
    return this.#put({ now: toText(at) });
  }

  /** Lets the clock go on from where it stands. */
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
