import { Problem } from '../base/problem.ts';

/** The limit on the memory that the state of all sessions takes together; estimated bytes. */
export class StateBudget {
  readonly #limit: number;
  /** Estimated bytes; {@link take} changes them. */
  taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns true when there is room for this many more bytes. */
  hasRoom(bytes: number): boolean {
    return bytes <= 0 || this.taken + bytes <= this.#limit;
  }

  /** @throws {Problem} STATE_FULL if there is no room for this many more bytes */
  demand(bytes: number): void {
    if (!this.hasRoom(bytes)) throw stateFull(this.#limit, this.taken);
  }

  /** @param bytes added; negative where they are freed */
  take(bytes: number): void {
    this.taken += bytes;
  }
}

/** Returns the refusal of a change for which there is no room. */
export function stateFull(limit: number, taken: number): Problem {
  return new Problem(
    'STATE_FULL',
    `the state of all sessions may take ${limit} bytes, of which ${taken} are taken; ` +
      'the setting state-limit allows more, a reset frees all',
  );
}
