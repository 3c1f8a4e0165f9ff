import { createRequire } from 'node:module';
import { getMember, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { findContent } from '../../contract/content.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { readTarget } from '../../http/target.ts';
import { readContentType } from '../../media/content-type.ts';
import { numberOf, objectOf, pick, textOf } from '../members.ts';
import { findUnknownMembers, omitNulls, unsupported } from './refuse.ts';
import {
  findByTemplate,
  methodOf,
  toPattern,
  translateRequest,
  URLS,
} from './translate-request.ts';
import { contentTypeOf, isOffContract, translateResponse } from './translate-response.ts';

const KNOWN = [
  'id',
  'uuid',
  'name',
  'priority',
  'persistent',
  'request',
  'response',
  'scenarioName',
  'requiredScenarioState',
  'newScenarioState',
  'metadata',
  'insertionIndex',
];

const REASONS: JsonObject = {
  postServeActions: 'is not supported: the document declares callbacks',
  serveEventListeners: 'is not supported: the document declares callbacks',
};

/** Translates a stub mapping of WireMock to a rule, which is then compiled like any other. */
export function translateMapping(sent: JsonObject, id: string, contract: Contract): JsonObject {
  const mapping = omitNulls(sent);
  const reasons = findUnknownMembers(mapping, '', KNOWN, REASONS);
  if (reasons.length > 0) throw unsupported(reasons);
  const request = objectOf(mapping, 'request') ?? {};
  const match = translateRequest(request, contract);
  const response = objectOf(mapping, 'response') ?? {};
  const answer = translateResponse(response, isOffContract(mapping));
  const operations = findAnswering(findPossibleOperations(request, contract), answer);
  const name = textOf(mapping, 'name');
  const priority = numberOf(mapping, 'priority');
  return {
    name: id,
    ...(name !== undefined && { description: name }),
    ...(priority !== undefined && { priority }),
    match: { ...match, operationId: idsOf(operations) },
    ...pick(mapping, ['scenarioName', 'requiredScenarioState', 'newScenarioState']),
    answer: withMediaType(answer, contentTypeOf(response), operations),
    metadata: { wireMock: { ...sent, id, uuid: id } },
  };
}

function idsOf(operations: readonly Operation[]): JsonValue {
  const [first = '', ...others] = operations.map(({ id }) => id);
  return others.length === 0 ? first : [first, ...others];
}

/** Returns the operations that can give the response; if none can, the first, to explain why. */
function findAnswering(operations: readonly Operation[], answer: JsonObject) {
  const status = numberOf(answer, 'status');
  const served = operations.filter(({ fault }) => fault === undefined);
  if (status === undefined || getMember(answer, 'offContract') === true) return served;
  const declaring = served.filter(({ responses }) => responses.find(status) !== undefined);
  const isFailure = status >= 400;
  // A body is checked against each operation, and fits those that declare it.
  const fitsAll = isFailure && getMember(answer, 'body') === undefined;
  if (declaring.length > 0 && !fitsAll) return declaring;
  return isFailure ? served : operations.slice(0, 1);
}

/** Returns the answer with its Content-Type, if each of the operations declares this media type. */
function withMediaType(
  answer: JsonObject,
  contentType: string | undefined,
  operations: readonly Operation[],
): JsonObject {
  const status = numberOf(answer, 'status');
  if (contentType === undefined || status === undefined) return answer;
  const named = readContentType(contentType);
  const isDeclared = operations.every(
    ({ responses }) => findContent(responses.find(status)?.contents ?? [], named) !== undefined,
  );
  if (!isDeclared) return answer;
  return { ...answer, headers: { ...objectOf(answer, 'headers'), 'Content-Type': contentType } };
}

/** Returns the stub mapping that a rule was made from; undefined for any other rule. */
export function mappingOf(definition: JsonObject): JsonObject | undefined {
  return objectOf(objectOf(definition, 'metadata') ?? {}, 'wireMock');
}

/** Returns the operations whose requests a pattern of WireMock can match, at least one. */
function findPossibleOperations(request: JsonObject, contract: Contract): readonly Operation[] {
  const method = methodOf(request);
  const onPath = findOnPath(request, contract);
  const possible = onPath.filter((one) => method === undefined || one.method === method);
  if (possible.length > 0) return possible;
  const url = URLS.flatMap((name) => textOf(request, name) ?? [])[0] ?? 'any path';
  throw unsupported([
    `the document has no ${method ?? 'operation'} on ${url.slice(0, 200)}, ` +
      'so no request can match',
  ]);
}

function findOnPath(request: JsonObject, contract: Contract): readonly Operation[] {
  const url = textOf(request, 'url') ?? textOf(request, 'urlPath');
  if (url !== undefined) return findByUrl(url, contract);
  const template = textOf(request, 'urlPathTemplate');
  if (template !== undefined) return findByTemplate(template, contract);
  const pattern = textOf(request, 'urlPattern') ?? textOf(request, 'urlPathPattern');
  if (pattern === undefined) return contract.operations;
  return contract.operations.filter(({ path }) => canMatch(pattern, path));
}

function findByUrl(url: string, contract: Contract): readonly Operation[] {
  const target = readTarget(url);
  if (target === undefined) return [];
  // The route of a path holds the operations of all its methods.
  const found = contract.route(target.path, contract.operations[0]?.method ?? 'GET');
  return [...(found?.methods.values() ?? [])].flatMap((one) => contract.variants.get(one) ?? one);
}

/** A larger automaton costs more than matching one operation too many. */
const MOST_STATES = 2_000;

/**
 * Returns whether a regular expression can match a URL whose path fits a template, with or without
 * a query; true where this is undecided, which only adds an operation to the rule: the rule's own
 * URL matcher still decides.
 */
export function canMatch(pattern: string, template: string): boolean {
  try {
    const left = toAutomaton(`(?:${pattern})`);
    const right = toAutomaton(`${toPattern(template)}(?:\\?[^]*)?`);
    return !left.refa.isDisjointWith(left.automaton, right.automaton);
  } catch {
    return true;
  }
}

function toAutomaton(source: string) {
  // Loaded on first use: few mappings match their URL with a pattern.
  const refa = require('refa') as typeof import('refa');
  const { expression, maxCharacter } = refa.JS.Parser.fromLiteral({ source, flags: '' }).parse();
  const applied = refa.transform(refa.Transformers.applyAssertions(), expression);
  const automaton = refa.NFA.fromRegex(
    applied,
    { maxCharacter },
    { assertions: 'ignore', unknowns: 'disable' },
    new refa.NFA.LimitedNodeFactory(MOST_STATES),
  );
  return { refa, automaton };
}

const require = createRequire(import.meta.url);
