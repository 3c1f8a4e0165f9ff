import {
  type JournalChanges,
  type LoadedExchanges,
  LoadedJournal,
} from '../../journal/keep/loaded-journal.ts';
import type { TurnMemory } from '../../rules/turn/turn.ts';
import type { SessionSnapshot } from '../../session/session.ts';
import type { EditScope } from '../../session/sessions.ts';
import { readCounter } from '../counter-text.ts';
import { journalOf, keysOf, type SharedParts } from '../shared-parts.ts';
import { putCounter } from '../turns.ts';
import { readRecord, readSnapshot, type SessionRecord } from './session-record.ts';
import { LOAD } from './session-scripts.ts';

/** All that Redis has of a session. */
export interface LoadedSession {
  readonly version: string;
  readonly text: string;
  readonly record: SessionRecord;
  readonly calls: number;
  readonly counters: ReadonlyMap<string, string>;
  readonly memory: TurnMemory;
  /** By their names, as they are written. */
  readonly snapshots: ReadonlyMap<string, string>;
  readonly isMade: boolean;
}

/** A record and its version for a session that is not there yet. */
export interface FreshRecord {
  readonly text: string;
  readonly version: string;
}

/** @returns undefined where there is none, and none is to be made */
export async function loadSession(
  parts: SharedParts,
  id: string,
  fresh: FreshRecord | undefined,
): Promise<LoadedSession | undefined> {
  const { main, counters, scenarios, snapshots } = keysOf(parts, id);
  const words = [fresh?.text ?? '', fresh?.version ?? ''];
  const reply = await parts.connection.run(LOAD, [main, counters, scenarios, snapshots], words);
  if (!Array.isArray(reply)) return undefined;
  const [version, text, calls, counted, states, kept, isMade] = reply as unknown as LoadReply;
  const fields = toMap(counted);
  return {
    version,
    text,
    record: readRecord(text),
    calls,
    counters: fields,
    memory: toMemory(fields, toMap(states)),
    snapshots: toMap(kept),
    isMade: isMade === 1,
  };
}

type LoadReply = readonly [
  version: string,
  text: string,
  calls: number,
  counters: readonly string[],
  scenarios: readonly string[],
  snapshots: readonly string[],
  isMade: number,
];

/** Redis gives a hash as its fields and values in turn. */
function toMap(words: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    map.set(words[index] ?? '', words[index + 1] ?? '');
  }
  return map;
}

function toMemory(
  counters: ReadonlyMap<string, string>,
  scenarios: ReadonlyMap<string, string>,
): TurnMemory {
  const memory: TurnMemory = { counters: new Map(), scenarios: new Map(scenarios) };
  for (const [field, text] of counters) putCounter(memory, field, readCounter(text));
  return memory;
}

export function readSnapshots(
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, SessionSnapshot> {
  return new Map([...texts].map(([name, text]) => [name, readSnapshot(text)]));
}

/** A journal that was loaded, and what ends its hearing of what comes. */
export interface OpenJournal {
  readonly journal: LoadedJournal;
  readonly release: () => void;
}

/** Loads as much of a session's journal as somebody wants to look at. */
export async function loadJournal(
  parts: SharedParts,
  id: string,
  scope: EditScope,
): Promise<OpenJournal> {
  const shared = journalOf(parts, id);
  const { journal: settings } = parts.beginning;
  if (scope.journal === 'counts') {
    const counted = { ...(await shared.count()), exchanges: [] };
    return { journal: new LoadedJournal(settings, counted), release: () => undefined };
  }
  if (scope.journal === 'read') {
    return { journal: new LoadedJournal(settings, await shared.load()), release: () => undefined };
  }
  return followJournal(parts, id);
}

/** Listens before it loads, so that nothing falls in between. */
async function followJournal(parts: SharedParts, id: string): Promise<OpenJournal> {
  const shared = journalOf(parts, id);
  const early: ((journal: LoadedJournal) => void)[] = [];
  let journal: LoadedJournal | undefined;
  const tell = (news: (journal: LoadedJournal) => void): void => {
    if (journal === undefined) early.push(news);
    else news(journal);
  };
  const release = await shared.on({
    recorded: (exchange) => tell((to) => to.hear(exchange)),
    cleared: () => tell((to) => to.forget()),
    closed: () => tell((to) => to.end()),
  });
  try {
    const loaded: LoadedExchanges = await shared.load();
    journal = new LoadedJournal(parts.beginning.journal, loaded);
  } catch (error) {
    release();
    throw error;
  }
  for (const news of early) news(journal);
  return { journal, release };
}

/** Does to the journal itself what was done to what was loaded of it. */
export async function saveJournal(
  parts: SharedParts,
  id: string,
  { isCleared, removed }: JournalChanges,
): Promise<void> {
  const shared = journalOf(parts, id);
  if (isCleared) await shared.clear();
  else if (removed.length > 0) await shared.remove(removed);
}
