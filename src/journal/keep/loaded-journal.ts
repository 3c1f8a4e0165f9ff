import type { RequestPattern } from '../../request/request-pattern.ts';
import type { KeptExchange } from '../exchange.ts';
import type { Journal, JournalListener } from './session-journal.ts';
import { type JournalQuery, JournalReader, type ReadingSettings } from './journal.ts';

/** What was loaded of a journal that is kept elsewhere. */
export interface LoadedExchanges {
  /** The oldest first; none where nobody looks at them. */
  readonly exchanges: readonly KeptExchange[];
  /** How many there are. */
  readonly size: number;
  readonly bytes: number;
  readonly dropped: number;
}

/** What is to be done to the journal of which it is a copy. */
export interface JournalChanges {
  readonly isCleared: boolean;
  /** Numbers of exchanges that were taken out. */
  readonly removed: readonly number[];
}

/**
 * A journal as it was when it was loaded. What is taken out of it is noted, so that whoever has
 * loaded it can take it out there as well.
 */
export class LoadedJournal extends JournalReader implements Journal {
  readonly #exchanges: Map<number, KeptExchange>;
  readonly #listeners = new Set<JournalListener>();
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

  get changes(): JournalChanges {
    return { isCleared: this.#isCleared, removed: this.#removed };
  }

  /** Another exchange has come since; one that was loaded is passed over. */
  hear(exchange: KeptExchange): void {
    if (this.#exchanges.has(exchange.number)) return;
    this.#exchanges.set(exchange.number, exchange);
    for (const listener of this.#listeners) listener.recorded(exchange);
  }

  /** Somebody else has emptied it. */
  forget(): void {
    this.#exchanges.clear();
    this.#loaded = { exchanges: [], size: 0, bytes: 0, dropped: 0 };
    for (const listener of this.#listeners) listener.cleared?.();
  }

  /** Nothing more will come. */
  end(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.closed?.();
  }

  list({ limit = Number.POSITIVE_INFINITY, since }: JournalQuery = {}): readonly KeptExchange[] {
    return this.exchanges()
      .toReversed()
      .filter(({ number }) => since === undefined || number > since)
      .slice(0, limit);
  }

  get(number: number): KeptExchange | undefined {
    return this.#exchanges.get(number);
  }

  remove(number: number): boolean {
    const isThere = this.#exchanges.delete(number);
    if (isThere) this.#removed.push(number);
    return isThere;
  }

  removeMatching(pattern: RequestPattern): readonly KeptExchange[] {
    const matching = this.find(pattern);
    for (const { number } of matching) this.remove(number);
    return matching;
  }

  clear(): void {
    this.#isCleared = true;
    this.forget();
  }

  on(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  protected exchanges(): readonly KeptExchange[] {
    return [...this.#exchanges.values()];
  }
}
