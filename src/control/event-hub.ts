import type { Exchange } from '../journal/exchange.ts';
import type { JsonObject } from '../json/value.ts';

/** What can be heard of. */
export type EventName =
  | 'exchange'
  | 'fixtures'
  | 'scenario'
  | 'state'
  | 'clock'
  | 'snapshot'
  | 'reset'
  | 'session'
  | 'reload';

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

/** Hears an event and its number. */
type EventListener = (event: MockEvent, number: number) => void;

/** Tells all who listen of everything that happens. */
export interface EventHub {
  /** The number of the last event; 0 before the first. */
  readonly last: number;
  publish(event: MockEvent): void;
  /** A request was answered. */
  exchange(exchange: Exchange): void;
  /** @returns ends the listening; undefined when too many listen already */
  subscribe(listener: EventListener): (() => void) | undefined;
}

/** Each has a buffer of its own, so that they cannot be without number. */
const MOST_LISTENERS = 100;

/** @returns a hub that nobody listens to yet */
export function createEventHub(): EventHub {
  const listeners = new Set<EventListener>();
  let last = 0;
  const publish = (event: MockEvent): void => {
    last++;
    for (const listener of listeners) listener(event, last);
  };
  return {
    get last() {
      return last;
    },
    publish,
    exchange(exchange) {
      // Asked for every request: nothing is made where nobody listens.
      if (listeners.size === 0) last++;
      else publish({ name: 'exchange', session: exchange.session, exchange });
    },
    subscribe(listener) {
      if (listeners.size >= MOST_LISTENERS) return undefined;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
