import type { Exchange, KeptExchange } from '../exchange.ts';
import { Journal, type ReadingSettings } from './journal.ts';
import type { BudgetShare, JournalBudget } from './journal-budget.ts';
import {
  FieldsPacker,
  type PackedExchange,
  packExchange,
  unpackExchange,
} from './packed-exchange.ts';

export interface JournalSettings extends ReadingSettings {
  readonly maximumExchanges: number;
  readonly maximumBytes: number;
  /** Longer bodies are cut: bytes, or UTF-16 units of a text. */
  readonly maximumBodyLength: number;
  readonly budget: JournalBudget;
}

export class SessionJournal extends Journal implements BudgetShare {
  readonly seesLeaving = true;
  readonly #settings: JournalSettings;
  readonly #entries = new ExchangeQueue<PackedExchange>();
  readonly #packer = new FieldsPacker();
  /** When the first request arrived; milliseconds since 1970. */
  #began = Number.NaN;
  #bytes = 0;
  #dropped = 0;

  constructor(settings: JournalSettings) {
    super(settings);
    this.#settings = settings;
  }

  get size(): number {
    return this.#entries.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  record(exchange: Exchange): void {
    const { maximumExchanges, maximumBytes, maximumBodyLength } = this.#settings;
    if (maximumExchanges === 0 && !this.hasListeners) {
      this.#dropped++;
      return;
    }
    if (Number.isNaN(this.#began)) this.#began = exchange.at;
    const packed = packExchange(exchange, this.#began, maximumBodyLength, this.#packer);
    const { bytes } = packed;
    this.#makeRoom(maximumExchanges - 1, maximumBytes - bytes);
    if (bytes > maximumBytes || maximumExchanges === 0) this.#dropped++;
    else this.#add(packed);
    if (!this.hasListeners) return;
    const kept = unpackExchange(packed, this.#began);
    this.notify((listener) => listener.recorded(kept));
  }

  leave(number: number, at: number): void {
    const packed = this.#find(number);
    if (packed !== undefined) packed.leftSince ??= at - this.#began;
  }

  shrinkTo(bytes: number): void {
    this.#makeRoom(Number.POSITIVE_INFINITY, bytes);
  }

  get(number: number): KeptExchange | undefined {
    const packed = this.#find(number);
    return packed && unpackExchange(packed, this.#began);
  }

  #find(number: number): PackedExchange | undefined {
    return Array.from(this.#entries).findLast((one) => one.number === number);
  }

  clear(): void {
    this.#packer.forget();
    this.#keep(() => false);
    this.#dropped = 0;
    this.notify((listener) => listener.cleared?.());
  }

  close(): void {
    this.#packer.forget();
    this.#keep(() => false);
    this.notifyClosed();
  }

  protected exchanges(): readonly KeptExchange[] {
    return Array.from(this.#entries, (packed) => unpackExchange(packed, this.#began));
  }

  #makeRoom(exchanges: number, bytes: number): void {
    while (this.size > 0 && (this.size > exchanges || this.#bytes > bytes)) this.#drop();
  }

  #add(packed: PackedExchange): void {
    this.#entries.push(packed);
    this.#bytes += packed.bytes;
    this.#settings.budget.add(this, packed.bytes);
  }

  #drop(): void {
    const oldest = this.#entries.shift();
    if (oldest === undefined) return;
    this.#dropped++;
    this.#giveBack(oldest.bytes);
  }

  protected removeAll(numbers: ReadonlySet<number>): number {
    return this.#keep(({ number }) => !numbers.has(number));
  }

  /** Removes the exchanges that do not pass, and returns their number. */
  #keep(passes: (packed: PackedExchange) => boolean): number {
    const before = this.size;
    let freed = 0;
    this.#entries.keep((packed) => {
      const isKept = passes(packed);
      if (!isKept) freed += packed.bytes;
      return isKept;
    });
    this.#giveBack(freed);
    return before - this.size;
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#settings.budget.subtract(this, bytes);
  }
}

/** Fewer gaps are not worth a move of the items. */
const FEWEST_GAPS = 32;

/** A queue; adding and removing take constant time on average. */
class ExchangeQueue<Item> {
  #items: (Item | undefined)[] = [];
  /** How many items at the front were removed. */
  #gaps = 0;

  get length(): number {
    return this.#items.length - this.#gaps;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item; undefined when there is none. */
  shift(): Item | undefined {
    const item = this.#items[this.#gaps];
    if (item === undefined) return undefined;
    this.#items[this.#gaps++] = undefined;
    if (this.#gaps >= FEWEST_GAPS && this.#gaps * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#gaps);
      this.#gaps = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#gaps; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }

  keep(passes: (item: Item) => boolean): void {
    this.#items = [...this].filter(passes);
    this.#gaps = 0;
  }
}
