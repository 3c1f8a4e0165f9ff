import type { KeptExchange } from '../exchange.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { type ExchangeList, NOWHERE } from './exchange-page.ts';
import type { PackedExchange } from './packed-exchange.ts';

/** The exchanges of one journal, the oldest first. */
export class ExchangeQueue implements ExchangeList {
  first = NOWHERE;
  last = NOWHERE;
  length = 0;
  readonly session: string;
  readonly #log: ExchangeLog;

  constructor(session: string, log: ExchangeLog) {
    this.session = session;
    this.#log = log;
  }

  push(packed: PackedExchange): void {
    this.#log.add(packed, this);
    this.length++;
  }

  /** Removes the oldest exchange, and returns its bytes; 0 where there is none. */
  shift(): number {
    return this.first === NOWHERE ? 0 : this.#remove(this.first);
  }

  all(): readonly KeptExchange[] {
    return Array.from(this.#places(), (place) => this.#read(place));
  }

  get(number: number): KeptExchange | undefined {
    const place = this.#find(number);
    return place === undefined ? undefined : this.#read(place);
  }

  /** Notes when the client left the response to a request. */
  leave(number: number, at: number): void {
    const place = this.#find(number);
    if (place === undefined) return;
    const { page, index } = this.#log.at(place);
    page.leave(index, at);
  }

  /** Removes the exchanges of these numbers, and returns their bytes. */
  remove(numbers: ReadonlySet<number>): number {
    let bytes = 0;
    for (const place of [...this.#places()]) {
      if (numbers.has(this.#numberOf(place))) bytes += this.#remove(place);
    }
    return bytes;
  }

  clear(): void {
    while (this.length > 0) this.shift();
  }

  #remove(place: number): number {
    this.length--;
    return this.#log.remove(place);
  }

  #read(place: number): KeptExchange {
    const { page, index } = this.#log.at(place);
    return page.read(index, this.session);
  }

  /** Returns the place of the newest exchange of a number. */
  #find(number: number): number | undefined {
    return [...this.#places()].findLast((place) => this.#numberOf(place) === number);
  }

  #numberOf(place: number): number {
    const { page, index } = this.#log.at(place);
    return page.numberOf(index);
  }

  *#places(): Generator<number> {
    let place = this.first;
    while (place !== NOWHERE) {
      yield place;
      const { page, index } = this.#log.at(place);
      place = page.next(index);
    }
  }
}
