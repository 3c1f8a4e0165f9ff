import type { Problem } from '../base/problem.ts';
import type { Exchange, KeptExchange } from '../journal/exchange.ts';
import { findLevel, SLACK } from '../journal/keep/journal-budget.ts';
import type { RedisConnection } from './connection.ts';
import { isOfAnotherVersion, readExchange, writeExchange } from './exchange-text.ts';
import { CLEAR, COUNT, LOAD, RECORD, REMOVE, SHRINK } from './journal-scripts.ts';
import { journalKeys, keyOf, sessionKey } from './keys.ts';
import {
  type Guard,
  isCount,
  isFiniteNumber,
  isListOf,
  isTupleOf,
  unreadable,
} from './stored-data.ts';

/** How much of what was asked is kept. */
export interface JournalLimits {
  /** How many exchanges of a session; the oldest go first. */
  readonly maximumExchanges: number;
  /** How many bytes those of a session may take. */
  readonly maximumBytes: number;
  /** Longer bodies are cut: bytes, or UTF-16 units of a text. */
  readonly maximumBodyLength: number;
  /** What those of all sessions may take. */
  readonly shared?: SharedJournalBudget;
}

/** What is heard of a journal, whoever wrote to it. */
interface JournalNews {
  recorded(exchange: KeptExchange): void;
  cleared?(): void;
  /** Nothing more will come: the session is gone. */
  closed?(): void;
}

/** How much a journal holds. */
interface JournalCount {
  readonly size: number;
  /** How many were dropped to make room, since the beginning or the last `clear`. */
  readonly dropped: number;
  /** What the exchanges take in Redis. */
  readonly bytes: number;
}

/** The journal of one session, as all have it together. */
export interface RedisJournal {
  /** Resolves once it is kept, and was told to all who listen. */
  record(exchange: Exchange): Promise<void>;
  /**
   * @param newest how many of them; all where it is left out
   * @returns the oldest first
   */
  load(newest?: number): Promise<JournalCount & { readonly exchanges: readonly KeptExchange[] }>;
  count(): Promise<JournalCount>;
  /** @returns how many of these numbers there were */
  remove(numbers: readonly number[]): Promise<number>;
  clear(): Promise<void>;
  /** The session is gone. */
  drop(): Promise<void>;
  /** @returns ends the listening; resolves once all that is recorded from now on is heard */
  on(news: JournalNews): Promise<() => void>;
}

export function createRedisJournal(
  connection: RedisConnection,
  session: string,
  limits: JournalLimits,
): RedisJournal {
  return new SharedJournal(connection, session, limits);
}

const isCountReply = isTupleOf<readonly [size: number, dropped: number, bytes: number]>(
  isCount,
  isCount,
  isFiniteNumber,
);
const isBytes: Guard<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array;
const isLoadReply = isTupleOf<
  readonly [size: number, dropped: number, bytes: number, entries: readonly Uint8Array[]]
>(isCount, isCount, isFiniteNumber, isListOf(isBytes));

/** What is told in place of an exchange, which begins with a digit. */
const CLEARED = 'cleared';
const CLOSED = 'closed';

class SharedJournal implements RedisJournal {
  readonly #connection: RedisConnection;
  readonly #limits: JournalLimits;
  /** The list of exchanges, and the hash of what is known of them. */
  readonly #keys: readonly [list: string, info: string];
  readonly #session: string;
  readonly #channel: string;

  constructor(connection: RedisConnection, session: string, limits: JournalLimits) {
    const { namespace } = connection;
    this.#connection = connection;
    this.#limits = limits;
    this.#keys = journalKeys(namespace, session);
    this.#session = sessionKey(namespace, session);
    this.#channel = channelOf(namespace, session);
  }

