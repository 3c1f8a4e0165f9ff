import { parseJson } from '../base/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { ProblemName } from '../base/problem.ts';
import { groupBy } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import { readQuery } from '../http/query.ts';
import { describeExchange } from '../journal/describe-exchange.ts';
import type { KeptExchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/keep/journal.ts';
import { REDACTED } from '../journal/redact/secrets.ts';

/** Refusals that a valid request meets, as the resources are. The others are mistakes of the client. */
const STATES: ReadonlySet<ProblemName> = new Set<ProblemName>([
  'PRECONDITION_FAILED',
  'RESOURCE_EXISTS',
  'RESOURCE_GONE',
  'RESOURCE_NOT_FOUND',
  'WRONG_STATUS',
]);

/** Values of each kind are alike, whatever they are (Pact specification 3, "Matchers"). */
const BY_TYPE = { combine: 'AND', matchers: [{ match: 'type' }] };

/** One exchange for all with its operation, status and shape. */
interface Interaction {
  readonly operation: Operation;
  readonly status: number;
  readonly shape: string;
  readonly request: JsonObject;
  readonly response: JsonObject;
}

/**
 * Returns the valid exchanges of a journal as a consumer contract of Pact (specification 3), with
 * one interaction for each distinct operation, status and shape. It has no secrets.
 */
export function writePact(contract: Contract, journal: Journal, consumer: string): JsonObject {
  const found = new Map<string, Interaction>();
  for (const exchange of journal.received().toReversed()) {
    const one = toInteraction(contract, exchange, journal);
    if (one === undefined) continue;
    const key = `${one.operation.id} ${one.status} ${one.shape}`;
    if (!found.has(key)) found.set(key, one);
  }
  const order = new Map(contract.operations.map((operation, index) => [operation, index]));
  const rank = ({ operation, status }: Interaction): number =>
    (order.get(operation) ?? 0) * 1000 + status;
  const sorted = [...found.values()].sort((one, other) => rank(one) - rank(other));
  return {
    consumer: { name: consumer },
    provider: { name: contract.title || 'provider' },
    interactions: [...groupBy(sorted, nameOf).values()].flatMap((same) => same.map(describe)),
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
}

function nameOf({ operation, status }: Interaction): string {
  return `${operation.id} responds with ${status}`;
}

/** @param index among the interactions of one operation and status, whose names must differ */
function describe(interaction: Interaction, index: number): JsonObject {
  const { status, request, response } = interaction;
  const name = nameOf(interaction);
  return {
    description: index === 0 ? name : `${name} (${index + 1})`,
    // The state that a provider prepares: a success needs none.
    ...(status >= 400 && { providerStates: [{ name }] }),
    request,
    response,
  };
}

function toInteraction(contract: Contract, exchange: KeptExchange, journal: Journal) {
  const { operationId = '', problem, fault, status } = exchange;
  const { requestBodyLength, responseBodyLength } = exchange;
  const operation = contract.operation(operationId);
  const isWhole = requestBodyLength === undefined && responseBodyLength === undefined;
  const isValid = problem === undefined || STATES.has(problem.problem);
  if (operation === undefined || !isWhole || !isValid || fault !== undefined) return undefined;
  // Others are no part of the contract.
  if (operation.responses.find(status) === undefined) return undefined;
  const shown = describeExchange(exchange, journal.show(exchange));
  const request = toRequest(shown);
  const response = toResponse(shown);
  if (JSON.stringify(request['path']).includes(REDACTED)) return undefined;
  const names = Object.keys(request['query'] ?? {}).sort();
  const shape = [names, request['body'], response['body']].map(shapeOf).join(' ');
  return { operation, status, shape, request, response };
}

function toRequest({ request, body }: JsonObject): JsonObject {
  const { method = '', target = '', headers } = isJsonObject(request) ? request : {};
  const [path = '', query = ''] = String(target).split('?', 2);
  const values = groupBy(readQuery(query), ([name]) => name);
  const open = [...values].filter(([, pairs]) => pairs.every(([, value]) => value !== REDACTED));
  const type = isJsonObject(headers) ? headers['content-type'] : undefined;
  return {
    method,
    path,
    ...(open.length > 0 && {
      query: Object.fromEntries(open.map(([name, pairs]) => [name, pairs.map(([, one]) => one)])),
    }),
    ...(type !== undefined && { headers: { 'Content-Type': type } }),
    ...(body !== undefined && { body, matchingRules: { body: { $: BY_TYPE } } }),
  };
}

function toResponse({ answer }: JsonObject): JsonObject {
  const { status = 0, mediaType, body } = isJsonObject(answer) ? answer : {};
  if (typeof mediaType !== 'string') return { status };
  const headers = { 'Content-Type': mediaType };
  if (typeof body !== 'string') return { status, headers };
  if (!isJsonMediaType(mediaType)) return { status, headers, body };
  return { status, headers, body: parseJson(body), matchingRules: { body: { $: BY_TYPE } } };
}

/** Returns a text that is the same for values of the same members and types. */
function shapeOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, one]) => `${name}:${shapeOf(one)}`);
  return `{${members.sort().join()}}`;
}
