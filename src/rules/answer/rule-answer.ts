import { errorResponses } from '../../contract/contract.ts';
import { chooseFailure } from '../../contract/error-response.ts';
import type { Declared, DeclaredResponse } from '../../contract/responses.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../../document/diagnostic.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { allowsContent, isFieldValue } from '../../http/message.ts';
import { challengeBy } from '../../request/authenticate.ts';
import type { RuleAnswer } from '../rule.ts';
import { type AnswerPlace, fieldsOf } from './given-answer.ts';
import { CONTENT_TYPE, chooseBody, freeBody } from './rule-body.ts';
import { compileText, isTemplate, type Template } from './template.ts';

/** Compiles the response of a rule for one operation; undefined where the rule has none for it. */
export function compileRuleAnswer(at: AnswerPlace): RuleAnswer | undefined {
  const { cause, offContract } = at.answer;
  if (offContract === true) {
    const response = at.operation.responses.find(cause);
    const parts = compileParts(at, cause, undefined, () => freeBody({ ...at, response }));
    return { status: cause, cause, declared: undefined, ...parts };
  }
  const declared = findDeclared(at);
  if (declared === undefined) return undefined;
  if (declared === 'send') return compileUndeclared(at);
  const { status, response } = declared;
  const parts = compileParts(at, status, response, () => chooseBody(at, response));
  return { status, cause, declared, ...parts };
}

/** Returns the declared response; `send` for a failure that is sent though it is not declared. */
function findDeclared({ answer, operation, material }: AnswerPlace): Declared | 'send' | undefined {
  const { place, status, cause, operations, contractOnly } = answer;
  const response = operation.responses.find(cause);
  if (response !== undefined) return { status: cause, response };
  const way = contractOnly === true ? 'declared' : material.undeclaredFailures;
  if (way === 'send' && cause >= 400) return 'send';
  const near = status === undefined && way === 'declared' && chooseFailure(cause, operation);
  if (near) return near;
  if (status === undefined && operations.length === 0) return undefined;
  const keys = operation.responses.all.map(({ key }) => key).join(', ') || 'none';
  throw place
    .at(status === undefined ? 'fail' : 'status')
    .fail(
      `${operation.id} does not declare the status ${cause}`,
      `It declares ${keys}. offContract: true allows a response outside of them.`,
    );
}

/** Statuses after which a client may try again (RFC 9110 §15.6.4, RFC 6585 §4). */
const RETRYABLE = [429, 503];

/** Compiles a failure that a gateway could send; its body looks like an error of the operation. */
function compileUndeclared(at: AnswerPlace): RuleAnswer {
  const { operation, answer } = at;
  const { cause } = answer;
  const near = chooseFailure(cause, operation)?.response;
  const errors = [...(near === undefined ? [] : [near]), ...errorResponses(operation)];
  const like = errors.find(({ contents }) => contents.length > 0);
  const retry = RETRYABLE.includes(cause) ? { 'retry-after': '1' } : {};
  const challenge = cause === 401 ? challengeBy(operation.security.flat()) : {};
  const { fields, body } = compileParts(at, cause, undefined, () =>
    like === undefined ? (freeBody({ ...at, response: like }) ?? 'compose') : chooseBody(at, like),
  );
  const sent = { fields: { ...retry, ...challenge, ...fields }, body };
  return { status: cause, cause, declared: undefined, undeclared: { like }, ...sent };
}

/** Reports what is wrong in the fields together with what is wrong in the body. */
function compileParts(
  at: AnswerPlace,
  status: number,
  response: DeclaredResponse | undefined,
  choose: () => RuleAnswer['body'],
): Pick<RuleAnswer, 'fields' | 'body'> {
  const faults: Diagnostic[] = [];
  const fields = collectFaults(faults, () => compileFields(at, response));
  const body = collectFaults(faults, () => (hasBody(at, status) ? choose() : undefined));
  if (fields === undefined || faults.length > 0) throw new DiagnosticError(faults);
  return { fields, body };
}

/** HTTP allows no body for some statuses, even if the document declares one. */
function hasBody({ answer }: AnswerPlace, status: number): boolean {
  if (allowsContent(status)) return true;
  const member = ['example', 'body', 'bodyFile'].find((name) => name in answer);
  if (member === undefined) return false;
  const message = `a response with the status ${status} has no body`;
  throw answer.place.at(member).fail(message, 'Leave it out, or use another status.');
}

/** Compiles fields but `Content-Type`, in lower case; templates are checked when they are sent. */
function compileFields(
  { answer, material }: AnswerPlace,
  response?: DeclaredResponse,
): RuleAnswer['fields'] {
  const fields: Record<string, string | Template> = {};
  for (const [written, value] of Object.entries(fieldsOf(answer))) {
    const name = written.toLowerCase();
    if (name === CONTENT_TYPE) continue;
    const place = answer.place.at('headers', written);
    refuseName(place, name);
    if (answer.template === true && isTemplate(value)) {
      fields[name] = compileText(place, value, material.engine);
      continue;
    }
    refuseValue(place, name, value);
    const [violation] = response?.headers.findViolations(name, value) ?? [];
    if (violation !== undefined) throw place.fail(violation.message);
    fields[name] = value;
  }
  return fields;
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A wrong one would break the framing of the connection (RFC 9112 §11.2). */
const FRAMING_FIELDS = ['content-length', 'transfer-encoding'];

function refuseName(place: FilePlace, name: string): void {
  if (!TOKEN.test(name)) throw place.fail(`${JSON.stringify(name)} is not a field name`);
  if (!FRAMING_FIELDS.includes(name)) return;
  throw place.fail(
    `${name} cannot be set by a rule`,
    'The mock sets it itself; the fault WRONG_CONTENT_LENGTH sends a wrong one.',
  );
}

function refuseValue(place: FilePlace, name: string, value: string): void {
  if (isFieldValue(value, name)) return;
  throw place.fail(
    `the field ${name} cannot have the value ${JSON.stringify(value)}`,
    'A field has only visible characters of Latin-1, spaces and tabs.',
  );
}
