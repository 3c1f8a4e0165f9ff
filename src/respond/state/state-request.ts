import { toText } from '../../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { PathParameters } from '../../contract/routes.ts';
import type { Generator } from '../../generate/generator.ts';
import type { ValidRequest } from '../../request/request.ts';
import { collectionOf } from '../../resources/collections.ts';
import type { FindListFacts } from '../../resources/list/list-facts.ts';
import type { CursorHints } from '../../resources/list/page.ts';
import type { Meaning, Resources } from '../../resources/meaning.ts';
import type { ResourceType } from '../../resources/resource.ts';
import type { ResourceFacts } from '../../resources/resource-facts.ts';
import type { World } from '../../resources/seed/world.ts';
import type { Call } from '../../session/call.ts';
import type { StoredCollections } from '../../state/store.ts';
import type { ShownTexts } from './shown-texts.ts';

export interface StateMaterial {
  readonly contract: Pick<Contract, 'document' | 'schemas'>;
  readonly resources: Resources;
  readonly generator: Generator;
  readonly factsOf: (type: ResourceType) => ResourceFacts;
  readonly listFactsOf: FindListFacts;
  readonly cursorHints: CursorHints;
  readonly shownTexts: ShownTexts;
  readonly uniqueIds: boolean;
  readonly emptyState: 'world' | 'examples' | 'nothing';
  /** The resources before the first write; undefined if `emptyState` is another. */
  readonly world: World | undefined;
  readonly hasExamples: boolean;
  /** The tokens that requests must have; none accepts all. */
  readonly tokens: readonly string[];
}

/** A valid request with its meaning and the collection in the store. */
export interface StateRequest<Meant extends Meaning = Meaning> extends ValidRequest {
  readonly material: StateMaterial;
  readonly meaning: Meant;
  /** Of the meaning's type. */
  readonly facts: ResourceFacts;
  readonly call: Call;
  readonly store: StoredCollections;
  readonly collection: string;
}

export function toStateRequest<Meant extends Meaning>(
  material: StateMaterial,
  meaning: Meant,
  request: ValidRequest,
  call: Call,
  store: StoredCollections = call.session.state,
): StateRequest<Meant> {
  const pathParameters = withCalled(meaning, request);
  const collection = collectionOf(meaning.type, pathParameters);
  // Member by member: to add members to a copy takes several times as long, for every request.
  return {
    method: request.method,
    target: request.target,
    prefix: request.prefix,
    fields: request.fields,
    rawBody: request.rawBody,
    operation: request.operation,
    pathParameters,
    rawPathParameters: request.rawPathParameters,
    query: request.query,
    parameters: request.parameters,
    body: request.body,
    material,
    meaning,
    facts: material.factsOf(meaning.type),
    call,
    store,
    collection,
  } as StateRequest<Meant>;
}

/** Returns the schema that responses have for a property; undefined if none describes it. */
export function propertySchema({ material, facts }: StateRequest, name: string) {
  const pointer = facts.properties.get(name)?.pointer;
  return pointer === undefined
    ? undefined
    : material.contract.schemas.schemaAt(pointer, 'response');
}

/** Returns the path parameters, with the key that query or body have in a call by name. */
function withCalled({ call }: Meaning, request: ValidRequest): PathParameters {
  const { pathParameters, parameters, body } = request;
  const { name, in: location } = call?.key ?? {};
  if (name === undefined) return pathParameters;
  const whole = body !== undefined && isJsonObject(body.value) ? body.value : {};
  const value =
    location === 'body'
      ? getMember(whole, name)
      : parameters.find((one) => one.in === location && one.name === name)?.value;
  const isGiven = value !== undefined && value !== null;
  return isGiven ? new Map([...pathParameters, [name, toText(value)]]) : pathParameters;
}

/** Returns what the query asks for, and the members of the body, by their names. */
export function askedFor({ parameters, body }: StateRequest): ReadonlyMap<string, JsonValue> {
  const asked = body?.value;
  const isObject = asked !== undefined && isJsonObject(asked);
  const values = isObject ? new Map(Object.entries(asked)) : new Map<string, JsonValue>();
  for (const { name, in: location, value } of parameters) {
    if (location === 'query' && value !== undefined) values.set(name, value);
  }
  return values;
}
