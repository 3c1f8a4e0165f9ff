import { type Awaitable, afterWith } from '../base/awaitable.ts';
import { toTimestamp } from '../base/clock.ts';
import { toText } from '../base/json/stringify.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem, type Violation } from '../base/problem.ts';
import type { Random } from '../base/random.ts';
import { once } from '../base/remember.ts';
import { quote } from '../base/words.ts';
import { validateBody } from '../contract/content.ts';
import { parameterNames } from '../contract/path-template.ts';
import { ifReadable } from '../document/diagnostic.ts';
import type { InfoOnce } from '../events/log.ts';
import { type ResponseFields, splitNames, toFieldText } from '../http/message.ts';
import { readCookies, readQuery } from '../http/query.ts';
import type { RoutedRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Template } from '../rules/answer/template.ts';
import { type AnsweringRule, decide, findRequested } from '../rules/decide.ts';
import type { Rule, RuleAnswer } from '../rules/rule.ts';
import type { SessionFixtures } from '../rules/session-fixtures.ts';
import type { Call } from '../session/call.ts';
import { findViolations, notConforming, toResponse } from './conform/conform.ts';
import { type ErrorBodies, factsOf } from './error-body.ts';
import { contradicts } from './fill-error.ts';
import { PROBLEM_JSON, writeDetails } from './refuse.ts';
import { type Candidate, type MockResponse, nameSource, type ResponseSource } from './response.ts';

export function ruleSource(failing: FailingMaterial): ResponseSource {
  return (request, call, view) => {
    const asked = { request, call, view, failing };
    return afterWith(ask('valid', asked), asked, respondIfRule);
  };
}

export interface FailingMaterial {
  readonly errorBodies: ErrorBodies;
  readonly infoOnce: InfoOnce;
}

interface AskedRequest {
  readonly request: RoutedRequest;
  readonly call: Call;
  readonly view: RequestView;
  readonly failing: FailingMaterial;
}

/**
 * Responds by a rule before anything is checked: a real outage does not look at credentials first,
 * and a slow network is slow for invalid requests too.
 *
 * @returns undefined if the request continues
 * @throws {Problem} UNKNOWN_FIXTURE
 */
export function respondToOutage(asked: AskedRequest): Awaitable<MockResponse | undefined> {
  return afterWith(ask('outage', asked), asked, respondWithout);
}

/** Returns the response of a rule. Nothing has been read of the request but its head. */
function respondWithout(asked: AskedRequest, rule: AnsweringRule | undefined) {
  const candidate = respondIfRule(asked, rule);
  if (candidate === undefined) return undefined;
  const violations = findViolations(candidate);
  if (violations.length > 0) throw notConforming(candidate, violations);
  return toResponse(candidate);
}

function respondIfRule(asked: AskedRequest, rule: AnsweringRule | undefined) {
  return rule && respondByRule(rule, asked);
}

type Phase = 'outage' | 'valid';

function ask(phase: Phase, asked: AskedRequest): Awaitable<AnsweringRule | undefined> {
  const { request, call, view } = asked;
  const field = request.fields.get('mock-fixture');
  const repeated = call.replay?.rules ?? NONE;
  const named = field === undefined ? NONE : splitNames(field);
  const rules = call.session.fixtures.rulesFor(request.operation).find(phase, view);
  // Most requests end here, and need none of the closures that a decision takes.
  if (repeated.length + named.length + rules.length === 0) return undefined;
  return askRules(asked, { phase, rules, repeated, named });
}

interface FoundRules {
  readonly phase: Phase;
  readonly rules: readonly Rule[];
  /** The names of the rules that acted in the call that is repeated. */
  readonly repeated: readonly string[];
  /** The names that the client asks for. */
  readonly named: readonly string[];
}

function askRules(
  { request, call, view }: AskedRequest,
  { phase, rules, repeated, named }: FoundRules,
): Awaitable<AnsweringRule | undefined> {
  const { operation } = request;
  const { session, effects } = call;
  const { fixtures } = session;
  const requested = [
    ...repeated.flatMap((name) => findRepeated(name, fixtures)),
    ...named.flatMap((name) => findRequested(name, operation, fixtures)),
  ];
  const isExclusive = repeated.length > 0;
  const randomFor = (purpose: string): Random => call.chanceOf(purpose);
  const now = call.now();
  // A literal: a spread costs more, for every request.
  const question = {
    phase,
    rules,
    operation,
    view,
    effects,
    now,
    randomFor,
    requested,
    isExclusive,
  };
  return decide(question, session);
}

const NONE: readonly string[] = [];

function findRepeated(name: string, fixtures: SessionFixtures): readonly Rule[] {
  const rule = fixtures.find(name);
  if (rule !== undefined) return [rule];
  throw new Problem(
    'UNKNOWN_FIXTURE',
    `the failure was the work of the fixture ${quote(name)}, which this ` +
      'session does not have: give it again first',
  );
}

