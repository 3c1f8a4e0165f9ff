import { isEqual } from '../base/json/equal.ts';
import { getMember, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Operation } from '../contract/contract.ts';
import type { Example } from '../contract/examples.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { Declared, DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { ValidRequest } from '../request/request.ts';
import { exampleResponse } from './example.ts';
import { findAcceptable } from './negotiate.ts';
import type { Candidate, ResponseSource } from './response.ts';

/** The sources of examples that belong to the request. */
interface MatchedSources {
  /** Looks in the successful response. */
  readonly success: ResponseSource;
  /** Looks in the other responses, if the successful one has no match. */
  readonly failure: ResponseSource;
}

interface Namesakes {
  readonly requests: ReadonlyMap<string, NamedRequest>;
  /** Undefined if none of its examples has the name of a request example. */
  readonly success: Declared | undefined;
  /** The other responses with such an example. */
  readonly others: readonly Declared[];
}

/**
 * Creates the sources of examples that belong to the request. Examples with one name on parameters, request body and response
 * belong together: if those on the request equal the request, the one on the response is sent.
 */
export function createMatchedSources(document: OpenAPIDocument): MatchedSources {
  const known = new Map<Operation, Namesakes>();
  const namesakesOf = (operation: Operation): Namesakes => {
    const namesakes = known.get(operation) ?? findNamesakes(document, operation);
    known.set(operation, namesakes);
    return namesakes;
  };
  return {
    success(request) {
      const { success, requests } = namesakesOf(request.operation);
      return success && findResponse(request, success, requests);
    },
    failure(request) {
      const { success, others, requests } = namesakesOf(request.operation);
      if (others.length === 0) return undefined;
      if (success !== undefined && findResponse(request, success, requests)) return undefined;
      for (const declared of others) {
        const candidate = findResponse(request, declared, requests);
        if (candidate !== undefined) return candidate;
      }
      return undefined;
    },
  };
}

function findNamesakes(document: OpenAPIDocument, operation: Operation): Namesakes {
  const requests = readNamedRequests(document, operation);
  const { success, all } = operation.responses;
  const hasNamesake = ({ contents }: DeclaredResponse): boolean =>
    contents.some(({ examples }) =>
      examples.some(({ name }) => name !== undefined && requests.has(name)),
    );
  const others = all
    .filter((response) => response !== success?.response && hasNamesake(response))
    .map((response) => ({ status: Number(response.key.replace('XX', '00')), response }))
    // Neither `default`, which is no status, nor one of 1xx.
    .filter(({ status }) => status >= 200);
  const isMatchable = success !== undefined && hasNamesake(success.response);
  return { requests, success: isMatchable ? success : undefined, others };
}

function findResponse(
  request: ValidRequest,
  declared: Declared,
  requests: ReadonlyMap<string, NamedRequest>,
): Candidate | undefined {
  const content = findAcceptable(request.fields, declared);
  const example = content && findClosest(content.examples, requests, request);
  if (content === undefined || example === undefined) return undefined;
  return exampleResponse(declared, content, example, 'example');
}

/** Returns the example that matches most values of the request; of several, the first. */
function findClosest(
  examples: readonly Example[],
  requests: ReadonlyMap<string, NamedRequest>,
  request: ValidRequest,
): Example | undefined {
  let best: Example | undefined;
  let most = 0;
  for (const example of examples) {
    const named = example.name === undefined ? undefined : requests.get(example.name);
    const agreeing = named === undefined ? 0 : countAgreeing(named, request);
    if (agreeing <= most || example.violations.length > 0) continue;
    best = example;
    most = agreeing;
  }
  return best;
}

/** Returns how many values of the examples the request has; 0 if one differs. */
function countAgreeing({ parameters, bodies }: NamedRequest, request: ValidRequest): number {
  for (const { in: location, name, value } of parameters) {
    const came = request.parameters.find((one) => one.in === location && one.name === name);
    if (came?.value === undefined || !isSameParameter(came.value, value)) return 0;
  }
  if (bodies.length === 0) return parameters.length;
  const body = request.body?.value;
  if (body === undefined || !bodies.some((value) => isEqual(value, body))) return 0;
  return parameters.length + 1;
}

/** Compares a number with a string that contains it as equal. */
function isSameParameter(came: JsonValue, given: JsonValue): boolean {
  if (isEqual(came, given)) return true;
  const isScalar = typeof came !== 'object' && typeof given !== 'object';
  return isScalar && String(came) === String(given);
}

interface NamedRequest {
  readonly parameters: readonly NamedParameter[];
  /** One for each media type with an example of the name. */
  readonly bodies: readonly JsonValue[];
}

interface NamedParameter {
  readonly in: ParameterLocation;
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * Returns the examples of an operation's parameters and request body, by their names. To give
 * examples on request and response one name is Microcks' convention.
 */
function readNamedRequests(
  document: OpenAPIDocument,
  operation: Operation,
): ReadonlyMap<string, NamedRequest> {
  const requests = new Map<string, { parameters: NamedParameter[]; bodies: JsonValue[] }>();
  const of = (name: string) => remember(requests, name, () => ({ parameters: [], bodies: [] }));
  for (const parameter of readNamedParameters(document, operation)) {
    for (const [name, value] of parameter.values) {
      of(name).parameters.push({ in: parameter.in, name: parameter.name, value });
    }
  }
  for (const { examples } of operation.body?.contents ?? []) {
    for (const { name, value } of examples) {
      if (name !== undefined) of(name).bodies.push(value);
    }
  }
  return requests;
}

function readNamedParameters(document: OpenAPIDocument, { pointer, parameters }: Operation) {
  const pathItem = pointer.slice(0, pointer.lastIndexOf('/'));
  const values = new Map<string, ReadonlyMap<string, JsonValue>>();
  for (const owner of [pathItem, pointer]) {
    const list = document.at(`${owner}/parameters`);
    for (const index of Array.isArray(list) ? list.keys() : []) {
      const parameter = document.resolveObject(`${owner}/parameters/${index}`);
      if (parameter === undefined) continue;
      const key = `${String(parameter.value['in'])} ${String(parameter.value['name'])}`;
      values.set(key, readExampleValues(document, parameter.pointer));
    }
  }
  return parameters.map(({ in: location, name }) => ({
    in: location,
    name,
    values: values.get(`${location} ${name}`) ?? new Map<string, JsonValue>(),
  }));
}

function readExampleValues(
  document: OpenAPIDocument,
  parameter: string,
): ReadonlyMap<string, JsonValue> {
  const content = document.members(`${parameter}/content`).map(([, pointer]) => pointer);
  const values = new Map<string, JsonValue>();
  for (const owner of [parameter, ...content]) {
    for (const [name, pointer] of document.members(`${owner}/examples`)) {
      const example = document.resolveObject(pointer)?.value;
      const value = example && (getMember(example, 'dataValue') ?? getMember(example, 'value'));
      if (value !== undefined) values.set(name, value);
    }
  }
  return values;
}
