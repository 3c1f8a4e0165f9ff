import { isJsonObject } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import { breakingFaults, spoilingFaults } from '../delivery/transmission.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { FilePlace } from '../document/file-place.ts';
import { compileDelay, readPace, readStreamEffect } from './answer/delays.ts';
import type { AnswerJson, GivenAnswer, RuleMaterial } from './answer/given-answer.ts';
import { compileRuleAnswer } from './answer/rule-answer.ts';
import { compileSending } from './answer/sending.ts';
import { compileMatch } from './match/compile-match.ts';
import type { GivenRule, RuleJson } from './read-file.ts';
import type { Rule, RuleAction, RuleAnswer, RuleOrigin } from './rule.ts';
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
    line: file.locate(pointer).line,
    definition: isJsonObject(definition) ? definition : {},
  });
}
