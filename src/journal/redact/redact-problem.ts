import { toPath } from '../../base/json/pointer.ts';
import { type Refusal, ReturnedRefusal, type Violation } from '../../base/problem.ts';
import { decodePercent } from '../../http/query.ts';
import type { RequestView } from '../../request/view.ts';
import { beginShowing, isSecretAt, type Redaction, type Showing } from './redaction.ts';
import { isSecretObject, QUOTE, REDACTED, SecretTexts, unquote } from './secrets.ts';
import { schemaOfRequest, showRequestBody } from './show-body.ts';
import { showFields, showParameters, showPath, showTarget } from './show-fields.ts';

/** Returns a refusal that quotes no secret of its request, for responses, log and journal. */
export function redactProblem(problem: Refusal, view: RequestView, redaction: Redaction): Refusal {
  if (redaction.showsSecrets) return problem;
  return problem.violations.length > 0
    ? redactViolations(problem, view, redaction)
    : redactMessage(problem, view, redaction);
}

function redactViolations(problem: Refusal, view: RequestView, redaction: Redaction): Refusal {
  // Found once, and only for an operation with secrets: many requests are refused.
  const hasSecrets = view.operation !== undefined && redaction.redactsBodyOf(view.operation);
  const secretBody = hasSecrets ? schemaOfRequest(view, redaction) : undefined;
  const isOnSecret = ({ in: location, pointer, got }: Violation): boolean => {
    if (redaction.namesSecret(pointer) || isSecretObject(got)) return true;
    if (location === 'body' && secretBody === undefined) return false;
    const path = toPath(pointer);
    if (location === 'body') return isSecretAt(secretBody, path);
    const { operation } = view;
    const [name = '', ...members] = path;
    if (redaction.redactsQuote(location, name, operation)) return true;
    return members.length > 0 && isSecretAt(redaction.schemaOf(location, name, operation), members);
  };
  if (!problem.violations.some(isOnSecret)) return problem;
  let detail = problem.message;
  const violations = problem.violations.map((violation) => {
    if (!isOnSecret(violation)) return violation;
    const shown = withoutQuote(violation);
    detail = detail.replaceAll(violation.message, () => shown.message);
    return shown;
  });
  return copyProblem(problem, detail, violations);
}

/** The texts of a violation for a value that is missing or does not matter. */
const NOTHING = new Set(['nothing', 'it']);

function withoutQuote(violation: Violation): Violation {
  const { got, message } = violation;
  if (NOTHING.has(got)) return violation;
  const shown = message.endsWith(got)
    ? message.slice(0, -got.length) + REDACTED
    : message.replaceAll(got, () => REDACTED);
  return { ...violation, got: REDACTED, message: shown };
}

/** A message without violations may quote any part of the request. */
function redactMessage(problem: Refusal, view: RequestView, redaction: Redaction): Refusal {
  const { message } = problem;
  if (!message.includes('"')) return problem;
  const quotes = message.match(QUOTE)?.map(textOf) ?? [];
  // Only secrets that a quote is a part of are looked for: most messages quote none.
  const isQuoted = (text: string): boolean =>
    quotes.some((quote) => text.includes(quote) || decodePercent(text)?.includes(quote) === true);
  const { path, request } = view;
  const showing = beginShowing(redaction, view);
  const shownPath = showPath(path, showing);
  showTarget(showing);
  showFields(
    request.fields.entries().filter(([, value]) => isQuoted(value)),
    showing,
  );
  const ofBody = quotes.filter((quote) => !request.target.includes(quote));
  const isHiddenBody = ofBody.length > 0 && mayHideBody(showing);
  const detail = new SecretTexts(showing.secrets)
    .removeFromMessage(message.replaceAll(path, () => shownPath))
    .replaceAll(QUOTE, (quote) => (isHiddenBody && isInBody(quote, view) ? REDACTED : quote));
  return detail === problem.message ? problem : copyProblem(problem, detail, []);
}

/** Longer bodies are not searched for secrets: a refusal quotes nothing of them. */
const LONGEST_BODY = 64 * 1024;

/** Finds the secrets of a body; returns true if it is not shown, as it cannot be read. */
function mayHideBody(showing: Showing): boolean {
  const { rawBody } = showing.view.request;
  if (rawBody.length > LONGEST_BODY) return true;
  const { raw, value } = showRequestBody(showing);
  return value === undefined && raw['body'] === REDACTED;
}

function isInBody(quote: string, { bodyText }: RequestView): boolean {
  return bodyText.includes(textOf(quote));
}

/** Returns the text of a quote, which may be only its beginning. */
function textOf(quote: string): string {
  return unquote(quote).replace(/…$/, '');
}

function copyProblem(from: Refusal, detail: string, violations: readonly Violation[]): Refusal {
  const { problem, fields } = from;
  return new ReturnedRefusal(problem, detail, { violations, fields });
}

/** Returns the secrets of a request, which can be removed from texts about it. */
export function findSecrets(showing: Showing): SecretTexts {
  if (!showing.redaction.showsSecrets) {
    showTarget(showing);
    showFields(showing.view.request.fields.entries(), showing);
    showParameters(showing);
    showRequestBody(showing);
  }
  return new SecretTexts(showing.secrets);
}
