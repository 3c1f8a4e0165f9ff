import type { Contract } from '../../contract/contract.ts';
import type { Change, StoreBeginning } from '../../state/store.ts';
import { markWritten } from '../collections.ts';
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
      created = toChanges(isEnough ? shown : populate(contract, resources, shown, settings));
      return created;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}

/**
 * Returns the changes that store the seeds. An empty list leaves a mark, so that it stays empty
 * instead of showing examples.
 */
function toChanges(seeds: readonly Seed[]): readonly Change[] {
  return seeds.flatMap(({ name: collection, entries }): readonly Change[] =>
    entries.size === 0
      ? [markWritten(collection)]
      : [...entries].map(([key, resource]) => ({ collection, key, expected: 'any', resource })),
  );
}
