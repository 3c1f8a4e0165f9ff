import type { Contract } from '../contract/contract.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { WireRequest } from '../http/message.ts';
import { splitPairs } from '../http/query.ts';
import { readTarget } from '../http/target.ts';
import type { Range } from '../state/store.ts';
import { collectionOf, isPartial, keyTextsOf, SINGLETON_KEY } from './collections.ts';
import type { CompiledParameter } from './list/compile-query.ts';
import type { FindListFacts } from './list/list-facts.ts';
import { foreseeRange } from './list/read-page.ts';
import type { ListMeaning, Meaning, Resources } from './meaning.ts';

/** What a request reads first of the store. */
export interface Foreseen {
  readonly collection: string;
  /** The key in the path; undefined if it has none. */
  readonly key: string | undefined;
  /** What a list shows; undefined where that depends on the resources. */
  readonly range: Range | undefined;
}

/** Returns what a request reads first of the store; undefined if its target does not say it. */
export type Foresee = (request: WireRequest) => Foreseen | undefined;

export function createForesee(
  contract: Contract,
  resources: Resources,
  listFactsOf: FindListFacts,
): Foresee {
  return ({ method, target: text }) => {
    const target = readTarget(text);
    const found = target && contract.route(target.path, method);
    const operation = found?.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation === undefined || operation.fault !== undefined) return undefined;
    const meaning = contract.variants.has(operation) ? undefined : resources.meaningOf(operation);
    // The key of a call by name may be elsewhere.
    if (found === undefined || meaning === undefined || meaning.call !== undefined) {
      return undefined;
    }
    return {
      collection: collectionOf(meaning.type, found.parameters),
      key: keyOf(meaning, found.parameters),
      range: meaning.kind === 'list' ? rangeOf(meaning, listFactsOf, target?.query) : undefined,
    };
  };
}

function keyOf({ type }: Meaning, parameters: PathParameters): string | undefined {
  if (type.kind === 'singleton') return SINGLETON_KEY;
  const segment = parameters.get(type.key?.parameter ?? '');
  return segment === undefined ? undefined : keyTextsOf(segment)[0];
}

/** Returns undefined for a list whose query says more than the page, or whose body says it. */
function rangeOf(meaning: ListMeaning, listFactsOf: FindListFacts, query = '') {
  if (isPartial(meaning.type) || meaning.operation.method !== 'GET') return undefined;
  const [content] = meaning.operation.responses.success?.response.contents ?? [];
  const { query: terms } = listFactsOf(meaning, content);
  const values = new Map(splitPairs(query).map(({ name, value }) => [name, value]));
  const isPlace = (name: string): boolean =>
    PLACES.some((role) => terms.of(role).some((term) => isWrittenAs(term, name)));
  return [...values.keys()].every(isPlace) ? foreseeRange(terms.read(values)) : undefined;
}

const PLACES = ['limit', 'offset', 'offset-from-1', 'page'] as const;

/** Returns false for a member of a parameter, `page[number]`, which is read otherwise. */
function isWrittenAs(term: CompiledParameter, name: string): boolean {
  return term.name === name && term.writtenName === name;
}
