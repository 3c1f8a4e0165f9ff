import { createFileStores } from './file-stores.ts';
import { createMemoryStores } from './memory-stores.ts';
import type { StateBudget } from './state-budget.ts';
import { type StoreBeginning, StoreError, type Stores } from './store.ts';

/** What stores of any kind are opened with. */
export interface StoresSettings {
  /** What all stores may take together, where they are in memory. */
  readonly budget: StateBudget;
  readonly beginning: StoreBeginning;
  /** Milliseconds after which a store that does not answer counts as away. */
  readonly timeout: number;
}

/**
 * Opens the stores that live in this process or on its disk.
 *
 * @param setting `memory`, or `file:` and a path
 * @throws {StoreError} for another setting, and for a file that cannot be used
 */
export function openStores(setting: string, settings: StoresSettings): Stores {
  if (setting === 'memory') return createMemoryStores(settings);
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(setting)?.[1];
  if (path !== undefined) return createFileStores(path, settings);
  throw new StoreError(
    `${JSON.stringify(setting)} is no store: say memory, file:./coldframe.db or redis://localhost:6379`,
  );
}
