import type { Operation } from '../../contract/contract.ts';
import { chooseFailure } from '../../contract/error-response.ts';
import type { Declared } from '../../contract/responses.ts';
import { allowsContent } from '../../http/message.ts';
import type { RuleAnswer } from '../rule.ts';
import type { AnswerPlace, BodyMaterial, GivenAnswer } from './given-answer.ts';
import { chooseBody, freeBody } from './rule-body.ts';
import { compileFields } from './rule-fields.ts';

/**
 * Compiles the response of a rule for one operation of the contract.
 *
 * @param isForAll true for a rule of all operations: one that declares no error is left out
 * @returns undefined for an operation that the rule has no answer for
 * @throws {DiagnosticError} for a status, example, body or field that the operation does not allow
 */
export function compileRuleAnswer(
  answer: GivenAnswer,
  operation: Operation,
  material: BodyMaterial,
  isForAll: boolean,
): RuleAnswer | undefined {
  const { cause } = answer;
  const place = { answer, operation, material };
  if (answer.offContract === true) {
    const fields = compileFields(answer, undefined, material.engine);
    const response = operation.responses.find(cause);
    const body = hasBody(place, cause) ? freeBody(place, response, isForAll) : undefined;
    return { status: cause, cause, declared: undefined, fields, body };
  }
  const declared = findDeclared(answer, operation, isForAll);
  if (declared === undefined) return undefined;
  const fields = compileFields(answer, declared.response, material.engine);
  const body = hasBody(place, declared.status) ? chooseBody(place, declared) : undefined;
  return { status: declared.status, cause, declared, fields, body };
}

function findDeclared(
  { file, pointer, status, cause }: GivenAnswer,
  operation: Operation,
  isForAll: boolean,
): Declared | undefined {
  if (status === undefined) {
    const declared = chooseFailure(cause, operation);
    if (declared !== undefined || isForAll) return declared;
    throw file.fail(
      `${pointer}/fail`,
      `${operation.id} declares no error that could express a ${cause}`,
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

/** @throws {DiagnosticError} for a body where HTTP allows none, even if the document declares one */
function hasBody({ answer }: AnswerPlace, status: number): boolean {
  if (allowsContent(status)) return true;
  const member = (['example', 'body', 'bodyFile'] as const).find(
    (name) => answer[name] !== undefined,
  );
  if (member === undefined) return false;
  throw answer.file.fail(
    `${answer.pointer}/${member}`,
    `a response with the status ${status} has no body`,
    'Leave it out, or use another status.',
  );
}

const BEYOND = 'offContract: true allows a response outside of them.';

function listKeys(operation: Operation): string {
  return operation.responses.all.map(({ key }) => key).join(', ') || 'none';
}
