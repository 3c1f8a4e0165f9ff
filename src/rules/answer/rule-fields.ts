import { toPointer } from '../../base/json/pointer.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { GivenAnswer } from './given-answer.ts';
import { compileText, isTemplate, type Template, type TemplateEngine } from './template.ts';

const CONTENT_TYPE = 'content-type';

/**
 * Compiles the header fields of an answer against the contract, but for `Content-Type`. Fields with
 * templates are checked when they are sent.
 *
 * @param response undefined off the contract
 * @returns the values by names in lower case
 * @throws {DiagnosticError} for a field that cannot be sent, or is not allowed
 */
export function compileFields(
  { file, pointer, headers = {}, template = false }: GivenAnswer,
  response: DeclaredResponse | undefined,
  engine: () => TemplateEngine,
): Readonly<Record<string, string | Template>> {
  const fields: Record<string, string | Template> = {};
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (name === CONTENT_TYPE) continue;
    const place = `${pointer}/headers${toPointer([written])}`;
    refuseName(file, place, name);
    const hasTemplate = template && isTemplate(value);
    if (!hasTemplate) refuseValue(file, place, name, value, response);
    fields[name] = hasTemplate ? compileText(file, place, value, engine) : value;
  }
  return fields;
}

/** Returns the `Content-Type` of an answer and its pointer; undefined if it has none. */
export function findContentType({ pointer, headers = {} }: GivenAnswer) {
  const name = Object.keys(headers).findLast((one) => one.toLowerCase() === CONTENT_TYPE);
  const value = name === undefined ? undefined : headers[name];
  if (name === undefined || value === undefined) return undefined;
  return { value, pointer: `${pointer}/headers${toPointer([name])}` };
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A wrong one would break the framing of the connection (RFC 9112 §11.2). */
const FRAMING_FIELDS = ['content-length', 'transfer-encoding'];

function refuseName(file: SourceDocument, place: string, name: string): void {
  if (!TOKEN.test(name)) throw file.fail(place, `${JSON.stringify(name)} is not a field name`);
  if (!FRAMING_FIELDS.includes(name)) return;
  throw file.fail(
    place,
    `${name} cannot be set by a rule`,
    'The mock sets it itself; the fault WRONG_CONTENT_LENGTH sends a wrong one.',
  );
}

/** RFC 9110 §5.5: no control characters, and nothing beyond Latin-1. */
const FIELD_VALUE = /^[\t -~\u0080-\u00FF]*$/;

function refuseValue(
  file: SourceDocument,
  place: string,
  name: string,
  value: string,
  response: DeclaredResponse | undefined,
): void {
  if (!FIELD_VALUE.test(value)) {
    throw file.fail(
      place,
      `the field ${name} cannot have the value ${JSON.stringify(value)}`,
      'A field has only visible characters of Latin-1, spaces and tabs.',
    );
  }
  const [violation] = response?.headers.findViolations(name, value) ?? [];
  if (violation !== undefined) throw file.fail(place, violation.message);
}
