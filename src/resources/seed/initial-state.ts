import type { Contract } from '../../contract/contract.ts';
import type { Change, StoreBeginning } from '../../state/store.ts';
import { putAll } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import { findExampleSeeds } from './example-seeds.ts';
import { type Population, populate } from './populate.ts';
import type { Seed } from './seeds.ts';

/**
 * Returns the function that creates the first resources of sessions: those of files, then of
 * examples, then generated. It creates them once, when the first session begins.
 *
 * @param seeds of the files
 * @param settings `seedExamples` is true to store the document's examples
 */
export function createInitialState(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  settings: Population & { readonly seedExamples: boolean },
): StoreBeginning {
  let created: readonly Change[] | undefined;
  let failure: { readonly error: unknown } | undefined;
  return () => {
    // An error would come again, and take as long.
    if (failure !== undefined) throw failure.error;
    if (created !== undefined) return created;
    try {
      const shown = settings.seedExamples ? findExampleSeeds(contract, resources, seeds) : seeds;
      const isEnough = settings.populate === 0;
      const all = isEnough ? shown : populate(contract, resources, shown, settings);
      created = all.flatMap(({ name, entries }) => putAll(name, entries));
      return created;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}
