import type { KeptExchange } from '../exchange.ts';
import { Journal, type ReadingSettings } from './journal.ts';

/** The loaded part of a journal that is stored elsewhere. */
export interface LoadedExchanges extends Pick<Journal, 'size' | 'bytes' | 'dropped'> {
  /** The oldest first; none where only the counts are needed. */
  readonly exchanges: readonly KeptExchange[];
}

/** A copy of a journal that is stored elsewhere. It records what is removed from it. */
export class LoadedJournal extends Journal {
  readonly seesLeaving = false;
  readonly #exchanges: Map<number, KeptExchange>;
  readonly #removed: number[] = [];
  #isCleared = false;
  #loaded: LoadedExchanges;

  constructor(settings: ReadingSettings, loaded: LoadedExchanges) {
    super(settings);
    this.#loaded = loaded;
    this.#exchanges = new Map(loaded.exchanges.map((exchange) => [exchange.number, exchange]));
  }

  get size(): number {
    return Math.max(this.#loaded.size - this.#removed.length, this.#exchanges.size);
  }

  get bytes(): number {
    return this.#loaded.bytes;
  }

  get dropped(): number {
    return this.#loaded.dropped;
  }

  /** The changes to save in the stored journal; `removed` has the numbers of exchanges. */
  get changes(): { readonly isCleared: boolean; readonly removed: readonly number[] } {
    return { isCleared: this.#isCleared, removed: this.#removed };
  }

  /** Adds an exchange that was recorded since; ignores one that was loaded. */
  add(exchange: KeptExchange): void {
    if (this.#exchanges.has(exchange.number)) return;
    this.#exchanges.set(exchange.number, exchange);
    this.notify((listener) => listener.recorded(exchange));
  }

  /** Empties the copy, as the stored journal is empty. */
  empty(): void {
    this.#exchanges.clear();
    this.#loaded = { exchanges: [], size: 0, bytes: 0, dropped: 0 };
    this.notify((listener) => listener.cleared?.());
  }

  close(): void {
    this.notifyClosed();
  }

  get(number: number): KeptExchange | undefined {
    return this.#exchanges.get(number);
  }

  clear(): void {
    this.#isCleared = true;
    this.empty();
  }

  protected removeAll(numbers: ReadonlySet<number>): number {
    const removed = [...numbers].filter((number) => this.#exchanges.delete(number));
    this.#removed.push(...removed);
    return removed.length;
  }

  protected exchanges(): readonly KeptExchange[] {
    return [...this.#exchanges.values()];
  }
}
