import type { KeptExchange } from '../exchange.ts';
import { ExchangePage, roomOf } from './exchange-page.ts';
import type { PackedExchange } from './packed-exchange.ts';

/** The sizes of pages in bytes: the first one, then up to an eighth of the size of all pages. */
const FIRST_PAGE = 512;
const SMALLEST_PAGE = 2048;
const LARGEST_PAGE = 16_384;

/** Where an exchange is. */
interface Place {
  readonly page: ExchangePage;
  readonly index: number;
}

/** The exchanges of a journal, the oldest first, in pages. */
export class ExchangeQueue {
  #pages: ExchangePage[] = [];
  /** The index of the oldest exchange in the first page. */
  #first = 0;
  #length = 0;
  /** How many exchanges in the pages were removed. */
  #gaps = 0;
  /** The size of all pages. */
  #size = 0;
  /** The page that is used next: what is dropped would wait for a collection of old garbage. */
  #spare: ExchangePage | undefined;

  get length(): number {
    return this.#length;
  }

  push(packed: PackedExchange): void {
    this.#pageWith(roomOf(packed)).add(packed);
    this.#length++;
  }

  /** Removes the oldest exchange, and returns its bytes; 0 where there is none. */
  shift(): number {
    let page = this.#pages[0];
    while (page !== undefined) {
      const bytes = page.bytesOf(this.#first++);
      if (this.#first === page.length) this.#dropPage();
      if (bytes > 0) {
        this.#length--;
        return bytes;
      }
      this.#gaps--;
      page = this.#pages[0];
    }
    return 0;
  }

  all(): readonly KeptExchange[] {
    return Array.from(this.#places(), ({ page, index }) => page.read(index));
  }

  get(number: number): KeptExchange | undefined {
    const place = this.#find(number);
    return place?.page.read(place.index);
  }

  /** Notes when the client left the response to a request. */
  leave(number: number, at: number): void {
    const place = this.#find(number);
    place?.page.leave(place.index, at);
  }

  /** Removes the exchanges of these numbers, and returns their bytes. */
  remove(numbers: ReadonlySet<number>): number {
    let bytes = 0;
    for (const { page, index } of this.#places()) {
      if (!numbers.has(page.numberOf(index))) continue;
      bytes += page.bytesOf(index);
      page.remove(index);
      this.#length--;
      this.#gaps++;
    }
    if (this.#gaps > this.#length) this.#closeGaps();
    return bytes;
  }

  clear(): void {
    this.#pages = [];
    this.#first = 0;
    this.#length = 0;
    this.#gaps = 0;
    this.#size = 0;
    this.#spare = undefined;
  }

  /** Returns the last page if it has room, or else a new one. */
  #pageWith(room: number): ExchangePage {
    const last = this.#pages.at(-1);
    if (last?.hasRoom(room) === true) return last;
    const size = Math.max(this.#nextSize(), room);
    const page = this.#spare?.size === size ? this.#spare : new ExchangePage(size);
    this.#spare = undefined;
    this.#pages.push(page);
    this.#size += page.size;
    return page;
  }

  #nextSize(): number {
    if (this.#size === 0) return FIRST_PAGE;
    let size = SMALLEST_PAGE;
    while (size < LARGEST_PAGE && size * 16 <= this.#size) size *= 2;
    return size;
  }

  #dropPage(): void {
    const page = this.#pages.shift();
    if (page === undefined) return;
    this.#first = 0;
    this.#size -= page.size;
    page.clear();
    this.#spare = page;
  }

  /** Moves the exchanges that are left to pages without gaps. */
  #closeGaps(): void {
    const places = [...this.#places()];
    this.clear();
    for (const { page, index } of places) {
      this.#pageWith(page.roomOf(index)).take(page, index);
      this.#length++;
    }
  }

  #find(number: number): Place | undefined {
    return [...this.#places()].findLast(({ page, index }) => page.numberOf(index) === number);
  }

  *#places(): Generator<Place> {
    let index = this.#first;
    for (const page of this.#pages) {
      for (; index < page.length; index++) if (page.bytesOf(index) > 0) yield { page, index };
      index = 0;
    }
  }
}
