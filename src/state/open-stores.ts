import { FileStores } from './file-stores.ts';
import { MemoryStores } from './memory-stores.ts';
import type { StateBudget } from './state-budget.ts';
import { type LocalStores, type StoreBeginning, StoreError } from './store.ts';

export interface StoresSettings {
  /** The limit on stores in memory. */
  readonly budget: StateBudget;
  readonly beginning: StoreBeginning;
  /** Milliseconds after which a store that does not answer counts as away. */
  readonly timeout: number;
}

/**
 * Opens stores in memory or in a file.
 *
 * @param setting `memory`, or `file:` and a path
 * @throws {StoreError} for another setting, and for a file that cannot be used
 */
export function openStores(setting: string, settings: StoresSettings): LocalStores {
  if (setting === 'memory') return new MemoryStores(settings);
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(setting)?.[1];
  if (path !== undefined) return new FileStores(path, settings);
  throw new StoreError(
    `${JSON.stringify(setting)} is no store: say memory, file:./coldframe.db or redis://localhost:6379`,
  );
}
