import { once } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import type { StoreBeginning } from '../../state/store.ts';
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
  const create = once(() => {
    try {
      const shown = settings.seedExamples ? findExampleSeeds(contract, resources, seeds) : seeds;
      const isEnough = settings.populate === 0;
      const all = isEnough ? shown : populate(contract, resources, shown, settings);
      return all.flatMap(({ name, entries }) => putAll(name, entries));
    } catch (error) {
      // It would come again, and take as long.
      return { error };
    }
  });
  return () => {
    const created = create();
    if ('error' in created) throw created.error;
    return created;
  };
}
