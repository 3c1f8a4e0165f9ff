import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { listOutgoing, type OutgoingOperation } from '../contract/callbacks.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { breakingFaults, spoilingFaults } from '../delivery/transmission.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { FilePlace } from '../document/source-document.ts';
import { compileDelay, readPace, readStreamEffect } from './answer/delays.ts';
import {
  type AnswerJson,
  fieldsOf,
  type GivenAnswer,
  type RuleMaterial,
} from './answer/given-answer.ts';
import { compileRuleAnswer } from './answer/rule-answer.ts';
import { type CompiledMatch, compileMatch } from './match/compile-match.ts';
import type { GivenRule, RuleJson } from './read-file.ts';
import type { Rule, RuleAction, RuleAnswer, RuleOrigin, Sending } from './rule.ts';
import { compileTurn } from './turn/compile-turn.ts';

export function compileRule(given: GivenRule, isEnabled: boolean, material: RuleMaterial): Rule {
  const { place, rule } = given;
  const { name, description, priority = 5, match = {}, answer = {} } = rule;
  const faults: Diagnostic[] = [];
  const attempt = <Part>(compile: () => Part) => collectFaults(faults, compile);
  const pattern = attempt(() => compileMatch(place.at('match'), match, material.contract));
  const delay = attempt(() => compileDelay(place.at('answer'), answer));
  // Without its operations, nothing can be said about the rest of a rule.
  if (pattern === undefined) throw new DiagnosticError(faults);
  const { operations } = pattern;
  const status = statusOf(rule);
  const onlyDelays = status === undefined && answer.fault === undefined && delay !== undefined;
  const givenAnswer = { ...answer, place: place.at('answer'), cause: status ?? 0, operations };
  const turn = attempt(() => compileTurn(place, rule, { name, operations, onlyDelays }));
  const sending = attempt(() =>
    compileSending(place.at('answer'), answer, pattern, material.contract),
  );
  const isOfCallback = pattern.callback !== undefined;
  const action = isOfCallback ? undefined : attempt(() => compileAction(givenAnswer, material));
  if (faults.length > 0 || turn === undefined) throw new DiagnosticError(faults);
  return Object.freeze({
    name,
    description,
    isEnabled,
    // 1 is applied first, as in WireMock.
    priority,
    isOutage: !isOfCallback && !pattern.readsBody && isOutage(rule, status, delay !== undefined),
    operations,
    pattern,
    turn,
    delay,
    pace: readPace(answer),
    stream: readStreamEffect(answer),
    spoiling: spoilingFaults.find((fault) => fault === answer.fault),
    sending,
    action,
    origin: findOrigin(place),
  } satisfies Rule);
}

/** Returns the status of a rule; a rate limit without one has its own (RFC 6585 §4). */
function statusOf({ answer = {}, rateLimit }: RuleJson): number | undefined {
  const isLimit = rateLimit !== undefined && answer.fault === undefined;
  return answer.status ?? answer.fail ?? (isLimit ? 429 : undefined);
}

/** @param answer its status is 0 for a rule without one */
function compileAction(answer: GivenAnswer, material: RuleMaterial): RuleAction | undefined {
  const breaking = breakingFaults.find((fault) => fault === answer.fault);
  if (breaking !== undefined) return { kind: 'fault', fault: breaking };
  if (answer.cause === 0) return undefined;
  const { operations } = answer;
  const isForAll = operations.length === 0;
  const known = new Map<Operation, RuleAnswer | undefined>();
  const compile = (operation: Operation): RuleAnswer | undefined =>
    operation.fault === undefined ? compileRuleAnswer({ answer, operation, material }) : undefined;
  // A rule that names its operations or its status is checked at load. One that fails every
  // operation of a large document as that operation allows is compiled for those that are called.
  const isLazy = isForAll && answer.status === undefined && isPlain(answer);
  for (const operation of isLazy ? [] : isForAll ? material.contract.operations : operations) {
    known.set(operation, compile(operation));
  }
  return {
    kind: 'answer',
    answerOf(operation) {
      if (isLazy && !known.has(operation)) known.set(operation, compile(operation));
      return known.get(operation);
    },
  };
}

function isPlain({ example, body, bodyFile, headers = {} }: AnswerJson): boolean {
  const isEmpty = example === undefined && body === undefined && bodyFile === undefined;
  return isEmpty && Object.keys(headers).length === 0;
}

/** Returns whether a rule acts before a credential is checked: 5xx, 429, faults and delays. */
function isOutage(rule: RuleJson, status: number | undefined, hasDelay: boolean): boolean {
  if (status !== undefined) return status >= 500 || status === 429;
  const { answer = {}, newScenarioState } = rule;
  const hasEffect =
    answer.fault !== undefined ||
    readPace(answer) !== undefined ||
    readStreamEffect(answer) !== undefined;
  return hasEffect || hasDelay || newScenarioState === undefined;
}

function findOrigin({ file, pointer }: FilePlace): RuleOrigin {
  const definition = file.at(pointer);
  return Object.freeze({
    file: file.file,
    get line() {
      return file.locate(pointer).line;
    },
    definition: isJsonObject(definition) ? definition : {},
  });
}

/** The members of an answer that a callback can have. */
const OF_CALLBACKS = [
  'deliveries',
  'body',
  'headers',
  'offContract',
  'fixedDelayMilliseconds',
  'delayDistribution',
];

/** Compiles how a rule changes a callback; undefined for a rule of received requests. */
function compileSending(
  place: FilePlace,
  answer: AnswerJson,
  { callback, operations }: CompiledMatch,
  contract: Contract,
): Sending | undefined {
  const { deliveries, body, offContract = false } = answer;
  if (callback === undefined) {
    if (deliveries === undefined) return undefined;
    const remedy = 'Name a callback: match: { callback: … }.';
    throw place.at('deliveries').fail('only callbacks have deliveries', remedy);
  }
  for (const name of Object.keys(answer)) {
    if (OF_CALLBACKS.includes(name)) continue;
    throw place.at(name).fail(`a callback has no ${name}`, `It has ${OF_CALLBACKS.join(', ')}.`);
  }
  const declared = listOutgoing(contract).filter(
    ({ outgoing, caller }) =>
      outgoing.name === callback &&
      (operations.length === 0 || (caller !== undefined && operations.includes(caller))),
  );
  if (body !== undefined && !offContract) {
    for (const { outgoing } of declared) refuseBody(place.at('body'), body, outgoing);
  }
  const fields = Object.entries(fieldsOf(answer)).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    deliveries,
    body: body === undefined ? undefined : { value: body, offContract },
    fields: Object.fromEntries(fields),
  };
}

function refuseBody(
  place: FilePlace,
  body: JsonValue,
  { name, contents }: OutgoingOperation,
): void {
  const [violation] = contents[0]?.schema?.check(body, 'body') ?? [];
  if (violation === undefined) return;
  throw place.fail(
    `the body breaks the contract of the callback ${name}: ${violation.message}`,
    'Correct the body; offContract: true allows one outside of the contract.',
  );
}