interface Answering extends AskedRequest {
  readonly rule: AnsweringRule;
  readonly answer: RuleAnswer;
  readonly render: (template: Template) => JsonValue;
}

function respondByRule(rule: AnsweringRule, asked: AskedRequest): Candidate | undefined {
  const { action } = rule;
  const name = nameSource('fixture', 'name', rule.name);
  if (action.kind === 'fault') {
    const payload = { kind: 'fault', fault: action.fault } as const;
    return { source: name, declared: undefined, status: 0, fields: {}, payload, isMandatory: true };
  }
  const { operation } = asked.request;
  const answer = action.answerOf(operation);
  if (answer === undefined) return undefined;
  const answering = { ...asked, rule, answer, render: createRender(asked) };
  const fields = renderFields(answering);
  const payload = makePayload(answering);
  const { declared, status, undeclared } = answer;
  const source = undeclared === undefined ? name : `${name}; undeclared`;
  if (undeclared !== undefined) {
    const { id } = operation;
    asked.failing.infoOnce('undeclared-failure', { operation: id, status, fixture: rule.name });
  }
  return { source, declared, status, fields, payload, isMandatory: true };
}

function makePayload(answering: Answering): Candidate['payload'] {
  const { rule, answer, render } = answering;
  const { body } = answer;
  if (body === undefined) return { kind: 'none' };
  if (body === 'compose') return composeBody(answering);
  if (body.kind === 'text') return body;
  const value = guard(rule, () => body.template(render));
  if (body.content !== undefined && (body.content.isJson || typeof value !== 'string')) {
    return { kind: 'value', content: body.content, value };
  }
  const text = toText(value);
  const [violation] = body.content === undefined ? [] : validateBody(body.content, text);
  if (violation !== undefined) throw breaksContract(rule, violation);
  return { kind: 'text', mediaType: body.mediaType, text };
}

/** Returns an error body if the document has no example. */
function composeBody(answering: Answering): Candidate['payload'] {
  const { answer, failing, request } = answering;
  const { declared, undeclared } = answer;
  const { name, description = `the rule ${name} makes this request fail` } = answering.rule;
  const facts = factsOf(answer.cause, description);
  const accept = request.fields.get('accept');
  const response = declared?.response ?? undeclared?.like;
  const compose = () => response && failing.errorBodies.compose(response, facts, accept);
  if (undeclared === undefined) {
    const composed = compose();
    return composed === undefined ? { kind: 'none' } : { kind: 'value', ...composed };
  }
  const composed = ifReadable(compose);
  if (composed === undefined || contradicts(composed.value, answer.status)) {
    return { kind: 'text', mediaType: PROBLEM_JSON, text: writeDetails(facts) };
  }
  return { kind: 'value', ...composed };
}

/** Returns a renderer of templates, which describes the request when one first needs it. */
function createRender({ call, view }: AskedRequest): Answering['render'] {
  const scope = once(() => ({
    request: describeRequest(view),
    session: call.session.id,
    call: call.number,
    now: toTimestamp(call.now()),
  }));
  return (template) => template.render(scope());
}

function renderFields({ rule, answer, render }: Answering): ResponseFields {
  const { fields, declared } = answer;
  const rendered: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      rendered[name] = value;
      continue;
    }
    const made = guard(rule, () => render(value));
    const text = toFieldText(toText(made));
    const [violation] = declared?.response.headers.findViolations(name, text) ?? [];
    if (violation !== undefined) throw breaksContract(rule, violation);
    rendered[name] = text;
  }
  return rendered;
}

function breaksContract({ name }: AnsweringRule, { message }: Violation): Problem {
  return new Problem('NOT_CONFORMING', `the fixture ${name}: ${message}`);
}

/** Reports an error in a template as the fault of its rule. */
function guard<Value>(rule: AnsweringRule, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('NOT_CONFORMING', `the template of the fixture ${rule.name}: ${reason}`);
  }
}

function describeRequest(view: RequestView): JsonObject {
  const { request, path, query } = view;
  return {
    method: request.method,
    url: query === '' ? path : `${path}?${query}`,
    path,
    pathSegments: path.split('/').slice(1),
    operationId: view.operation?.id ?? null,
    pathParameters: collect(
      parameterNames(view.operation?.path ?? '').map((name) => [name, ''] as const),
      (name) => view.value('path', name) ?? null,
    ),
    query: collect(readQuery(query), (name, text) => view.value('query', name) ?? text),
    headers: collect(request.fields.entries(), (_, text) => text),
    cookies: collect(readCookies(request.fields.get('cookie')), (_, text) => text),
    body: view.body ?? null,
    bodyText: view.bodyText,
  };
}

/** Collects members; of several with one name, the first. */
function collect(
  entries: Iterable<readonly [name: string, text: string]>,
  readValue: (name: string, text: string) => JsonValue,
): JsonObject {
  const members: JsonObject = {};
  for (const [name, text] of entries) {
    if (!Object.hasOwn(members, name)) setMember(members, name, readValue(name, text));
  }
  return members;
}
