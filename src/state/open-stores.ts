import { type FileSettings, FileStores } from './file-stores.ts';
import { type MemorySettings, MemoryStores } from './memory-stores.ts';
import { type LocalStores, StoreError } from './store.ts';

/**
 * Opens stores in memory for the setting `memory`, and in a file for `file:` and a path.
 *
 * @throws {StoreError} for another setting, and for a file that cannot be used
 */
export function openStores(setting: string, settings: MemorySettings & FileSettings): LocalStores {
  if (setting === 'memory') return new MemoryStores(settings);
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(setting)?.[1];
  if (path !== undefined) return new FileStores(path, settings);
  throw new StoreError(
    `${JSON.stringify(setting)} is no store: say memory, file:./coldframe.db or redis://localhost:6379`,
  );
}
