import { Generations } from '../base/generations.ts';
import type { Contract } from '../contract/contract.ts';
import type { PathParameters } from '../contract/routes.ts';
import type { WireRequest } from '../http/message.ts';
import { splitPairs } from '../http/query.ts';
import { readTarget } from '../http/target.ts';
import type { Range } from '../state/store.ts';
import { collectionOf, isPartial, keyTextsOf, SINGLETON_KEY } from './collections.ts';
import type { FindListFacts } from './list/list-facts.ts';
import { foreseeRange } from './list/read-page.ts';
import type { ListMeaning, Meaning, Resources } from './meaning.ts';

/** What a request reads first of the store. */
export interface Foreseen {
  readonly collection: string;
  /** The key in the path; undefined if it has none. */
  readonly key: string | undefined;
  /** The part of the collection that a list shows; undefined if resources decide, as by a filter. */
  readonly range: Range | undefined;
}

/** The size of one generation of targets, with {@link ENTRY} for each. */
const MOST_CHARACTERS = 512 * 1024;
const ENTRY = 200;

/** Returns what a request reads first of the store; undefined if its target does not say it. */
export type Foresee = (request: WireRequest) => Foreseen | undefined;

export function createForesee(
  contract: Contract,
  resources: Resources,
  listFactsOf: FindListFacts,
): Foresee {
  const foresee: Foresee = ({ method, target: text }) => {
    const target = readTarget(text);
    if (target === undefined) return undefined;
    const found = contract.route(target.path, method);
    const operation = found?.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation === undefined || operation.fault !== undefined) return undefined;
    const meaning = contract.variants.has(operation) ? undefined : resources.meaningOf(operation);
    return found && meaning && readFirst(meaning, found.parameters, target.query, listFactsOf);
  };
  const known = new Generations<string, { readonly foreseen: Foreseen | undefined }>(
    MOST_CHARACTERS,
  );
  // Clients repeat their reads, and the stages route the target and read its query once more.
  return (request) => {
    // The stage that needs the meaning waits for it.
    if (!resources.isInferred) return undefined;
    const { method, target } = request;
    if (method !== 'GET') return foresee(request);
    const recent = known.recent.get(target);
    if (recent !== undefined) return recent.foreseen;
    const found = known.older.get(target) ?? { foreseen: foresee(request) };
    known.makeRoom(target.length + ENTRY);
    known.recent.set(target, found);
    return found.foreseen;
  };
}

function readFirst(
  meaning: Meaning,
  parameters: PathParameters,
  query: string,
  listFactsOf: FindListFacts,
): Foreseen | undefined {
  // The key of a call by name may be elsewhere.
  if (meaning.call !== undefined) return undefined;
  return {
    collection: collectionOf(meaning.type, parameters),
    key: keyOf(meaning, parameters),
    range: meaning.kind === 'list' ? rangeOf(meaning, query, listFactsOf) : undefined,
  };
}

function keyOf({ type }: Meaning, parameters: PathParameters): string | undefined {
  if (type.kind === 'singleton') return SINGLETON_KEY;
  const segment = parameters.get(type.key?.parameter ?? '');
  return segment === undefined ? undefined : keyTextsOf(segment)[0];
}

/** Returns undefined for a list whose query says more than the page, or whose body says it. */
function rangeOf(meaning: ListMeaning, query: string, listFactsOf: FindListFacts) {
  if (isPartial(meaning.type) || meaning.operation.method !== 'GET') return undefined;
  const [content] = meaning.operation.responses.success?.response.contents ?? [];
  const { query: terms } = listFactsOf(meaning, content);
  const pairs = splitPairs(query);
  if (!pairs.every(({ name }) => terms.places.has(name))) return undefined;
  return foreseeRange(terms.read(new Map(pairs.map(({ name, value }) => [name, value]))));
}
