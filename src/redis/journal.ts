import type { Exchange } from '../journal/exchange.ts';
import type { JournalListener } from '../journal/keep/journal.ts';
import { findLevel, SLACK } from '../journal/keep/journal-budget.ts';
import type { JournalSettings } from '../journal/keep/session-journal.ts';
import type { RedisConnection } from './connection.ts';
import {
  isOfAnotherVersion,
  type LaterFacts,
  readExchange,
  writeExchange,
  writeLaterFacts,
} from './exchange-text.ts';
import { AMEND, CLEAR, LOAD, RECORD, REMOVE, SHRINK } from './journal-scripts.ts';
import { keysOf, type SessionKeys } from './keys.ts';
import { SharedScript } from './shared-script.ts';
import { is, unreadable } from './stored-data.ts';

/** The limits of the journal of a session; the bytes are those of its exchanges in Redis. */
export type JournalLimits = Pick<
  JournalSettings,
  'maximumExchanges' | 'maximumBytes' | 'maximumBodyLength'
>;

const isBytes = (value: unknown) => value instanceof Uint8Array;
/** How many exchanges there are, how many were dropped to make room, their bytes, and themselves. */
const isLoadReply = is.tuple(is.count, is.count, is.finite, is.list(isBytes));

/** Messages in place of an exchange, which begins with a digit. */
const CLEARED = 'cleared';
export const CLOSED = 'closed';

/**
 * Returns the journal of one session, shared by all processes.
 *
 * @param budget the limit on the journals of all sessions
 * @param fail receives the error with which an exchange was not stored
 */
export function createRedisJournal(
  connection: RedisConnection,
  { main, journal, journalInfo, exchanges: channel }: SessionKeys,
  { maximumExchanges, maximumBytes, maximumBodyLength }: JournalLimits,
  budget?: SharedJournalBudget,
  fail: (error: Error) => void = () => undefined,
) {
  const keys = [journal, journalInfo];
  const recording = new SharedScript(connection, RECORD, [...keys, main]);
  const limits = [maximumExchanges, maximumBytes, channel];
  return {
    /** Resolves when the exchange is on its way: Redis has it before whatever is sent then. */
    record(exchange: Exchange): Promise<void> {
      const written = writeExchange(exchange, maximumBodyLength);
      budget?.count(written.length);
      return recording.post(written, limits, fail);
    },

    /** Adds to an exchange what happened after it was recorded; nothing if it was removed. */
    async amend(number: number, later: LaterFacts): Promise<void> {
      await connection.run(AMEND, keys, [number, writeLaterFacts(later)]);
    },

    /**
     * Loads the counts and the exchanges, the oldest first.
     *
     * @param wanted `counts` loads no exchange
     * @throws {Problem} STORE_UNAVAILABLE for one that cannot be read
     */
    async load(wanted: 'all' | 'counts' = 'all') {
      const range = wanted === 'all' ? [0, -1] : [1, 0];
      const reply = await connection.run(LOAD, keys, range, 'callBuffer');
      if (!isLoadReply(reply)) throw unreadable(connection, 'counts', journalInfo);
      const [size, dropped, bytes, entries] = reply;
      const exchanges = entries
        .filter((entry) => !isOfAnotherVersion(entry))
        .map((entry) => {
          const exchange = readExchange(entry);
          if (exchange === undefined) throw unreadable(connection, 'an exchange', journal);
          return exchange;
        });
      return { size, dropped, bytes, exchanges };
    },

    /** Returns how many of these numbers there were. */
    async remove(numbers: readonly number[]): Promise<number> {
      return Number(await connection.run(REMOVE, keys, numbers));
    },

    async clear(): Promise<void> {
      await connection.run(CLEAR, keys, [channel, CLEARED]);
    },

    /** Returns a function that removes the listener; resolves when no exchange is missed. */
    async on(listener: JournalListener): Promise<() => void> {
      const hear = (message: Uint8Array): void => {
        const exchange = readExchange(message);
        const word = Buffer.from(message).toString('latin1');
        if (exchange !== undefined) listener.recorded(exchange);
        else if (word === CLEARED) listener.cleared?.();
        else if (word === CLOSED) listener.closed?.();
      };
      await connection.subscribe(channel, hear);
      return () => connection.unsubscribe(channel, hear);
    },
  };
}

/** A limit on the bytes of the journals of all sessions together. */
export type SharedJournalBudget = ReturnType<typeof createSharedJournalBudget>;

/**
 * Creates the limit on all journals. Each process counts only what it writes, and measures all
 * journals after each sixteenth of the limit. Several processes may exceed it by some sixteenths for
 * a moment. The largest journals shrink first, down to one level for all of them.
 *
 * @param listSessions returns the ids of all sessions
 */
export function createSharedJournalBudget(
  connection: RedisConnection,
  maximumBytes: number,
  listSessions: () => Promise<readonly string[]>,
) {
  let counted = 0;
  let isBusy = false;
  const enforce = async (): Promise<void> => {
    const keys = (await listSessions()).map((id) => keysOf(connection.namespace, id));
    const sizes = await Promise.all(keys.map((one) => readBytes(connection, one.journalInfo)));
    if (sizes.reduce((sum, size) => sum + size, 0) <= maximumBytes) return;
    const level = Math.floor(findLevel(sizes, maximumBytes * (1 - SLACK)));
    const large = keys.filter((_, index) => (sizes[index] ?? 0) > level);
    await Promise.all(
      large.map((one) => connection.run(SHRINK, [one.journal, one.journalInfo], [level])),
    );
  };
  return {
    enforce,
    /** Counts bytes that were written; makes room in the background from time to time. */
    count(bytes: number): void {
      counted += bytes;
      if (isBusy || counted < maximumBytes * SLACK) return;
      counted = 0;
      isBusy = true;
      // Whatever error this ends with, the next sixteenth tries again.
      enforce()
        .catch(() => undefined)
        .finally(() => {
          isBusy = false;
        });
    },
  };
}

async function readBytes(connection: RedisConnection, info: string): Promise<number> {
  const bytes = Number(await connection.send('HGET', info, 'bytes'));
  return Number.isFinite(bytes) ? bytes : 0;
}
