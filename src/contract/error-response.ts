import type { Operation } from './operation.ts';
import type { Declared, Responses } from './responses.ts';

/**
 * The status of a refusal if the contract does not declare that of its cause: `contract` uses one
 * that is declared, `http` that of the cause.
 */
export type Undeclared = 'contract' | 'http';

/** Statuses with nearly the same meaning, and 400: the first declared one is used. */
const kin: ReadonlyMap<number, readonly number[]> = new Map([
  [400, [422]],
  [401, [403, 400]],
  [403, [401, 404, 400]],
  [404, [410, 400]],
  [409, [422, 400]],
  [413, [400, 422]],
  [415, [400, 422]],
  [422, [400, 409]],
]);
const USUAL: readonly number[] = [400];

/**
 * Returns the declared response for a refusal: the one of its status, of its range, `default`, of a
 * status with nearly the same meaning, of 400, then of any other 4xx; for a fault of the service, of
 * any 5xx. Returns undefined if the operation declares none of them.
 */
export function chooseRefusal(status: number, operation: Operation, undeclared: Undeclared) {
  const { responses } = operation;
  const own = responses.find(status);
  if (own !== undefined) return { status, response: own };
  if (undeclared === 'http') return undefined;
  const near = status < 500 ? findAmong(kin.get(status) ?? USUAL, responses) : undefined;
  // A missing credential or an impossible media type that looks like another cause misleads.
  if (near !== undefined || status === 401 || status === 406) return near;
  return findAmong(declaredBeside(status, responses), responses);
}

function findAmong(statuses: readonly number[], responses: Responses): Declared | undefined {
  for (const status of statuses) {
    const response = responses.findSpecific(status);
    if (response !== undefined) return { status, response };
  }
  return undefined;
}

/** Statuses that tell a client to do something, which would be in vain for another cause. */
const demanding: ReadonlySet<number> = new Set([401, 407, 408, 421, 425, 426, 428, 429, 431]);

/** Returns the declared statuses of the same class, the lowest first. */
function declaredBeside(status: number, { all }: Responses): readonly number[] {
  const classOf = (one: number) => Math.floor(one / 100);
  // The key of a range, and `default`, are no numbers.
  return all
    .map(({ key }) => Number(key))
    .filter((other) => classOf(other) === classOf(status) && !demanding.has(other))
    .sort((a, b) => a - b);
}

/**
 * Returns the declared response for a failure: the one of its status, of its range, `default`, or else
 * the one of a refusal. Without any 5xx, a failure of the service uses the one of 400, whose body may
 * state the cause.
 */
export function chooseFailure(status: number, operation: Operation): Declared | undefined {
  const own = chooseRefusal(status, operation, 'contract');
  return own ?? (status >= 500 ? chooseRefusal(400, operation, 'contract') : undefined);
}