  async record(exchange: Exchange): Promise<void> {
    const { maximumExchanges, maximumBytes, maximumBodyLength } = this.#limits;
    const written = writeExchange(exchange, maximumBodyLength);
    const words = [written, maximumExchanges, maximumBytes, this.#channel];
    await this.#connection.run(RECORD, [...this.#keys, this.#session], words);
    this.#limits.shared?.note(written.length);
  }

  async load(newest?: number) {
    const first = newest === undefined ? 0 : -newest;
    const words = [newest === 0 ? 1 : first, newest === 0 ? 0 : -1];
    const reply = await this.#connection.runForBytes(LOAD, this.#keys, words);
    if (!isLoadReply(reply)) throw this.#unreadable('counts');
    const [size, dropped, bytes, entries] = reply;
    const exchanges = entries
      .filter((entry) => !isOfAnotherVersion(entry))
      .map((entry) => {
        const exchange = readExchange(entry);
        if (exchange === undefined) throw this.#unreadable('an exchange');
        return exchange;
      });
    return { size, dropped, bytes, exchanges };
  }

  async count(): Promise<JournalCount> {
    const reply = await this.#connection.run(COUNT, this.#keys);
    if (!isCountReply(reply)) throw this.#unreadable('counts');
    const [size, dropped, bytes] = reply;
    return { size, dropped, bytes };
  }

  async remove(numbers: readonly number[]): Promise<number> {
    return Number(await this.#connection.run(REMOVE, this.#keys, numbers));
  }

  async clear(): Promise<void> {
    await this.#connection.run(CLEAR, this.#keys, [this.#channel, CLEARED]);
  }

  async drop(): Promise<void> {
    await this.#connection.run(CLEAR, this.#keys, [this.#channel, CLOSED]);
  }

  on(news: JournalNews): Promise<() => void> {
    return this.#connection.subscribe(this.#channel, (message) => hear(message, news));
  }

  #unreadable(what: 'counts' | 'an exchange'): Problem {
    const [list, info] = this.#keys;
    return unreadable(this.#connection, what, what === 'counts' ? info : list);
  }
}

/** @returns where the exchanges of a session are told */
function channelOf(namespace: string, session: string): string {
  return keyOf(namespace, session, 'exchanges');
}

function hear(message: Uint8Array, news: JournalNews): void {
  const exchange = readExchange(message);
  const word = Buffer.from(message).toString('latin1');
  if (exchange !== undefined) news.recorded(exchange);
  else if (word === CLEARED) news.cleared?.();
  else if (word === CLOSED) news.closed?.();
}

/** A bound on the bytes of the journals of all sessions, whoever writes to them. */
export interface SharedJournalBudget {
  /** Counts what was written; now and then makes room behind the scenes, where it is too much. */
  note(bytes: number): void;
  /** Makes room where the journals take too much. */
  enforce(): Promise<void>;
}

/**
 * Each process counts what it writes itself and looks at all journals after each sixteenth of the
 * maximum: with several processes they may take some sixteenths more for a moment. Those who take
 * most give back first, down to one level for all of them.
 *
 * @param maximumBytes of all journals together
 * @param listSessions the ids of all
 */
export function createSharedJournalBudget(
  connection: RedisConnection,
  maximumBytes: number,
  listSessions: () => Promise<readonly string[]>,
): SharedJournalBudget {
  let noted = 0;
  let isBusy = false;
  const enforce = async (): Promise<void> => {
    const keys = (await listSessions()).map((id) => journalKeys(connection.namespace, id));
    const sizes = await Promise.all(keys.map(([, info]) => readBytes(connection, info)));
    if (sizes.reduce((sum, size) => sum + size, 0) <= maximumBytes) return;
    const level = Math.floor(findLevel(sizes, maximumBytes * (1 - SLACK)));
    const large = keys.filter((_, index) => (sizes[index] ?? 0) > level);
    await Promise.all(large.map((one) => connection.run(SHRINK, one, [level])));
  };
  return {
    enforce,
    note(bytes) {
      noted += bytes;
      if (isBusy || noted < maximumBytes * SLACK) return;
      noted = 0;
      isBusy = true;
      // Where it is away there is nothing to bound; the next sixteenth tries again.
      enforce()
        .catch(() => undefined)
        .finally(() => {
          isBusy = false;
        });
    },
  };
}

async function readBytes(connection: RedisConnection, info: string): Promise<number> {
  return Number((await connection.send('HGET', info, 'bytes')) ?? 0);
}
