import type { Operation } from '../../contract/contract.ts';
import { chooseFailure } from '../../contract/error-response.ts';
import type { Declared } from '../../contract/responses.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { allowsContent } from '../../http/status.ts';
import type { RuleAnswer } from '../rule.ts';
import type { AnswerDefinition } from '../rule-definition.ts';
import type { AnswerPlace, BodyMaterial } from './answer-place.ts';
import { chooseBody, freeBody } from './rule-body.ts';
import { compileFields } from './rule-fields.ts';

/** An answer of a rule that has a status, to be answered as it is or told as the contract can. */
export type StatusAnswer = AnswerDefinition &
  ({ readonly status: number } | { readonly status: undefined; readonly fail: number });

/** What answers are compiled with. */
export type AnswerMaterial = BodyMaterial;

/**
 * Holds a rule's answer against one operation of the contract.
 *
 * @param file the fixture file, for places
 * @param isForAll true for a rule of all operations: one that declares no error is passed over
 * @returns undefined for an operation that the rule has no answer for
 * @throws {DiagnosticError} for a status, example, body or field that the operation does not allow
 */
export function compileRuleAnswer(
  file: SourceDocument,
  answer: StatusAnswer,
  operation: Operation,
  material: AnswerMaterial,
  isForAll: boolean,
): RuleAnswer | undefined {
  const cause = answer.status ?? answer.fail;
  const place = { file, answer, operation, material };
  if (answer.offContract) {
    const fields = compileFields(file, answer, undefined, material.engine);
    const response = operation.responses.find(cause);
    const body = hasBody(place, cause) ? freeBody(place, response, isForAll) : undefined;
    return { status: cause, cause, declared: undefined, fields, body };
  }
  const declared = findDeclared(file, answer, operation, isForAll);
  if (declared === undefined) return undefined;
  const fields = compileFields(file, answer, declared.response, material.engine);
  const body = hasBody(place, declared.status) ? chooseBody(place, declared, cause) : undefined;
  return { status: declared.status, cause, declared, fields, body };
}

function findDeclared(
  file: SourceDocument,
  { pointer, status, fail = 0 }: StatusAnswer,
  operation: Operation,
  isForAll: boolean,
): Declared | undefined {
  if (status === undefined) {
    const declared = chooseFailure(fail, operation);
    if (declared !== undefined || isForAll) return declared;
    throw file.fail(
      `${pointer}/fail`,
      `${operation.id} declares no error that could tell of a ${fail}`,
      `It declares ${listKeys(operation)}. ${BEYOND}`,
    );
  }
  const response = operation.responses.find(status);
  if (response !== undefined) return { status, response };
  throw file.fail(
    `${pointer}/status`,
    `${operation.id} does not declare the status ${status}`,
    `It declares ${listKeys(operation)}. ${BEYOND}`,
  );
}

/** @throws {DiagnosticError} for a body where HTTP allows none, whatever a document says */
function hasBody({ file, answer }: AnswerPlace, status: number): boolean {
  if (allowsContent(status)) return true;
  const { pointer, example, body } = answer;
  if (example === undefined && body === undefined && answer.bodyFile === undefined) return false;
  const member = example !== undefined ? 'example' : body !== undefined ? 'body' : 'bodyFile';
  throw file.fail(
    `${pointer}/${member}`,
    `an answer with the status ${status} has no body`,
    'Leave it out, or answer with another status.',
  );
}

const BEYOND = 'offContract: true allows an answer outside of them.';

function listKeys(operation: Operation): string {
  return operation.responses.all.map(({ key }) => key).join(', ') || 'none';
}
