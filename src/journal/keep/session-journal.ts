import { Problem, type Violation } from '../../base/problem.ts';
import type { RequestPattern } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';
import type { Exchange, KeptExchange } from '../exchange.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import type { BudgetShare, JournalBudget } from './journal-budget.ts';
import { type JournalQuery, JournalReader, type ReadingSettings } from './journal.ts';
import { FieldsPacker, PackedExchange } from './packed-exchange.ts';

/** What is told to whoever listens to a journal; an exception is the listener's own loss. */
export interface JournalListener {
  recorded(exchange: KeptExchange): void;
  /** All exchanges were taken out at once. */
  cleared?(): void;
  /** Nothing more will come: the session is gone. */
  closed?(): void;
}

export interface JournalSettings extends ReadingSettings {
  /** How many exchanges are kept; the oldest go first. */
  readonly maximumExchanges: number;
  /** How much memory they may take, as it is estimated. */
  readonly maximumBytes: number;
  /** Longer bodies are cut: bytes, or UTF-16 units of a text. */
  readonly maximumBodyLength: number;
  /** Shared with the journals of other sessions. */
  readonly budget: JournalBudget;
}

/** All that was asked in one session and what became of it, in the order in which it was answered. */
export interface Journal {
  /** How many exchanges are kept. */
  readonly size: number;
  /** The memory that they take, as it is estimated. */
  readonly bytes: number;
  /** How many were dropped to make room, since the beginning or the last `clear`. */
  readonly dropped: number;
  /** @returns the newest first */
  list(query?: JournalQuery): readonly KeptExchange[];
  /**
   * @param status of the answer; any where it is left out
   * @returns those that match, the oldest first
   */
  find(pattern: RequestPattern, status?: number): readonly KeptExchange[];
  /** As {@link find}, counted. */
  count(pattern: RequestPattern, status?: number): number;
  /** @returns those that no operation was for, or that were refused; the newest first */
  unmatched(): readonly KeptExchange[];
  /** @returns the exchange of a request's number */
  get(number: number): KeptExchange | undefined;
  /** @returns the request of an exchange as patterns see it */
  view(exchange: Exchange): RequestView;
  /**
   * Finds again what was wrong with the request of an exchange.
   *
   * @returns none where it cannot be found any more: the document has changed, or the body was cut
   */
  violations(exchange: Exchange): readonly Violation[];
  /** @returns true when there was one of this number */
  remove(number: number): boolean;
  /** @returns those that were taken out, the oldest first */
  removeMatching(pattern: RequestPattern): readonly KeptExchange[];
  clear(): void;
  /**
   * @returns a function that ends the listening
   * @throws {Problem} TOO_MANY_LISTENERS
   */
  on(listener: JournalListener): () => void;
}

/** A journal that is kept in this process. */
export interface OwnJournal extends Journal {
  record(exchange: Exchange): void;
  /** Gives all room back and lets all listeners go: the session is gone. */
  close(): void;
}

/** @returns an empty journal for one session */
export function createJournal(settings: JournalSettings): OwnJournal {
  return new SessionJournal(settings);
}

/** Each is asked about every request. */
const MOST_LISTENERS = 256;

class SessionJournal extends JournalReader implements OwnJournal, BudgetShare {
  readonly #settings: JournalSettings;
  readonly #entries = new ExchangeQueue<PackedExchange>();
  readonly #listeners = new Set<JournalListener>();
  readonly #packer = new FieldsPacker();
  /** When the first exchange came; milliseconds since 1970. */
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
    if (maximumExchanges === 0 && this.#listeners.size === 0) {
      this.#dropped++;
      return;
    }
    if (Number.isNaN(this.#began)) this.#began = exchange.at;
    const packed = new PackedExchange(exchange, this.#began, maximumBodyLength, this.#packer);
    const { bytes } = packed;
    this.#makeRoom(maximumExchanges - 1, maximumBytes - bytes);
    if (bytes > maximumBytes || maximumExchanges === 0) this.#dropped++;
    else this.#add(packed);
    if (this.#listeners.size === 0) return;
    const kept = packed.unpack(this.#began);
    for (const listener of this.#listeners) tell(() => listener.recorded(kept));
  }

  shrinkTo(bytes: number): void {
    this.#makeRoom(Number.POSITIVE_INFINITY, bytes);
  }

  list({ limit = Number.POSITIVE_INFINITY, since }: JournalQuery = {}): readonly KeptExchange[] {
    const entries = Array.from(this.#entries).reverse();
    const asked = since === undefined ? entries : entries.filter(({ number }) => number > since);
    return asked.slice(0, limit).map((packed) => packed.unpack(this.#began));
  }

  get(number: number): KeptExchange | undefined {
    const packed = Array.from(this.#entries).findLast((one) => one.number === number);
    return packed?.unpack(this.#began);
  }

  remove(number: number): boolean {
    const before = this.size;
    this.#remove(new Set([number]));
    return this.size < before;
  }

  removeMatching(pattern: RequestPattern): readonly KeptExchange[] {
    const matching = this.find(pattern);
    this.#remove(new Set(matching.map(({ number }) => number)));
    return matching;
  }

  clear(): void {
    this.#packer.forget();
    this.#removeAll();
    this.#dropped = 0;
    for (const listener of this.#listeners) tell(() => listener.cleared?.());
  }

  on(listener: JournalListener): () => void {
    if (this.#listeners.size >= MOST_LISTENERS) {
      const detail = `${MOST_LISTENERS} wait already on what is asked in this session`;
      throw new Problem('TOO_MANY_LISTENERS', detail);
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#packer.forget();
    this.#removeAll();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) tell(() => listener.closed?.());
  }

  protected exchanges(): readonly KeptExchange[] {
    return Array.from(this.#entries, (packed) => packed.unpack(this.#began));
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

  /** @param numbers of exchanges, which no two have */
  #remove(numbers: ReadonlySet<number>): void {
    let freed = 0;
    this.#entries.keep(({ number, bytes }) => {
      const isKept = !numbers.has(number);
      if (!isKept) freed += bytes;
      return isKept;
    });
    this.#giveBack(freed);
  }

  #removeAll(): void {
    this.#remove(new Set(Array.from(this.#entries, ({ number }) => number)));
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#settings.budget.subtract(this, bytes);
  }
}

/** Whoever listens cannot spoil the answer. */
function tell(call: () => void): void {
  try {
    call();
  } catch {
    // There is no one left to tell.
  }
}
