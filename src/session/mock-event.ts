import type { JsonObject } from '../base/json/value.ts';
import type { Exchange } from '../journal/exchange.ts';

/** The kinds of events. */
export const eventNames = [
  'exchange',
  'fixtures',
  'scenario',
  'state',
  'clock',
  'snapshot',
  'reset',
  'session',
  'reload',
] as const;
export type EventName = (typeof eventNames)[number];

/** Something that happened. */
export type MockEvent =
  | {
      readonly name: Exclude<EventName, 'exchange'>;
      /** The id of its session; undefined for what is nobody's. */
      readonly session: string | undefined;
      /** Worked out only where somebody listens; at once, as it may be another later. */
      readonly data: () => JsonObject;
    }
  | { readonly name: 'exchange'; readonly session: string; readonly exchange: Exchange };

/** Carries events between the processes that are one mock. */
export interface EventRelay {
  /** True while somebody elsewhere listens, as far as is known. */
  readonly isHeard: boolean;
  /** Tells the others. */
  send(event: MockEvent): void;
  /** Hears what others send, while {@link listen} is in force. */
  on(listener: (event: MockEvent) => void): void;
  /** Somebody here listens from now on; resolves once nothing is missed any more. */
  listen(): Promise<void>;
  /** Nobody here listens any more. */
  end(): void;
}
