import type { Exchange } from '../journal/exchange.ts';
import type { EventRelay, MockEvent } from '../session/mock-event.ts';

type EventListener = (event: MockEvent, number: number) => void;

/** Each listener has a buffer, so that their number is limited. */
const MAXIMUM_LISTENERS = 100;

/** Sends each event of the mock to all listeners, with its number. */
export class EventHub {
  readonly #relay: () => EventRelay | undefined;
  readonly #listeners = new Set<EventListener>();
  #isRelayed = false;
  #last = 0;

  /** @param relay returns the relay to other processes; undefined if there is none */
  constructor(relay: () => EventRelay | undefined) {
    this.#relay = relay;
  }

  /** The number of the last event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  publish(event: MockEvent): void {
    this.#notify(event);
    const relay = this.#relay();
    if (relay?.isHeard === true) relay.send(event);
  }

  /** Publishes an exchange. Creates no event without listeners, as this runs for every request. */
  exchange(exchange: Exchange): void {
    if (this.#listeners.size === 0 && this.#relay()?.isHeard !== true) this.#last++;
    else this.publish({ name: 'exchange', session: exchange.session, exchange });
  }

  /** Begins to receive the events of other processes; resolves once none is missed. */
  async open(): Promise<void> {
    const relay = this.#relay();
    if (relay === undefined) return;
    if (!this.#isRelayed) relay.on((event) => this.#notify(event));
    this.#isRelayed = true;
    await relay.listen();
  }

  /** Returns a function that removes the listener; undefined when there are too many already. */
  subscribe(listener: EventListener): (() => void) | undefined {
    if (this.#listeners.size >= MAXIMUM_LISTENERS) return undefined;
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#relay()?.end();
    };
  }

  #notify(event: MockEvent): void {
    this.#last++;
    for (const listener of this.#listeners) listener(event, this.#last);
  }
}
