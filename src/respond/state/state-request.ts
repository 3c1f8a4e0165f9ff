import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { ValidRequest } from '../../request/request.ts';
import { placeOf } from '../../resources/collections.ts';
import type { FindListFacts } from '../../resources/list/list-facts.ts';
import type { SeenPlaces } from '../../resources/list/page.ts';
import type { Meaning, Resources } from '../../resources/meaning.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ResourceFacts } from '../../resources/resource-facts.ts';
import type { Call } from '../../session/call.ts';
import type { Store } from '../../state/store.ts';

/** What answers from state are made of. */
export interface StateMaterial {
  readonly contract: Pick<Contract, 'document' | 'schemas'>;
  readonly resources: Resources;
  readonly generator: Generator;
  readonly factsOf: (resource: Resource) => ResourceFacts;
  readonly listFactsOf: FindListFacts;
  readonly seenPlaces: SeenPlaces;
  /** True refuses a key that is taken, where otherwise the resource is replaced. */
  readonly uniqueIds: boolean;
  /** What a collection answers that nobody has written to. */
  readonly emptyState: 'examples' | 'nothing';
  /** False passes over the document's examples. */
  readonly hasExamples: boolean;
}

/** A request that means something to a resource. */
export interface Asked<Meant extends Meaning = Meaning> {
  readonly material: StateMaterial;
  readonly meaning: Meant;
  readonly request: ValidRequest;
  readonly call: Call;
  readonly store: Store;
  /** The collection of the store that it is about. */
  readonly place: string;
}

export function askOf<Meant extends Meaning>(
  material: StateMaterial,
  meaning: Meant,
  request: ValidRequest,
  call: Call,
): Asked<Meant> {
  const place = placeOf(meaning.resource, request.pathParameters);
  return { material, meaning, request, call, store: call.session.state, place };
}
