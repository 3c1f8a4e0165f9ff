import type { Operation } from '../contract/contract.ts';
import type { Match } from '../contract/operation-request.ts';
import type { Decision, FixtureSet, RuleState } from '../fixtures/fixture-set.ts';
import type { Rule, RuleAction } from '../fixtures/rule.ts';
import {
  type Answer,
  type MockResponse,
  nameSource,
  type Prelude,
  type ResponseSource,
} from './answer.ts';
import { toResponse } from './conform.ts';
import type { ErrorBodies } from './error-body.ts';

/** The source that fails as the fixtures say. */
export function fixtureSource(
  fixtures: FixtureSet,
  state: RuleState,
  errorBodies: ErrorBodies,
): ResponseSource {
  return ({ match, operation, body }) => {
    const requested = match.request.fields.get('mock-fixture');
    const decision = fixtures.decide('valid', match, body?.value, requested, state);
    return toPrelude(decision, operation, errorBodies);
  };
}

/** What happens to a request before it is looked at. */
export interface Outage {
  readonly delayMilliseconds: number;
  /** Undefined lets the request go on its way, once it has waited. */
  readonly response: MockResponse | undefined;
}

/**
 * What a fixture does before anything is checked: a real outage does not look at the credential
 * first, and a slow network is slow for wrong requests too.
 *
 * @returns undefined when nothing is to happen
 */
export function meetOutage(
  match: Match,
  fixtures: FixtureSet,
  state: RuleState,
  errorBodies: ErrorBodies,
): Outage | undefined {
  const requested = match.request.fields.get('mock-fixture');
  const decision = fixtures.decide('outage', match, undefined, requested, state);
  const met = toPrelude(decision, match.operation, errorBodies);
  if (met === undefined) return undefined;
  const { delayMilliseconds = 0, answer } = met;
  return { delayMilliseconds, response: answer && toResponse(answer, 0) };
}

function toPrelude(
  { delayMilliseconds, rule }: Decision,
  operation: Operation,
  errorBodies: ErrorBodies,
): Prelude | undefined {
  const answer = rule && answerByRule(rule, operation, errorBodies);
  if (answer === undefined && delayMilliseconds === 0) return undefined;
  return { delayMilliseconds, answer };
}

function answerByRule(
  rule: Rule & { readonly action: RuleAction },
  operation: Operation,
  errorBodies: ErrorBodies,
): Answer | undefined {
  const { action } = rule;
  const source = nameSource('fixture', 'name', rule.name);
  if (action.kind === 'fault') {
    const payload = { kind: 'fault', fault: action.fault } as const;
    return { source, declared: undefined, status: 0, headers: {}, payload, isInsisted: true };
  }
  const answer = action.answers.get(operation);
  if (answer === undefined) return undefined;
  const { declared, status, headers, body } = answer;
  const base = { source, declared, status, headers, isInsisted: true };
  if (body === undefined) return { ...base, payload: { kind: 'none' } };
  if (body !== 'compose') {
    return { ...base, payload: { kind: 'text', mediaType: body.mediaType, text: body.text } };
  }
  const message = rule.description ?? `the fixture ${rule.name} answers`;
  const facts = {
    status,
    title: message,
    name: rule.name,
    type: 'about:blank',
    message,
    violations: [],
  };
  const composed = declared && errorBodies.compose(declared.response, facts);
  if (composed === undefined) return { ...base, payload: { kind: 'none' } };
  return { ...base, payload: { kind: 'value', ...composed } };
}
