import { type Awaitable, after } from '../base/awaitable.ts';
import { MemoryState } from './memory-state.ts';
import { createStateBudget, type StateBudget } from './state-budget.ts';
import type { Change, Store, StoreBeginning, Stores } from './store.ts';

/** What memory stores are made with. */
export interface MemorySettings {
  /** What all of them may take together; without one, whatever there is. */
  readonly budget?: StateBudget;
  /** Without one, every store begins empty. */
  readonly beginning?: StoreBeginning;
}

/** @returns stores that live and die with the process, and answer at once */
export function createMemoryStores(settings: MemorySettings = {}): Stores {
  const { budget = createStateBudget(Number.POSITIVE_INFINITY), beginning = () => [] } = settings;
  return new MemoryStores(budget, beginning);
}

class MemoryStores implements Stores {
  readonly #budget: StateBudget;
  readonly #beginning: StoreBeginning;
  readonly #states = new Map<string, MemoryState>();
  /** What a store holds in the beginning, and the changes that it was made of. */
  #begun: { readonly changes: readonly Change[]; readonly state: MemoryState } | undefined;

  constructor(budget: StateBudget, beginning: StoreBeginning) {
    this.#budget = budget;
    this.#beginning = beginning;
  }

  open(name: string): Awaitable<Store> {
    return (
      this.#states.get(name) ?? after(this.#beginning(), (changes) => this.#begin(name, changes))
    );
  }

  has(name: string): boolean {
    return this.#states.has(name);
  }

  copy(from: string, to: string): Awaitable<void> {
    return after(this.open(from), () => {
      const source = this.#states.get(from);
      if (source !== undefined) this.#stateOf(to).takeOver(source);
    });
  }

  drop(name: string): void {
    this.#states.get(name)?.end();
    this.#states.delete(name);
  }

  names(): readonly string[] {
    return [...this.#states.keys()];
  }

  check(): void {}

  close(): void {}

  #stateOf(name: string): MemoryState {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const state = new MemoryState(this.#budget);
    this.#states.set(name, state);
    return state;
  }

  /** Two may open it while the beginning is on its way: the second finds what the first began. */
  #begin(name: string, changes: readonly Change[]): MemoryState {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const state = this.#stateOf(name);
    if (changes.length > 0) state.takeOver(this.#makeBeginning(changes));
    return state;
  }

  /** It is made once for all stores that begin with it. */
  #makeBeginning(changes: readonly Change[]): MemoryState {
    if (this.#begun?.changes === changes) return this.#begun.state;
    this.#begun?.state.clear();
    this.#begun = undefined;
    const state = new MemoryState(this.#budget);
    state.commit(changes);
    this.#begun = { changes, state };
    return state;
  }
}
