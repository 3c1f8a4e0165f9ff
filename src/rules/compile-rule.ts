import { isJsonObject } from '../base/json/value.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type BreakingFault, breakingFaults, spoilingFaults } from '../delivery/fault.ts';
import type { SourceDocument } from '../document/source-document.ts';
import type { RequestPattern } from '../request/request-pattern.ts';
import { compileDelay } from './answer/delay.ts';
import { type AnswerMaterial, compileRuleAnswer, type StatusAnswer } from './answer/rule-answer.ts';
import { compileMatch } from './match/compile-match.ts';
import type { Rule, RuleAction, RuleAnswer, RuleOrigin } from './rule.ts';
import type { AnswerDefinition, RuleDefinition } from './rule-definition.ts';
import { compileTurn } from './turn/compile-turn.ts';

/** What a rule is compiled with besides its file. */
export interface RuleMaterial extends AnswerMaterial {
  readonly contract: Contract;
}

/**
 * Holds one rule of a fixture file against the contract.
 *
 * @param isEnabled as the file says it, or as the rule was switched on by name
 * @throws {DiagnosticError} with file, line and column
 */
export function compileRule(
  file: SourceDocument,
  definition: RuleDefinition,
  isEnabled: boolean,
  material: RuleMaterial,
): Rule {
  const { name, answer } = definition;
  const pattern = compileMatch(file, definition.match, material.contract);
  const delay = compileDelay(answer.delay);
  const given = withStatus(definition);
  const breaking = breakingFaults.find((fault) => fault === answer.fault);
  const spoiling = spoilingFaults.find((fault) => fault === answer.fault);
  const onlyDelays = given === undefined && answer.fault === undefined && delay !== undefined;
  const operations = operationsOf(definition, pattern, material.contract);
  return Object.freeze({
    name,
    description: definition.description,
    isEnabled,
    priority: definition.priority,
    isOutage: !pattern.readsBody && isOutage(definition, given, delay !== undefined),
    operations,
    pattern,
    turn: compileTurn(file, definition.turn, { name, operations, onlyDelays }),
    delay,
    pace: answer.pace,
    spoiling,
    action: compileAction(file, given, breaking, operations, material),
    origin: findOrigin(file, definition),
  } satisfies Rule);
}

/** The answer with a status; a limit without one answers what limits answer (RFC 6585 §4). */
function withStatus({ answer, turn }: RuleDefinition): StatusAnswer | undefined {
  const { status, fail } = answer;
  if (status !== undefined) return { ...answer, status };
  if (fail !== undefined) return { ...answer, fail };
  if (turn.rateLimit === undefined || answer.fault !== undefined) return undefined;
  return { ...answer, fail: 429 };
}

/** The operations that the rule names; none for a rule that is for all. */
function operationsOf(
  { match }: RuleDefinition,
  pattern: RequestPattern,
  contract: Contract,
): readonly Operation[] {
  if (pattern.operation !== undefined) return [pattern.operation];
  const { operationIds, path, method } = match;
  if (operationIds.length > 0) return operationIds.flatMap((id) => contract.operation(id) ?? []);
  if (path === undefined || method === undefined) return [];
  return contract.operations.filter(
    (one) => one.path === path && one.method.toUpperCase() === method.toUpperCase(),
  );
}

function compileAction(
  file: SourceDocument,
  answer: StatusAnswer | undefined,
  breaking: BreakingFault | undefined,
  named: readonly Operation[],
  material: RuleMaterial,
): RuleAction | undefined {
  if (breaking !== undefined) return { kind: 'fault', fault: breaking };
  if (answer === undefined) return undefined;
  const isForAll = named.length === 0;
  const known = new Map<Operation, RuleAnswer | undefined>();
  const compile = (operation: Operation): RuleAnswer | undefined =>
    operation.fault === undefined
      ? compileRuleAnswer(file, answer, operation, material, isForAll)
      : undefined;
  // What names its operations or its status is told at load; what is for every operation of a large
  // document, each failing as it can, is worked out for those that are called.
  const isLazy = isForAll && answer.fail !== undefined && isSimple(answer);
  for (const operation of isLazy ? [] : isForAll ? material.contract.operations : named) {
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

function isSimple({ headers, ...answer }: AnswerDefinition): boolean {
  const said = [answer.example, answer.body, answer.bodyFile, answer.contentType];
  return said.every((one) => one === undefined) && Object.keys(headers).length === 0;
}

/** 5xx, 429, connection faults and delays: what happens before anyone looks at who asks. */
function isOutage(
  { answer, turn }: RuleDefinition,
  given: StatusAnswer | undefined,
  hasDelay: boolean,
): boolean {
  if (given !== undefined) {
    const status = given.status ?? given.fail ?? 0;
    return status >= 500 || status === 429;
  }
  const happens = answer.fault !== undefined || answer.pace !== undefined;
  return happens || hasDelay || turn.scenario?.newState === undefined;
}

function findOrigin(file: SourceDocument, { pointer }: RuleDefinition): RuleOrigin {
  const definition = file.at(pointer);
  return Object.freeze({
    file: file.file,
    line: file.locate(pointer).line,
    definition: isJsonObject(definition) ? definition : {},
  });
}
