import { toPath } from '../../base/json/pointer.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { ToldProblem, Violation } from '../../base/problem.ts';
import type { RequestView } from '../../request/view.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { KeptProblem } from '../keep/kept-problem.ts';
import { hidesPlace } from './hidden-schema.ts';
import { REDACTED } from './redaction.ts';
import type { Showing } from './showing.ts';
import { schemaOfRequest } from './shown-schemas.ts';

/**
 * Describes a refusal and each of its violations, without what they quote of secrets.
 *
 * @param violations of the problem, where they are not its own
 * @param view of the request that was refused
 */
export function showProblem(
  problem: ToldProblem,
  violations: readonly Violation[],
  view: RequestView,
  showing: Showing,
): { readonly problem: JsonObject; readonly violations: readonly JsonObject[] } {
  const body = schemaOfRequest(view, showing.redaction);
  const isLost = problem instanceof KeptProblem && problem.violationCount > violations.length;
  // What cannot be told apart any more may quote a secret.
  let detail = isLost && !showing.redaction.showsSecrets ? REDACTED : problem.message;
  const shownViolations = violations.map((violation) => {
    const shown = isOnSecret(violation, body, showing) ? withoutQuote(violation) : violation;
    if (shown !== violation) detail = detail.replaceAll(violation.message, () => shown.message);
    const { in: location, pointer, keyword, expected, got, message } = shown;
    return { in: location, pointer, keyword, expected, got, message };
  });
  const { type, title, status } = problem;
  return { problem: { type, title, status, detail }, violations: shownViolations };
}

function isOnSecret(
  { in: location, pointer }: Violation,
  body: SchemaNode | undefined,
  { redaction, operation }: Showing,
): boolean {
  if (redaction.showsSecrets) return false;
  const path = toPath(pointer);
  if (path.some((name) => redaction.hidesMember(name))) return true;
  const [name = ''] = path;
  if (location !== 'body') return redaction.hidesParameter(location, name, operation);
  return hidesPlace(body, path);
}

/** What a violation got where nothing came, or where the value does not matter. */
const NOTHING = new Set(['nothing', 'it']);

function withoutQuote(violation: Violation): Violation {
  const { got, message } = violation;
  if (NOTHING.has(got)) return violation;
  return { ...violation, got: REDACTED, message: message.replaceAll(got, () => REDACTED) };
}
