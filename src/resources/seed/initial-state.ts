import type { JsonObject } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Change, StoreBeginning } from '../../state/store.ts';
import { markWritten } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import { findExampleSeeds } from './example-seeds.ts';
import { populate } from './populate.ts';
import type { Seed } from './seeds.ts';

/** What every session begins with, and what it is made of. */
interface InitialStateSettings {
  /** How many resources of each kind there are at least. */
  readonly populate: number;
  /** True where the document's examples are stored. */
  readonly seedExamples: boolean;
  /** Where chance comes from. */
  readonly seed: string;
  /** The time that it is; the same seed gives the same on every day. Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The resources that are there from the start: those of files, then of examples, then made up. They
 * are worked out when the first session begins, once.
 *
 * @param seeds of the files
 */
export function createInitialState(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  settings: InitialStateSettings,
): StoreBeginning {
  let worked: { readonly changes: readonly Change[] } | { readonly error: unknown } | undefined;
  const work = () => {
    try {
      return { changes: toChanges(gather(contract, resources, seeds, settings)) };
    } catch (error) {
      return { error };
    }
  };
  return () => {
    // What fails once takes no less time to fail again.
    worked ??= work();
    if ('error' in worked) throw worked.error;
    return worked.changes;
  };
}

function gather(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
  settings: InitialStateSettings,
): readonly Seed[] {
  const shown = settings.seedExamples ? findExampleSeeds(contract, resources, seeds) : seeds;
  return settings.populate === 0 ? shown : populate(contract, resources, shown, settings);
}

/** An empty list leaves a mark, so that it stays empty in place of showing examples. */
function toChanges(seeds: readonly Seed[]): readonly Change[] {
  return seeds.flatMap(({ name: collection, entries }) =>
    entries.size === 0
      ? [markWritten(collection)]
      : [...entries].map(([key, resource]) => put(collection, key, resource)),
  );
}

function put(collection: string, key: string, resource: JsonObject): Change {
  return { collection, key, expected: 'any', resource };
}
