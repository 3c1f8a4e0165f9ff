import type { Operation } from './operation.ts';
import type { Declared, Responses } from './responses.ts';

/**
 * With which status a refusal is answered when the contract does not declare its cause's:
 * `contract` takes one that it declares, `http` takes the cause's own.
 */
export type Undeclared = 'contract' | 'http';

/** The statuses that say nearly the same: the first that is declared speaks for the cause. */
const kin: ReadonlyMap<number, readonly number[]> = new Map([
  [400, [422]],
  [401, [403]],
  [403, [401]],
  [404, [410]],
  [406, [400, 422]],
  [409, [422]],
  [413, [400, 422]],
  [415, [400, 422]],
]);

/**
 * Which declared response a refusal takes: that of its own status, of its range, `default`, that
 * of a status that says nearly the same, then of 400; for what is not the client's fault, of any
 * other 5xx.
 *
 * @returns undefined when the operation declares none of them
 */
export function chooseRefusal(
  status: number,
  { responses }: Operation,
  undeclared: Undeclared,
): Declared | undefined {
  const own = responses.find(status);
  if (own !== undefined) return { status, response: own };
  if (undeclared === 'http') return undefined;
  const others = status < 500 ? [...(kin.get(status) ?? []), 400] : failuresOf(responses);
  for (const near of others) {
    const response = responses.findSpecific(near);
    if (response !== undefined) return { status: near, response };
  }
  return undefined;
}

/** The statuses of 5xx that are declared; none is one range, which covers any cause. */
function failuresOf({ all }: Responses): readonly number[] {
  return all.map(({ key }) => Number(key)).filter((status) => status >= 500);
}
