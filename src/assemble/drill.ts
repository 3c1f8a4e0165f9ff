import { thereIs } from '../base/nearest-name.ts';
import type { AnyApi, ApiTypes } from '../client/api-types.ts';
import type { MockSession } from '../client/session.ts';
import { type Failure, isSelected, listFailures, titleOf } from '../report/drill/failures.ts';
import { UsageError } from '../settings/options.ts';
import type { Loaded } from './load.ts';

/** A failure that a client is tried with, in a session of its own. */
export interface DrillFailure<Api extends ApiTypes = AnyApi>
  extends Omit<Failure, 'enables' | 'adds'> {
  /** The name and the sentence of the failure, for a test. */
  readonly title: string;
  /** Opens a new session in which the failure happens. */
  session(): Promise<MockSession<Api>>;
}

/**
 * Returns the failures of a document and its rules.
 *
 * @param only names of failures, operations or statuses; all failures if it is empty
 * @throws {UsageError} for a name that is none of these
 */
export function createDrill<Api extends ApiTypes>(
  { contract, fixtures }: Pick<Loaded, 'contract' | 'fixtures'>,
  open: () => MockSession<Api>,
  only: readonly string[],
): readonly DrillFailure<Api>[] {
  const all = listFailures(contract, fixtures);
  for (const name of only) refuseUnknown(name, all);
  const chosen = all.filter(
    (one) => only.length === 0 || only.some((name) => isSelected(name, one)),
  );
  return chosen.map(({ enables, adds, ...failure }) => ({
    ...failure,
    title: titleOf(failure),
    async session() {
      const session = open();
      if (enables !== undefined) await session.fixtures.switch(enables, true);
      const [first, ...rest] = adds;
      if (first !== undefined) await session.fixtures.add(first, ...rest);
      return session;
    },
  }));
}

function refuseUnknown(name: string, all: readonly Failure[]): void {
  if (all.some((failure) => isSelected(name, failure))) return;
  const names = all.map((failure) => failure.name);
  throw new UsageError(`there is no failure "${name}"; ${thereIs(name, names)}`);
}
