import type { Operation } from '../../contract/contract.ts';
import type { Declared } from '../../contract/responses.ts';

/** What became of the resource. */
export type Deed = 'created' | 'changed' | 'deleted' | 'read';

/**
 * The declared response that tells what was done: 201 for what was created, another one of success
 * for what was there before.
 *
 * @returns undefined where nothing is declared
 */
export function chooseSuccess({ responses }: Operation, deed: Deed): Declared | undefined {
  const { success } = responses;
  if (success === undefined || success.status >= 300) return success;
  if (deed === 'created') {
    const created = responses.findSpecific(CREATED);
    return created === undefined ? success : { status: CREATED, response: created };
  }
  if (deed !== 'changed' || success.status !== CREATED) return success;
  for (const status of CHANGED) {
    const response = responses.findSpecific(status);
    if (response !== undefined) return { status, response };
  }
  return success;
}

const CREATED = 201;
const CHANGED = [200, 204, 202];

/** Where the only answer that is declared is a failure, nothing is done. */
export function mayChange({ responses }: Operation): boolean {
  return (responses.success?.status ?? 200) < 400;
}
