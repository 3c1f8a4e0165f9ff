import type { LoadedJournal } from '../../journal/keep/loaded-journal.ts';
import { EditableSession } from '../../session/session.ts';
import type { UsedItems } from '../../session/used-items.ts';
import type { Store } from '../../state/store.ts';
import type { StoredSession } from '../stored-session.ts';
import { listCounters } from '../turns.ts';
import type { LoadedSession, OpenJournal } from './session-load.ts';
import { writeRecord, writeSnapshot } from './session-record.ts';
import { SAVE } from './session-scripts.ts';

export interface EditedParts {
  readonly stored: StoredSession;
  readonly loaded: LoadedSession;
  readonly open: OpenJournal;
  readonly newVersion: () => string;
  /** What this process has seen of the session's requests. */
  readonly used: UsedItems;
  /** Called when the session has another version. */
  readonly onSaved: () => void;
}

/** A session that all processes share, for the control API: loaded, changed here, and saved. */
export class EditedSession extends EditableSession<LoadedJournal> {
  override readonly used: UsedItems;
  readonly #edited: EditedParts;

  constructor(edited: EditedParts) {
    const { stored, loaded, open } = edited;
    const { id, parts } = stored;
    const { stores, beginning } = parts;
    const { record, memory, numbers, snapshots } = loaded;
    // A store begins with its first use: to open it would only ask Redis once more.
    const use = (name: string): Store => stores.use(name);
    const storage = { stores, open: use, state: use(id), journal: open.journal };
    super(id, beginning, storage, { ...numbers });
    this.#edited = edited;
    this.used = edited.used;
    this.restore({ ...record, fixtures: { ...record.fixtures, memory } });
    for (const [name, snapshot] of snapshots) this.snapshots.set(name, snapshot);
  }

  async save(): Promise<boolean> {
    const { stored, loaded, newVersion, onSaved } = this.#edited;
    const commands = this.#listCommands();
    if (commands.length > 0) {
      const { main, counters, scenarios, snapshots } = stored.keys;
      const keys = [main, counters, scenarios, snapshots];
      const words = [loaded.version, newVersion(), ...commands];
      if ((await stored.parts.connection.run(SAVE, keys, words)) !== 1) return false;
    }
    const { isCleared, removed } = this.journal.changes;
    if (isCleared) await stored.journal.clear();
    else if (removed.length > 0) await stored.journal.remove(removed);
    if (commands.length > 0) onSaved();
    return true;
  }

  release(): void {
    this.#edited.open.release();
  }

  /** Returns what the script has to do: nothing where nothing has changed. */
  #listCommands(): Words {
    const { numbers, memory, texts } = this.#edited.loaded;
    const { seed, clock, validate, fixtures } = this;
    const { calls, exchanges, isReplayClaimed } = this.numbers;
    const record = writeRecord({
      seed,
      clock: clock.state,
      validate,
      fixtures: fixtures.changes,
    });
    const snapshots = [...this.snapshots].map(([name, one]) => [name, writeSnapshot(one)] as const);
    return [
      ...(record === texts.record ? [] : command('HSET', 'main', ['r', record])),
      ...(calls === numbers.calls ? [] : command('HSET', 'main', ['c', String(calls)])),
      ...(exchanges === numbers.exchanges ? [] : command('HSET', 'main', ['n', String(exchanges)])),
      ...(isReplayClaimed === numbers.isReplayClaimed ? [] : command('HDEL', 'main', ['a'])),
      ...commandsToChange('counters', texts.counters, listCounters(fixtures.memory)),
      ...commandsToChange('scenarios', memory.scenarios, fixtures.memory.scenarios),
      ...commandsToChange('snapshots', texts.snapshots, new Map(snapshots)),
    ];
  }
}

/** The number of each key of a session among those of the script. */
const KEY_NUMBERS = { main: 1, counters: 2, scenarios: 3, snapshots: 4 } as const;
type KeyName = keyof typeof KEY_NUMBERS;
type Words = (string | number)[];

/** Lua does not unpack too many words at once. */
const MAXIMUM_WORDS = 1_000;

function commandsToChange(
  key: KeyName,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Words {
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].filter(([name, text]) => before.get(name) !== text).flat();
  // Where no field is left, those go as well that were added in the meantime.
  if (after.size === 0 && removed.length > 0) return ['DEL', KEY_NUMBERS[key], 0];
  return [...command('HDEL', key, removed), ...command('HSET', key, changed)];
}

function command(name: 'HSET' | 'HDEL', key: KeyName, words: readonly string[]): Words {
  const commands: Words = [];
  for (let first = 0; first < words.length; first += MAXIMUM_WORDS) {
    const some = words.slice(first, first + MAXIMUM_WORDS);
    commands.push(name, KEY_NUMBERS[key], some.length, ...some);
  }
  return commands;
}
