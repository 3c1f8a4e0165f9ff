import type { Fault } from '../../src/fixtures/fault.ts';

/** What a client sees of an exchange. */
export type Outcome = ReceivedAnswer | { readonly kind: 'fault'; readonly fault: Fault };

export interface ReceivedAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** By lower-case name; repeated ones joined by `, `. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** How long the mock held it back. */
  readonly delayMilliseconds: number;
}
