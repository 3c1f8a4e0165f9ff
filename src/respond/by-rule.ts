import { STATUS_CODES } from 'node:http';
import { type Awaitable, after } from '../base/awaitable.ts';
import { toTimestamp } from '../base/clock.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem, type Violation } from '../base/problem.ts';
import type { Random } from '../base/random.ts';
import { validateBody } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import { parameterNames } from '../contract/template-segment.ts';
import { readCookies, readQuery } from '../http/query.ts';
import { splitNames } from '../http/split.ts';
import type { RoutedRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Template, TemplateScope } from '../rules/answer/template.ts';
import {
  type AnsweringRule,
  decide,
  findRequested,
  listPlaces,
  type Phase,
} from '../rules/decide.ts';
import type { Rule, RuleAnswer } from '../rules/rule.ts';
import type { SessionFixtures } from '../rules/session-fixtures.ts';
import type { Call } from '../session/call.ts';
import { findViolations, notConforming, toResponse } from './conform/conform.ts';
import type { ErrorBodies } from './error-body.ts';
import { type Candidate, type MockResponse, nameSource, type ResponseSource } from './response.ts';

/** The source that responds as the rules say. */
export function ruleSource(errorBodies: ErrorBodies): ResponseSource {
  return (request, call, view) => {
    return after(
      ask('valid', request, call, view),
      (rule) => rule && respondByRule(rule, request.operation, { errorBodies, call, view }),
    );
  };
}

/**
 * Responds by a rule before anything is checked: a real outage does not look at credentials first,
 * and a slow network is slow for invalid requests too.
 *
 * @returns undefined if the request continues
 * @throws {Problem} UNKNOWN_FIXTURE
 */
export function respondToOutage(
  request: RoutedRequest,
  call: Call,
  view: RequestView,
  errorBodies: ErrorBodies,
): Awaitable<MockResponse | undefined> {
  return after(ask('outage', request, call, view), (rule) => {
    if (rule === undefined) return undefined;
    const candidate = respondByRule(rule, request.operation, { errorBodies, call, view });
    if (candidate === undefined) return undefined;
    const violations = findViolations(candidate);
    if (violations.length > 0) throw notConforming(candidate, violations);
    return toResponse(candidate);
  });
}

function ask(
  phase: Phase,
  { fields, operation }: RoutedRequest,
  call: Call,
  view: RequestView,
): Awaitable<AnsweringRule | undefined> {
  const { session, effects } = call;
  const { fixtures } = session;
  const field = fields.get('mock-fixture');
  const repeated = call.replay?.rules ?? NONE;
  const named = field === undefined ? NONE : splitNames(field);
  if (repeated.length + named.length === 0 && fixtures.rulesFor(operation).length === 0) {
    return undefined;
  }
  const requested = [
    ...repeated.flatMap((name) => findRepeated(name, fixtures)),
    ...named.flatMap((name) => findRequested(name, operation, fixtures)),
  ];
  const isExclusive = repeated.length > 0;
  const randomFor = (purpose: string): Random => call.chanceOf(purpose);
  const asked = { operation, view, now: call.now(), randomFor, requested, isExclusive };
  const before = effects.recorded;
  return session.takeTurns(
    () => listPlaces(phase, asked, fixtures),
    (memory) => {
      effects.recorded = before;
      return decide(phase, asked, fixtures, memory, effects);
    },
  );
}

const NONE: readonly string[] = [];

/** Returns the rule that acted in the call to replay. */
function findRepeated(name: string, fixtures: SessionFixtures): readonly Rule[] {
  const rule = fixtures.find(name);
  if (rule !== undefined) return [rule];
  throw new Problem(
    'UNKNOWN_FIXTURE',
    `the failure was the work of the fixture ${JSON.stringify(name.slice(0, 80))}, which this ` +
      'session does not have: give it again first',
  );
}

interface RuleContext {
  readonly errorBodies: ErrorBodies;
  readonly call: Call;
  readonly view: RequestView;
}

