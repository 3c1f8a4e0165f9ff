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
  [401, [403, 404]],
  [403, [401, 404]],
  [404, [410]],
  [406, [400, 422]],
  [409, [422]],
  [413, [400, 422]],
  [415, [400, 422]],
  [422, [400, 409]],
]);

/**
 * Which declared response a refusal takes: that of its own status, of its range, `default`, that
 * of a status that says nearly the same, of 400, then of any other 4xx; for what is not the
 * client's fault, of any 5xx.
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
  const others = status < 500 ? [...(kin.get(status) ?? []), 400] : [];
  for (const near of [...others, ...declaredBeside(status, responses)]) {
    const response = responses.findSpecific(near);
    if (response !== undefined) return { status: near, response };
  }
  return undefined;
}

/** Statuses that ask for something particular: who gets one would do it, and in vain. */
const demanding: ReadonlySet<number> = new Set([401, 407, 408, 421, 425, 426, 428, 429, 431]);

/** The statuses of the same class that are declared, the lowest first. */
function declaredBeside(status: number, { all }: Responses): readonly number[] {
  const first = String(status)[0] ?? '';
  const keys = all.map(({ key }) => key).filter((key) => /^\d{3}$/.test(key));
  return keys
    .filter((key) => key.startsWith(first))
    .map(Number)
    .filter((other) => !demanding.has(other))
    .sort((a, b) => a - b);
}

/**
 * Which declared response tells of a failure: that of its own status, of its range, `default`, and
 * where none of them is declared the one that a refusal takes. A failure of the service that only
 * 4xx can tell is told by 400: its body may say the cause.
 *
 * @returns undefined when the operation declares no error at all
 */
export function chooseFailure(status: number, operation: Operation): Declared | undefined {
  const own = chooseRefusal(status, operation, 'contract');
  return own ?? (status >= 500 ? chooseRefusal(400, operation, 'contract') : undefined);
}
