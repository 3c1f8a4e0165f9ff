import type { JsonObject } from '../base/json/value.ts';
import type { Exchange } from '../journal/exchange.ts';

export const eventNames = [
  'exchange',
  'callback',
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

/** A request that the mock received, or that it sent. */
type ExchangeEvent = 'exchange' | 'callback';

/** An event of the event stream. */
export type MockEvent =
  | {
      readonly name: Exclude<EventName, ExchangeEvent>;
      /** The id of its session; undefined for an event of the whole mock. */
      readonly session: string | undefined;
      /** Called only where somebody listens, and at once: later it may give other data. */
      readonly data: () => JsonObject;
    }
  | { readonly name: ExchangeEvent; readonly session: string; readonly exchange: Exchange };

/** Carries events between processes that share their sessions. */
export interface EventRelay {
  /** True while another process listens, as far as is known. */
  readonly isHeard: boolean;
  send(event: MockEvent): void;
  /** Adds a listener for the events of other processes, between {@link listen} and {@link end}. */
  on(listener: (event: MockEvent) => void): void;
  /** Begins to receive events; resolves once none is missed. */
  listen(): Promise<void>;
  end(): void;
}
