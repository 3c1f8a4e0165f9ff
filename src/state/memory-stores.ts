import { type Awaitable, after } from '../base/awaitable.ts';
import { remember } from '../base/remember.ts';
import { MemoryState } from './memory-state.ts';
import { ScannedRecords } from './scanned-records.ts';
import { StateBudget } from './state-budget.ts';
import {
  type Change,
  type LocalStores,
  nameSnapshotStore,
  type StoreBeginning,
  type StoreCopy,
} from './store.ts';

export interface MemorySettings {
  /** The limit on all stores together; none by default. */
  readonly budget?: StateBudget;
  /** The resources in which every store begins; none by default. */
  readonly beginning?: StoreBeginning;
}

/** Stores in memory, which return values instead of promises. */
export class MemoryStores implements LocalStores {
  readonly #budget: StateBudget;
  readonly #beginning: StoreBeginning;
  readonly #scanned = new ScannedRecords();
  readonly #states = new Map<string, MemoryState>();
  /** The state in which stores begin, and the changes that it was made from. */
  #begun: { readonly changes: readonly Change[]; readonly state: MemoryState } | undefined;

  constructor({ budget, beginning = () => [] }: MemorySettings = {}) {
    this.#budget = budget ?? new StateBudget(Number.POSITIVE_INFINITY);
    this.#beginning = beginning;
  }

  open(name: string): Awaitable<MemoryState> {
    return (
      this.#states.get(name) ?? after(this.#beginning(), (changes) => this.#begin(name, changes))
    );
  }

  has(name: string): boolean {
    return this.#states.has(name);
  }

  copy(from: string, to: string): Awaitable<void> {
    return after(this.open(from), (source) => this.#stateOf(to).takeOver(source));
  }

  drop(name: string): void {
    this.#states.get(name)?.end();
    this.#states.delete(name);
  }

  dropSession(name: string, snapshots: Iterable<string>): void {
    this.drop(name);
    for (const snapshot of snapshots) this.drop(nameSnapshotStore(name, snapshot));
  }

  /** A copy shares what the store has. */
  read(name: string): Awaitable<StoreCopy> {
    return after(this.open(name), (source) => {
      const state = new MemoryState(this.#budget, this.#scanned);
      state.takeOver(source);
      return { state, drop: () => state.end() };
    });
  }

  names(): readonly string[] {
    return [...this.#states.keys()];
  }

  check(): void {}

  close(): void {}

  #stateOf(name: string): MemoryState {
    return remember(this.#states, name, () => new MemoryState(this.#budget, this.#scanned));
  }

  /** Two requests may open a store while its beginning is read: the second finds the store. */
  #begin(name: string, changes: readonly Change[]): MemoryState {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const state = this.#stateOf(name);
    if (changes.length > 0) state.takeOver(this.#makeBeginning(changes));
    return state;
  }

  /** Creates the state once for all stores that begin with it. */
  #makeBeginning(changes: readonly Change[]): MemoryState {
    if (this.#begun?.changes === changes) return this.#begun.state;
    this.#begun?.state.end();
    this.#begun = undefined;
    const state = new MemoryState(this.#budget, this.#scanned);
    state.commit(changes);
    this.#begun = { changes, state };
    return state;
  }
}
