import { toPath } from '../../base/json/pointer.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import type { RequestView } from '../../request/view.ts';
import { beginShowing, isSecretAt, type Redaction, type Showing, schemaOf } from './redaction.ts';
import {
  createSecretTexts,
  isSecretObject,
  QUOTE,
  REDACTED,
  type SecretTexts,
  unquote,
} from './secrets.ts';
import { schemaOfRequest, showRequestBody } from './show-body.ts';
import { showFields, showParameters, showPath, showTarget } from './show-fields.ts';

/**
 * Returns a refusal that quotes no secret of its request: what it says is in the response, in the
 * log, in the journal and in events.
 */
export function redactProblem(problem: Problem, view: RequestView, redaction: Redaction): Problem {
  if (redaction.showsSecrets) return problem;
  return problem.violations.length > 0
    ? redactViolations(problem, view, redaction)
    : redactMessage(problem, view, redaction);
}

function redactViolations(problem: Problem, view: RequestView, redaction: Redaction): Problem {
  let detail = problem.message;
  const violations = problem.violations.map((violation) => {
    if (!isOnSecret(violation, view, redaction)) return violation;
    const shown = withoutQuote(violation);
    detail = detail.replaceAll(violation.message, () => shown.message);
    return shown;
  });
  return detail === problem.message ? problem : copyProblem(problem, detail, violations);
}

function isOnSecret(
  { in: location, pointer, got }: Violation,
  view: RequestView,
  redaction: Redaction,
): boolean {
  const path = toPath(pointer);
  if (path.some((name) => redaction.redactsMember(name)) || isSecretObject(got)) return true;
  if (location === 'body') {
    const schema = schemaOfRequest(view, redaction);
    return redaction.redactsAnyOf(schema) && isSecretAt(schema, path);
  }
  const { operation } = view;
  const [name = '', ...members] = path;
  if (redaction.redactsQuote(location, name, operation)) return true;
  const schema = redaction.schemaAt(schemaOf(operation, location, name));
  return members.length > 0 && isSecretAt(schema, members);
}

/** The texts of a violation for a value that is missing or does not matter. */
const NOTHING = new Set(['nothing', 'it']);

function withoutQuote(violation: Violation): Violation {
  const { got, message } = violation;
  if (NOTHING.has(got)) return violation;
  const isLast = message.endsWith(got);
  return {
    ...violation,
    got: REDACTED,
    message: isLast
      ? message.slice(0, -got.length) + REDACTED
      : message.replaceAll(got, () => REDACTED),
  };
}

/** A message without violations may quote any part of the request. */
function redactMessage(problem: Problem, view: RequestView, redaction: Redaction): Problem {
  if (!problem.message.includes('"')) return problem;
  const { path } = view;
  const showing = beginShowing(redaction, view);
  const texts = findSecrets(showing);
  const shownPath = showPath(path, showing);
  const detail = texts
    .removeFromMessage(problem.message.replaceAll(path, () => shownPath))
    .replaceAll(QUOTE, (quote) => (isOfHiddenBody(quote, showing) ? REDACTED : quote));
  return detail === problem.message ? problem : copyProblem(problem, detail, []);
}

/** Returns true for a quote of a body of which nothing is shown, as it cannot be read. */
function isOfHiddenBody(quote: string, showing: Showing): boolean {
  const { raw, value } = showRequestBody(showing);
  const text = unquote(quote).replace(/…$/, '');
  return value === undefined && raw['body'] === REDACTED && showing.view.bodyText.includes(text);
}

function copyProblem(
  { problem, fields, cause }: Problem,
  detail: string,
  violations: readonly Violation[],
): Problem {
  return new Problem(problem, detail, { violations, cause, ...(fields && { fields }) });
}

/** Returns what removes the secrets of a request from texts about it. */
export function findSecrets(showing: Showing): SecretTexts {
  if (!showing.redaction.showsSecrets) {
    showTarget(showing);
    showFields(showing.view.request.fields.entries(), showing);
    showParameters(showing);
    showRequestBody(showing);
  }
  return createSecretTexts(showing.secrets);
}
