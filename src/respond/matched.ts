import { isEqual } from '../base/json/equal.ts';
import { getMember, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { Example } from '../contract/examples.ts';
import type { Parameter } from '../contract/parameters.ts';
import type { Declared, DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { ValidRequest } from '../request/request.ts';
import { exampleResponse } from './example.ts';
import { negotiate } from './negotiate.ts';
import type { Candidate } from './response.ts';

/**
 * Creates the sources of examples that belong to the request. Examples with one name on parameters, request body and response
 * belong together: if those on the request equal the request, the one on the response is sent.
 */
export function createMatchedSources(document: OpenAPIDocument) {
  const known = new Map<Operation, ReturnType<typeof findNamesakes>>();
  const namesakesOf = (operation: Operation) =>
    remember(known, operation, () => findNamesakes(document, operation));
  return {
    /** Looks in the successful response. */
    success(request: ValidRequest): Candidate | undefined {
      const { success, requests } = namesakesOf(request.operation);
      return success && findResponse(request, success, requests);
    },
    /** Looks in the other responses, if the successful one has no match. */
    failure(request: ValidRequest): Candidate | undefined {
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

/** Returns the responses with an example that has the name of a request example. */
function findNamesakes(document: OpenAPIDocument, operation: Operation) {
  const requests = readNamedRequests(document, operation);
  const { success, finals } = operation.responses;
  const hasNamesake = ({ contents }: DeclaredResponse): boolean =>
    contents.some(({ examples }) =>
      examples.some(({ name }) => name !== undefined && requests.has(name)),
    );
  const others = finals.filter(
    ({ response }) => response !== success?.response && hasNamesake(response),
  );
  const isMatchable = success !== undefined && hasNamesake(success.response);
  return { requests, success: isMatchable ? success : undefined, others };
}

function findResponse(request: ValidRequest, declared: Declared, requests: NamedRequests) {
  const content = negotiate(request, declared);
  const example = content && findClosest(content, requests, request);
  return content && example && exampleResponse(declared, content, example, 'example');
}

/** Returns the example that matches most values of the request; of several, the first. */
function findClosest({ examples }: Content, requests: NamedRequests, request: ValidRequest) {
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
  readonly parameters: (Pick<Parameter, 'in' | 'name'> & { readonly value: JsonValue })[];
  /** One for each media type with an example of the name. */
  readonly bodies: JsonValue[];
}

type NamedRequests = ReadonlyMap<string, NamedRequest>;

/** Returns examples of parameters and body by name: one name for both is Microcks' convention. */
function readNamedRequests(document: OpenAPIDocument, operation: Operation): NamedRequests {
  const requests = new Map<string, NamedRequest>();
  const of = (name: string) => remember(requests, name, () => ({ parameters: [], bodies: [] }));
  for (const parameter of operation.parameters) {
    for (const [name, value] of readExampleValues(document, parameter.pointer)) {
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

/** @param parameter pointer of the Parameter Object */
function readExampleValues(document: OpenAPIDocument, parameter: string) {
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
