import type { Contract } from '../contract/contract.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { collectionOf, keyTextsOf, SINGLETON_KEY } from './collections.ts';
import type { Meaning, Resources } from './meaning.ts';

/** What a request reads first of the store. */
export interface Foreseen {
  readonly collection: string;
  /** The key in the path; undefined if it has none. */
  readonly key: string | undefined;
}

/** Returns what a request reads first of the store; undefined if its path does not say it. */
export type Foresee = (request: WireRequest) => Foreseen | undefined;

export function createForesee(contract: Contract, resources: Resources): Foresee {
  return ({ method, target }) => {
    const path = readTarget(target)?.path;
    const found = path === undefined ? undefined : contract.route(path, method);
    const operation = found?.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation === undefined || operation.fault !== undefined) return undefined;
    const meaning = contract.variants.has(operation) ? undefined : resources.meaningOf(operation);
    return found && meaning && readFirst(meaning, found.parameters);
  };
}

function readFirst({ type, call }: Meaning, parameters: PathParameters): Foreseen | undefined {
  // The key of a call by name may be elsewhere.
  if (call !== undefined) return undefined;
  const collection = collectionOf(type, parameters);
  if (type.kind === 'singleton') return { collection, key: SINGLETON_KEY };
  const segment = parameters.get(type.key?.parameter ?? '');
  return { collection, key: segment === undefined ? undefined : keyTextsOf(segment)[0] };
}
