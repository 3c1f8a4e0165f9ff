import { type ExchangeList, ExchangePage, NOWHERE, roomOf } from './exchange-page.ts';
import type { PackedExchange } from './packed-exchange.ts';
import { SharedParts } from './shared-part.ts';

/** Bytes of a page. An exchange that takes more has a page of its own. */
const PAGE = 65_536;

/** No page has room for as many exchanges. */
const PLACES = 512;

/**
 * The exchanges of all journals of a mock, in pages that they share: what a journal has for itself
 * is not in the processor's caches when the next request of its session comes.
 *
 * Each exchange is in a list, and has a place, which is a number. It gets another one when most of
 * its page is gaps.
 */
export class ExchangeLog {
  readonly parts = new SharedParts();
  /** By their numbers; undefined for a number that is free. */
  readonly #pages: (ExchangePage | undefined)[] = [];
  readonly #free: number[] = [];
  /** The number of the page that is filled. */
  #filled = NOWHERE;
  /** The page that is used next: what is dropped would wait for a collection of old garbage. */
  #spare: ExchangePage | undefined;
  /** The number of the page that was last searched for gaps. */
  #searched = 0;
  #size = 0;
  #used = 0;

  /** The bytes of all pages. */
  get size(): number {
    return this.#size;
  }

  /** Adds an exchange to the end of a list. */
  add(packed: PackedExchange, list: ExchangeList): void {
    const room = roomOf(packed);
    const number = this.#pageWith(room);
    const page = this.#page(number);
    const index = page.add(packed, list);
    const place = placeOf(number, index);
    this.#used += page.roomOf(index);
    this.#setNext(list, list.last, place);
    list.last = place;
    if (index === 0) this.#closeGaps();
  }

  /** Removes an exchange from its list, and returns its estimated memory. */
  remove(place: number): number {
    const { page, index } = this.at(place);
    const list = page.listOf(index);
    const next = page.next(index);
    const previous = page.previous(index);
    this.#setNext(list, previous, next);
    this.#setPrevious(list, next, previous);
    const bytes = page.bytesOf(index);
    this.#used -= page.roomOf(index);
    page.remove(index);
    if (page.isEmpty) this.#dropPage(numberOf(place));
    return bytes;
  }

  /** Returns the page of an exchange, and its index there. */
  at(place: number): { readonly page: ExchangePage; readonly index: number } {
    return { page: this.#page(numberOf(place)), index: place % PLACES };
  }

  /** Returns the number of a page with room for an exchange. */
  #pageWith(room: number): number {
    if (room > PAGE) return this.#addPage(new ExchangePage(room));
    if (this.#pages[this.#filled]?.hasRoom(room) !== true) {
      this.#filled = this.#addPage(this.#spare ?? new ExchangePage(PAGE));
      this.#spare = undefined;
    }
    return this.#filled;
  }

  #addPage(page: ExchangePage): number {
    const number = this.#free.pop() ?? this.#pages.length;
    this.#pages[number] = page;
    this.#size += page.size;
    return number;
  }

  #dropPage(number: number): void {
    const page = this.#page(number);
    page.clear();
    if (number === this.#filled) return;
    if (page.size === PAGE) this.#spare = page;
    this.#pages[number] = undefined;
    this.#free.push(number);
    this.#size -= page.size;
  }

  /**
   * Moves exchanges out of pages that are half gaps, until what all of them take is half of all
   * pages but two. No more is moved than there are gaps.
   */
  #closeGaps(): void {
    while (this.#size > 2 * this.#used + 2 * PAGE) {
      this.#searched = (this.#searched + 1) % this.#pages.length;
      const page = this.#pages[this.#searched];
      if (page === undefined || this.#searched === this.#filled) continue;
      if (2 * page.used <= page.size) this.#empty(this.#searched, page);
    }
  }

  #empty(number: number, page: ExchangePage): void {
    for (const index of page.indexes()) this.#move(page, index);
    this.#dropPage(number);
  }

  /** Moves an exchange to the page that is filled. */
  #move(from: ExchangePage, index: number): void {
    const number = this.#pageWith(from.roomOf(index));
    const place = placeOf(number, this.#page(number).take(from, index));
    const list = from.listOf(index);
    this.#setNext(list, from.previous(index), place);
    this.#setPrevious(list, from.next(index), place);
  }

  /** Sets what follows an exchange in its list; the first one if there is no such exchange. */
  #setNext(list: ExchangeList, place: number, next: number): void {
    if (place === NOWHERE) list.first = next;
    else this.#page(numberOf(place)).setNext(place % PLACES, next);
  }

  /** Sets what precedes an exchange in its list; the last one if there is no such exchange. */
  #setPrevious(list: ExchangeList, place: number, previous: number): void {
    if (place === NOWHERE) list.last = previous;
    else this.#page(numberOf(place)).setPrevious(place % PLACES, previous);
  }

  #page(number: number): ExchangePage {
    const page = this.#pages[number];
    if (page === undefined) throw new RangeError(`the log has no page ${number}`);
    return page;
  }
}

function placeOf(number: number, index: number): number {
  return number * PLACES + index;
}

/** Returns the number of the page of a place. */
function numberOf(place: number): number {
  return Math.floor(place / PLACES);
}
