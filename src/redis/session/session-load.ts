import { LoadedJournal } from '../../journal/keep/loaded-journal.ts';
import type { SessionSnapshot } from '../../session/session.ts';
import type { EditScope } from '../../session/sessions.ts';
import { is, unreadable } from '../stored-data.ts';
import type { StoredSession } from '../stored-session.ts';
import { readTurnMemory } from '../turns.ts';
import { readRecord, readSnapshot } from './session-record.ts';
import { LOAD } from './session-scripts.ts';

export type LoadedSession = NonNullable<Awaited<ReturnType<typeof loadSession>>>;

export interface FreshRecord {
  readonly text: string;
  readonly version: string;
}

/**
 * Returns a session, made from a fresh record where it does not exist, else undefined.
 *
 * @throws {Problem} STORE_UNAVAILABLE where a part of it cannot be read
 */
export async function loadSession({ parts, keys }: StoredSession, fresh?: FreshRecord) {
  const reply = await parts.connection.run(
    LOAD,
    [keys.main, keys.counters, keys.scenarios, keys.snapshots],
    [fresh?.text ?? '', fresh?.version ?? ''],
  );
  if (reply === null) return undefined;
  const record = isLoadReply(reply) ? readRecord(reply[1]) : undefined;
  if (!isLoadReply(reply) || record === undefined) {
    throw unreadable(parts.connection, 'a session record', keys.main);
  }
  const [version, text, calls, exchanges, claimed, counted, states, kept, isMade] = reply;
  const [counters, scenarios, written] = [toMap(counted), toMap(states), toMap(kept)];
  const memory = readTurnMemory(counters, scenarios);
  if (memory === undefined) throw unreadable(parts.connection, 'a counter', keys.counters);
  const snapshots = new Map<string, SessionSnapshot>();
  for (const [name, one] of written) {
    const snapshot = readSnapshot(one);
    if (snapshot === undefined) {
      throw unreadable(parts.connection, `the snapshot ${name}`, keys.snapshots);
    }
    snapshots.set(name, snapshot);
  }
  return {
    version,
    record,
    numbers: { calls, exchanges, isReplayClaimed: claimed === 1 },
    memory,
    snapshots,
    // A save compares with these.
    texts: { record: text, counters, snapshots: written },
    isMade: isMade === 1,
  };
}

const isTexts = is.list(is.text);
const isLoadReply = is.tuple(
  is.text,
  is.text,
  is.count,
  is.count,
  is.count,
  isTexts,
  isTexts,
  isTexts,
  is.count,
);

/** Returns the hash that Redis gives as fields and values in turn. */
function toMap(words: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    map.set(words[index] ?? '', words[index + 1] ?? '');
  }
  return map;
}

export interface OpenJournal {
  readonly journal: LoadedJournal;
  readonly release: () => void;
}

export async function loadJournal(stored: StoredSession, scope: EditScope): Promise<OpenJournal> {
  if (scope.journal === 'follow') return followJournal(stored);
  const loaded = await stored.journal.load(scope.journal === 'read' ? 'all' : 'counts');
  const journal = new LoadedJournal(stored.parts.beginning.journal, loaded);
  return { journal, release: () => undefined };
}

/** Listens before it loads, so that no exchange is missed in between. */
async function followJournal({ parts, journal: shared }: StoredSession): Promise<OpenJournal> {
  const early: ((journal: LoadedJournal) => void)[] = [];
  let journal: LoadedJournal | undefined;
  const update = (change: (journal: LoadedJournal) => void): void => {
    if (journal === undefined) early.push(change);
    else change(journal);
  };
  const release = await shared.on({
    recorded: (exchange) => update((to) => to.add(exchange)),
    cleared: () => update((to) => to.empty()),
    closed: () => update((to) => to.close()),
  });
  const loaded = await shared.load().catch((error: unknown) => {
    release();
    throw error;
  });
  journal = new LoadedJournal(parts.beginning.journal, loaded);
  for (const change of early) change(journal);
  return { journal, release };
}
