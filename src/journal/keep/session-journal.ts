import type { Exchange, KeptExchange } from '../exchange.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { ExchangePage, NOWHERE, roomOf } from './exchange-page.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import { Journal, type ReadingSettings } from './journal.ts';
import type { BudgetShare, JournalBudget } from './journal-budget.ts';
import { type PackedExchange, packExchange } from './packed-exchange.ts';

export interface JournalSettings extends ReadingSettings {
  readonly maximumExchanges: number;
  readonly maximumBytes: number;
  /** Longer bodies are cut: bytes, or UTF-16 units of a text. */
  readonly maximumBodyLength: number;
  /** The journals of a mock share a budget and a log. */
  readonly budget: JournalBudget;
  readonly log: ExchangeLog;
}

export class SessionJournal extends Journal implements BudgetShare {
  readonly seesLeaving = true;
  readonly #settings: JournalSettings;
  readonly #entries: ExchangeQueue;
  #bytes = 0;
  #dropped = 0;

  constructor(session: string, settings: JournalSettings) {
    super(settings);
    this.#settings = settings;
    this.#entries = new ExchangeQueue(session, settings.log);
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
    const { maximumExchanges, maximumBytes, maximumBodyLength, log } = this.#settings;
    if (maximumExchanges === 0 && !this.hasListeners) {
      this.#dropped++;
      return;
    }
    const packed = packExchange(exchange, maximumBodyLength, log.parts);
    const { bytes } = packed;
    this.#makeRoom(maximumExchanges - 1, maximumBytes - bytes);
    if (bytes > maximumBytes || maximumExchanges === 0) this.#dropped++;
    else this.#add(packed);
    if (!this.hasListeners) return;
    const kept = toKept(packed);
    this.notify((listener) => listener.recorded(kept));
  }

  leave(number: number, at: number): void {
    this.#entries.leave(number, at);
  }

  shrinkTo(bytes: number): void {
    this.#makeRoom(Number.POSITIVE_INFINITY, bytes);
  }

  get(number: number): KeptExchange | undefined {
    return this.#entries.get(number);
  }

  clear(): void {
    this.#empty();
    this.#dropped = 0;
    this.notify((listener) => listener.cleared?.());
  }

  close(): void {
    this.#empty();
    this.notifyClosed();
  }

  #empty(): void {
    this.#entries.clear();
    this.#giveBack(this.#bytes);
  }

  protected exchanges(): readonly KeptExchange[] {
    return this.#entries.all();
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
    this.#dropped++;
    this.#giveBack(this.#entries.shift());
  }

  protected removeAll(numbers: ReadonlySet<number>): number {
    const before = this.size;
    this.#giveBack(this.#entries.remove(numbers));
    return before - this.size;
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#settings.budget.subtract(this, bytes);
  }
}

/** Returns an exchange as the journal gives it, whether it is kept or not. */
function toKept(packed: PackedExchange): KeptExchange {
  const page = new ExchangePage(roomOf(packed));
  page.add(packed, { first: NOWHERE, last: NOWHERE });
  return page.read(0, packed.exchange.session);
}
