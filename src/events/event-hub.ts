import type { Exchange } from '../journal/exchange.ts';
import type { EventRelay, MockEvent } from '../session/mock-event.ts';

/** Hears an event and its number. */
type EventListener = (event: MockEvent, number: number) => void;

/** Tells all who listen of everything that happens. */
export interface EventHub {
  /** The number of the last event; 0 before the first. */
  readonly last: number;
  publish(event: MockEvent): void;
  /** A request was answered. */
  exchange(exchange: Exchange): void;
  /** Resolves once what other processes of the mock tell is heard as well. */
  open(): Promise<void>;
  /** @returns ends the listening; undefined when too many listen already */
  subscribe(listener: EventListener): (() => void) | undefined;
}

/** Each has a buffer of its own, so that they cannot be without number. */
const MOST_LISTENERS = 100;

/**
 * @param relay to other processes that are one mock with this one; undefined where there are none
 * @returns a hub that nobody listens to yet
 */
export function createEventHub(relay: () => EventRelay | undefined = () => undefined): EventHub {
  const listeners = new Set<EventListener>();
  let last = 0;
  const tell = (event: MockEvent): void => {
    last++;
    for (const listener of listeners) listener(event, last);
  };
  let isRelayed = false;
  return {
    get last() {
      return last;
    },
    publish(event) {
      tell(event);
      const others = relay();
      if (others?.isHeard === true) others.send(event);
    },
    exchange(exchange) {
      const others = relay();
      // Asked for every request: nothing is made where nobody listens.
      if (listeners.size === 0 && others?.isHeard !== true) {
        last++;
        return;
      }
      const event = { name: 'exchange', session: exchange.session, exchange } as const;
      tell(event);
      if (others?.isHeard === true) others.send(event);
    },
    async open() {
      const others = relay();
      if (others === undefined) return;
      if (!isRelayed) others.on(tell);
      isRelayed = true;
      await others.listen();
    },
    subscribe(listener) {
      if (listeners.size >= MOST_LISTENERS) return undefined;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) relay()?.end();
      };
    },
  };
}
