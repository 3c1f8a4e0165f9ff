import type { Exchange } from '../journal/exchange.ts';
import type { EventRelay, MockEvent } from '../session/sessions.ts';

type EventListener = (event: MockEvent, number: number) => void;

/** Each listener has a buffer, so that their number is limited. */
const MAXIMUM_LISTENERS = 100;

export type EventHub = ReturnType<typeof createEventHub>;

/** Returns the event of an exchange, by who sent the request. */
function toEvent(exchange: Exchange): MockEvent {
  const name = exchange.callback === undefined ? 'exchange' : 'callback';
  return { name, session: exchange.session, exchange };
}

/**
 * Returns what sends each event of the mock to all listeners, with its number.
 *
 * @param findRelay returns the relay to other processes; undefined if there is none
 */
export function createEventHub(findRelay: () => EventRelay | undefined) {
  const listeners = new Set<EventListener>();
  let isRelayed = false;
  let last = 0;
  const notify = (event: MockEvent): void => {
    last++;
    for (const listener of listeners) listener(event, last);
  };
  const publish = (event: MockEvent): void => {
    notify(event);
    const relay = findRelay();
    if (relay?.isHeard === true) relay.send(event);
  };
  return {
    publish,
    /** The number of the last event; 0 before the first. */
    get last() {
      return last;
    },
    /** Publishes an exchange. Creates no event without listeners, as this runs for every request. */
    exchange(exchange: Exchange): void {
      if (listeners.size === 0 && findRelay()?.isHeard !== true) last++;
      else publish(toEvent(exchange));
    },
    /** Begins to receive the events of other processes; resolves once none is missed. */
    async open(): Promise<void> {
      const relay = findRelay();
      if (relay === undefined) return;
      if (!isRelayed) relay.on(notify);
      isRelayed = true;
      await relay.listen();
    },
    /** Returns a function that removes the listener; undefined when there are too many already. */
    subscribe(listener: EventListener): (() => void) | undefined {
      if (listeners.size >= MAXIMUM_LISTENERS) return undefined;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) findRelay()?.end();
      };
    },
  };
}
