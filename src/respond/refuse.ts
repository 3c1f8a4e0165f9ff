import { problems, type Refusal } from '../base/problem.ts';
import { once, remember } from '../base/remember.ts';
import { type Contract, errorResponses, type Operation } from '../contract/contract.ts';
import { chooseRefusal, type Undeclared } from '../contract/error-response.ts';
import type { Declared, DeclaredResponse } from '../contract/responses.ts';
import { ifReadable } from '../document/diagnostic.ts';
import { NO_FIELDS, toFieldText } from '../http/message.ts';
import type { RoutedRequest } from '../request/request.ts';
import { toResponse } from './conform/conform.ts';
import type { ErrorBodies } from './error-body.ts';
import { exampleResponse } from './example.ts';
import type { ErrorFacts } from './fill-error.ts';
import { readPreference } from './negotiate.ts';
import { type Candidate, declaredFields, type MockResponse, nameSource } from './response.ts';

/**
 * Returns the response that refuses a request, in the form that the contract declares.
 *
 * @param request undefined if no operation matches
 */
export type Refuse = (problem: Refusal, request: RoutedRequest | undefined) => MockResponse;

/** @param isPlain true to send every refusal as problem+json with its own status */
export function createRefuse(
  contract: Contract,
  errorBodies: ErrorBodies,
  undeclared: Undeclared,
  isPlain: boolean,
): Refuse {
  // Decided by the document alone, which bounds it with the statuses of problems.
  const known = new Map<Operation, Map<number, { readonly declared: Declared | undefined }>>();
  const chosen = (operation: Operation, status: number): Declared | undefined => {
    const ofOperation = remember(known, operation, () => new Map());
    return remember(ofOperation, status, () => ({
      declared: chooseRefusal(status, operation, undeclared),
    })).declared;
  };
  // Reads every operation, so it waits for the first request that matches none.
  const findShared = once(() => findSharedResponse(contract));
  /** Without an operation, keeps the status and uses the error body of other operations. */
  const choose = (status: number, request: RoutedRequest | undefined): Declared | undefined => {
    if (request !== undefined) return chosen(request.operation, status);
    const response = findShared();
    return response && { status, response };
  };
  return (problem, request) => {
    const declared = isPlain ? undefined : choose(problem.status, request);
    const fields = declaredFields(declared, problem.fields ?? NO_FIELDS);
    if (declared !== undefined && declared.response.contents.length === 0) {
      const { status } = declared;
      const reason = toFieldText(`${problem.problem}: ${problem.message}`).slice(0, LONGEST_REASON);
      const explained = { ...fields, 'mock-problem': reason };
      return toRefusal(problem, { status, fields: explained, mediaType: undefined, body: null });
    }
    const preferred = request && declared && findPreferred(request, declared);
    if (preferred !== undefined) {
      return toResponse({ ...preferred, source: sources.get(problem.problem) ?? 'refusal' });
    }
    if (declared === undefined) return asProblemJson(problem);
    const { status, response } = declared;
    const accept = request?.fields.get('accept');
    // Member by member: a spread takes neither the message of an error nor what a getter returns.
    const facts = {
      problem: problem.problem,
      title: problem.title,
      type: problem.type,
      status: problem.status,
      message: problem.message,
      violations: problem.violations,
    };
    const composed = ifReadable(() => errorBodies.compose(response, facts, accept));
    if (composed === undefined) return asProblemJson(problem);
    const { content, value } = composed;
    const body = content.encode(value);
    return toRefusal(problem, { status, fields, mediaType: content.sentAs, body });
  };
}

/** The longest reason in a field: clients limit the size of a head. */
const LONGEST_REASON = 1000;

/** Returns the example that the client prefers, if it belongs to the status of the refusal. */
function findPreferred(request: RoutedRequest, declared: Declared): Candidate | undefined {
  const { code, example: name } = readPreference(request);
  if (name === undefined || (code !== undefined && code !== declared.status)) return undefined;
  for (const content of declared.response.contents) {
    const example = content.examples.find((one) => one.name === name);
    if (example?.violations.length === 0) {
      return exampleResponse(declared, content, example, 'prefer');
    }
  }
  return undefined;
}

/** How many operations to look at: to read a thousand would delay the request. */
const MOST_ASKED = 100;

/** Returns the error response that most operations declare. */
function findSharedResponse(contract: Contract): DeclaredResponse | undefined {
  const counts = new Map<string, { count: number; response: DeclaredResponse }>();
  for (const operation of contract.operations.slice(0, MOST_ASKED)) {
    if (operation.fault !== undefined) continue;
    for (const response of errorResponses(operation)) {
      const content = response.contents.find(({ isJson }) => isJson);
      if (content === undefined) continue;
      const schema = content.schema?.pointer ?? content.pointer;
      const key = contract.document.resolve(schema)?.pointer ?? schema;
      const known = counts.get(key) ?? { count: 0, response };
      known.count++;
      counts.set(key, known);
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.response;
}

/** Returns the refusal as problem details (RFC 9457), outside of any contract. */
export function asProblemJson(problem: Refusal): MockResponse {
  const { status, fields = NO_FIELDS } = problem;
  return toRefusal(problem, {
    status,
    fields,
    mediaType: PROBLEM_JSON,
    body: writeDetails(problem),
  });
}

export const PROBLEM_JSON = 'application/problem+json';

export function writeDetails(facts: ErrorFacts): string {
  const { type, title, status, message, violations } = facts;
  const listed = violations.length > 0 ? violations : undefined;
  return JSON.stringify({ type, title, status, detail: message, violations: listed });
}

type Refused = Pick<MockResponse, 'status' | 'fields' | 'mediaType' | 'body'>;

function toRefusal({ problem }: Refusal, response: Refused): MockResponse {
  return {
    status: response.status,
    mediaType: response.mediaType,
    fields: response.fields,
    body: response.body,
    source: sources.get(problem) ?? 'refusal',
    delayMilliseconds: 0,
    pace: undefined,
    fault: undefined,
  };
}

/** Created once, so that each refusal in the journal does not have its own string. */
const sources = new Map(
  Object.keys(problems).map((name) => [name, nameSource('refusal', 'problem', name)]),
);