function respondByRule(
  rule: AnsweringRule,
  operation: Operation,
  asking: RuleContext,
): Candidate | undefined {
  const { action } = rule;
  const source = nameSource('fixture', 'name', rule.name);
  if (action.kind === 'fault') {
    const payload = { kind: 'fault', fault: action.fault } as const;
    return { source, declared: undefined, status: 0, fields: {}, payload, isMandatory: true };
  }
  const answer = action.answerOf(operation);
  if (answer === undefined) return undefined;
  const render = createRender(asking);
  return {
    source,
    declared: answer.declared,
    status: answer.status,
    fields: renderFields(rule, answer, render),
    payload: makePayload(rule, answer, asking, render),
    isMandatory: true,
  };
}

function makePayload(
  rule: AnsweringRule,
  answer: RuleAnswer,
  { errorBodies, view }: RuleContext,
  render: Render,
): Candidate['payload'] {
  const { body, declared } = answer;
  if (body === undefined) return { kind: 'none' };
  if (body === 'compose') {
    const accept = view.request.fields.get('accept');
    const composed =
      declared && errorBodies.compose(declared.response, toFacts(rule, answer), accept);
    return composed === undefined ? { kind: 'none' } : { kind: 'value', ...composed };
  }
  if (body.kind === 'text') return body;
  const value = guard(rule, () => body.template(render));
  if (body.content !== undefined && (body.content.isJson || typeof value !== 'string')) {
    return { kind: 'value', content: body.content, value };
  }
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const [violation] = body.content === undefined ? [] : validateBody(body.content, text);
  if (violation !== undefined) throw breaksContract(rule, violation);
  return { kind: 'text', mediaType: body.mediaType, text };
}

/** Returns what an error body says if the document has no example. */
function toFacts(rule: AnsweringRule, { cause }: RuleAnswer) {
  const message = rule.description ?? `the fixture ${rule.name} answers`;
  return {
    status: cause,
    title: STATUS_CODES[cause] ?? message,
    name: rule.name,
    type: 'about:blank',
    message,
    violations: [],
  };
}

type Render = (template: Template) => JsonValue;

/**
 * Returns a renderer of templates. It describes the request once, when the first template needs it.
 */
function createRender({ call, view }: RuleContext): Render {
  let scope: TemplateScope | undefined;
  return (template) => {
    scope ??= {
      request: describeRequest(view),
      session: call.session.id,
      call: call.number,
      now: toTimestamp(call.now()),
    };
    return template.render(scope);
  };
}

function renderFields(
  rule: AnsweringRule,
  { fields, declared }: RuleAnswer,
  render: Render,
): Readonly<Record<string, string>> {
  const rendered: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      rendered[name] = value;
      continue;
    }
    const text = toFieldText(guard(rule, () => render(value)));
    const [violation] = declared?.response.headers.findViolations(name, text) ?? [];
    if (violation !== undefined) throw breaksContract(rule, violation);
    rendered[name] = text;
  }
  return rendered;
}

function breaksContract({ name }: AnsweringRule, { message }: Violation): Problem {
  return new Problem('NOT_CONFORMING', `the fixture ${name}: ${message}`);
}

/** Replaces characters with which a client could begin another field or response (CWE-113). */
function toFieldText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return text.replaceAll(/[^\t -~\u0080-\u00ff]/g, '?');
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
    pathParameters: describePathParameters(view),
    query: collect(readQuery(query), (name, text) => view.value('query', name) ?? text),
    headers: collect(request.fields.entries(), (_, text) => text),
    cookies: collect(readCookies(request.fields.get('cookie')), (_, text) => text),
    body: view.body ?? null,
    bodyText: view.bodyText,
  };
}

function describePathParameters(view: RequestView): JsonObject {
  return collect(
    parameterNames(view.operation?.path ?? '').map((name) => [name, ''] as const),
    (name) => view.value('path', name) ?? null,
  );
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
