import { parseJsonOrText } from '../base/json/parse.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleInSession, SessionFixtures } from '../rules/session-fixtures.ts';
import { addRules, compileFile, freeName, parseBody, refuseRule } from './body-rules.ts';
import { type ControlOperations, jsonResponse } from './call.ts';
import { describeFixture, findFixture } from './fixtures.ts';
import { durationOf, numberOf, objectOf, pick } from './members.ts';

/** Failures for the next requests: the short form of a rule. */
export const failOperations: ControlOperations = {
  failNext(call) {
    const { fixtures } = call.session;
    removeUsedUp(fixtures);
    const name = freeName(KIND, fixtures);
    const file = { rules: [toRule(call.members, name)] };
    const compiled = compileFile(fixtures, file, (error) =>
      refuseRule('INVALID_FIXTURE', error, parseBody(call), toBodyPointer),
    );
    addRules(call, compiled);
    const fixture = findFixture(call, name);
    const answers = planAnswers(fixture.rule, call.pipeline.contract.operations);
    return jsonResponse({ fixture: describeFixture(fixture), answers }, 201);
  },
};

const KIND = 'fail';

/** Removes rules that have acted `times` times: a test suite may add thousands of them. */
function removeUsedUp(fixtures: SessionFixtures): void {
  for (const { rule } of fixtures.list().filter(isUsedUp)) fixtures.remove(rule.name);
}

function isUsedUp({ rule, isAdded, matched }: RuleInSession): boolean {
  const times = numberOf(rule.origin.definition, 'times') ?? Number.POSITIVE_INFINITY;
  return isAdded && /^fail-\d+$/.test(rule.name) && matched >= times;
}

/** Maps a pointer into the rule to a pointer into the short form. */
function toBodyPointer(pointer: string): string {
  return pointer
    .replace(/^\/rules\/0/, '')
    .replace(/^\/answer(?=\/|$)/, '')
    .replace(/^\/fail(?=\/|$)/, '/status')
    .replace(/^\/fixedDelayMilliseconds$/, '/delay')
    .replace(/^\/match\/(operationId|method|path)$/, '/$1');
}

/** Builds the rule. Among rules of priority 1, the highest, the newest acts. */
function toRule(failure: JsonObject, name: string): JsonObject {
  const status = numberOf(failure, 'status');
  const delay = durationOf(failure, 'delay', '2s');
  const match = {
    ...objectOf(failure, 'match'),
    ...pick(failure, ['operationId', 'method', 'path']),
  };
  return {
    name,
    priority: 1,
    times: numberOf(failure, 'times') ?? 1,
    ...(Object.keys(match).length > 0 && { match }),
    answer: {
      // `status` is refused where `contractOnly` takes the nearest declared error for `fail`.
      ...(status !== undefined && { [status >= 400 ? 'fail' : 'status']: status }),
      ...pick(failure, ['example', 'body', 'headers', 'fault', 'offContract', 'contractOnly']),
      ...(delay !== undefined && { fixedDelayMilliseconds: delay }),
    },
  };
}

const MOST_PLANNED = 10;

/** Returns the responses that the rule will give, for up to ten of its operations. */
function planAnswers(rule: Rule, all: readonly Operation[]): JsonValue {
  const { operations } = rule;
  const planned: JsonObject[] = [];
  for (const one of operations.length === 0 ? all : operations) {
    if (planned.length >= MOST_PLANNED) break;
    const plan = planAnswer(rule, one);
    if (plan !== undefined) planned.push(plan);
  }
  return planned;
}

function planAnswer(
  { action, delay, spoiling }: Rule,
  operation: Operation,
): JsonObject | undefined {
  const beginning = {
    operationId: operation.id,
    ...(spoiling !== undefined && { fault: spoiling }),
    ...(delay !== undefined && { delayMilliseconds: delay.draw({ next: () => 0 }, 1) }),
  };
  if (action === undefined) return beginning;
  if (action.kind === 'fault') return { ...beginning, fault: action.fault };
  const answer = action.answerOf(operation);
  if (answer === undefined) return undefined;
  const { status, body, undeclared } = answer;
  const plan = { ...beginning, status, ...(undeclared !== undefined && { undeclared: true }) };
  // These bodies depend on the request.
  if (body === undefined || body === 'compose' || body.kind === 'template') return plan;
  return { ...plan, mediaType: body.mediaType, body: parseJsonOrText(asText(body.text)) };
}

function asText(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}
