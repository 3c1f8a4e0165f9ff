import type { LoadedJournal } from '../../journal/keep/loaded-journal.ts';
import { SessionFixtures } from '../../rules/session-fixtures.ts';
import { createSessionClock, type SessionClock } from '../../session/clock.ts';
import {
  describeMoment,
  type EditableSession,
  MOST_SNAPSHOTS,
  nameCopyStore,
  nameSnapshotStore,
  type SessionPart,
  type SessionSnapshot,
  type StateCopy,
  sessionParts,
} from '../../session/session.ts';
import type { Store } from '../../state/store.ts';
import { keysOf, type SharedParts } from '../shared-parts.ts';
import { listCounters } from '../turns.ts';
import {
  type LoadedSession,
  type OpenJournal,
  readSnapshots,
  saveJournal,
} from './session-load.ts';
import { writeRecord, writeSnapshot } from './session-record.ts';
import { SessionSave } from './session-save.ts';

/** What is edited, and how its end is told. */
export interface EditedParts {
  readonly id: string;
  readonly parts: SharedParts;
  readonly loaded: LoadedSession;
  readonly open: OpenJournal;
  readonly newVersion: () => string;
  /** Is told that the session has another version. */
  readonly saved: () => void;
}

/** A session of all processes as the control API meets it: loaded, changed here, and saved. */
export class EditedSession implements EditableSession {
  readonly id: string;
  readonly clock: SessionClock;
  readonly fixtures: SessionFixtures;
  readonly #parts: SharedParts;
  readonly #loaded: LoadedSession;
  readonly #open: OpenJournal;
  readonly #newVersion: () => string;
  readonly #saved: () => void;
  readonly #snapshots: Map<string, SessionSnapshot>;
  #seed: string;
  #calls: number;
  #begunAgain = false;
  #areNumbersFree = false;

  constructor({ id, parts, loaded, open, newVersion, saved }: EditedParts) {
    this.id = id;
    this.#parts = parts;
    this.#loaded = loaded;
    this.#open = open;
    this.#newVersion = newVersion;
    this.#saved = saved;
    const { record, memory } = loaded;
    this.#seed = record.seed;
    this.#calls = loaded.calls;
    this.clock = createSessionClock(parts.beginning.clock, record.clock);
    this.fixtures = new SessionFixtures(parts.beginning.fixtures());
    this.fixtures.restore({ ...record.fixtures, memory });
    this.#snapshots = new Map(readSnapshots(loaded.snapshots));
  }

  get seed(): string {
    return this.#seed;
  }

  get calls(): number {
    return this.#calls;
  }

  get state(): Store {
    return this.#parts.stores.use(this.id);
  }

  get journal(): LoadedJournal {
    return this.#open.journal;
  }

  get snapshots(): ReadonlyMap<string, SessionSnapshot> {
    return this.#snapshots;
  }

  reseed(seed: string): void {
    this.#seed = seed;
  }

  async reset(parts: readonly SessionPart[] = sessionParts): Promise<void> {
    if (parts.includes('state')) await this.#parts.stores.drop(this.id);
    if (parts.includes('fixtures')) this.fixtures.reset();
    if (parts.includes('scenarios')) this.fixtures.resetScenarios();
    if (parts.includes('journal')) this.journal.clear();
    if (parts.includes('clock')) this.clock.restore(this.#parts.beginning.clockState);
    if (!parts.includes('random')) return;
    this.#seed = this.#parts.beginning.seed;
    this.#calls = 0;
    this.#begunAgain = true;
    // Numbers that the journal still has are not given again.
    this.#areNumbersFree = this.journal.size === 0;
  }

  async takeSnapshot(name: string): Promise<SessionSnapshot | undefined> {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= MOST_SNAPSHOTS) return undefined;
    await this.#parts.stores.copy(this.id, nameSnapshotStore(this.id, name));
    const snapshot = describeMoment(this);
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  async openSnapshot(name: string): Promise<Store> {
    return this.#parts.stores.use(nameSnapshotStore(this.id, name));
  }

  async forgetSnapshot(name: string): Promise<boolean> {
    if (!this.#snapshots.delete(name)) return false;
    await this.#parts.stores.drop(nameSnapshotStore(this.id, name));
    return true;
  }

  async copyState(): Promise<StateCopy> {
    const { stores } = this.#parts;
    const name = nameCopyStore(this.id);
    await stores.copy(this.id, name);
    return { state: stores.use(name), drop: () => stores.drop(name) };
  }

  async takeOver(source: EditableSession, snapshot?: string): Promise<void> {
    if (!(source instanceof EditedSession)) throw new TypeError('the session is of another kind');
    const held = snapshot === undefined ? describeMoment(source) : source.#snapshots.get(snapshot);
    if (held === undefined) throw new TypeError(`there is no snapshot ${snapshot}`);
    const from = snapshot === undefined ? source.id : nameSnapshotStore(source.id, snapshot);
    await this.#parts.stores.copy(from, this.id);
    this.fixtures.restore(held.fixtures);
    this.clock.restore(held.clock);
    this.#seed = held.seed;
    this.#calls = held.calls;
    this.#begunAgain = true;
  }

  async save(): Promise<boolean> {
    const save = this.#gather();
    if (!(await save.run(this.#parts.connection))) return false;
    await saveJournal(this.#parts, this.id, this.journal.changes);
    if (!save.isEmpty) this.#saved();
    return true;
  }

  release(): void {
    this.#open.release();
  }

  #gather(): SessionSave {
    const { version, text, counters, memory, snapshots } = this.#loaded;
    const save = new SessionSave(keysOf(this.#parts, this.id), version, this.#newVersion());
    const { seed, clock, fixtures } = this;
    const next = writeRecord({ seed, clock: clock.state, fixtures: fixtures.changes });
    if (next !== text) save.setMain('r', next);
    if (this.#begunAgain) {
      save.setMain('c', String(this.#calls));
      save.removeMain('a');
    }
    if (this.#areNumbersFree) save.setMain('n', '0');
    save.change('counters', counters, listCounters(fixtures.memory));
    save.change('scenarios', memory.scenarios, fixtures.memory.scenarios);
    const kept = [...this.#snapshots].map(([name, one]) => [name, writeSnapshot(one)] as const);
    save.change('snapshots', snapshots, new Map(kept));
    return save;
  }
}
