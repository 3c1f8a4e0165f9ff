import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { AnswerDefinition } from '../rule-definition.ts';
import { compileText, isTemplate, type Template, type TemplateEngine } from './template.ts';

/**
 * Holds the fields of an answer against the contract. Those that are made of the request are
 * checked when they are sent.
 *
 * @param response undefined off the contract
 * @param engine made when it is first asked for
 * @throws {DiagnosticError} for a field that cannot be sent, or is not allowed
 */
export function compileFields(
  file: SourceDocument,
  answer: AnswerDefinition,
  response: DeclaredResponse | undefined,
  engine: () => TemplateEngine,
): Readonly<Record<string, string | Template>> {
  const fields: Record<string, string | Template> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    const place = placeOfField(file, answer, name);
    refuseName(file, place, name);
    const isMade = answer.isTemplate && isTemplate(value);
    if (!isMade) refuseValue(file, place, name, value, response);
    fields[name] = isMade ? compileText(file, place, value, engine) : value;
  }
  return fields;
}

/** @returns the pointer of a field, in whatever case its name is written */
export function placeOfField(
  file: SourceDocument,
  { pointer }: AnswerDefinition,
  name: string,
): string {
  const place = `${pointer}/headers`;
  const headers = file.at(place);
  const names = isJsonObject(headers) ? Object.keys(headers) : [];
  return place + toPointer(names.filter((one) => one.toLowerCase() === name).slice(0, 1));
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A wrong one would tear the answers of one connection apart (RFC 9112 §11.2). */
const FRAMING_FIELDS = ['content-length', 'transfer-encoding'];

function refuseName(file: SourceDocument, place: string, name: string): void {
  if (!TOKEN.test(name)) throw file.fail(place, `${JSON.stringify(name)} is no name of a field`);
  if (!FRAMING_FIELDS.includes(name)) return;
  throw file.fail(
    place,
    `${name} is not for a fixture to say`,
    'The mock says it itself; the fault WRONG_CONTENT_LENGTH sends a wrong one.',
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
      'A field has no control characters, and none beyond Latin-1.',
    );
  }
  const [violation] = response?.headers.findViolations(name, value) ?? [];
  if (violation !== undefined) throw file.fail(place, violation.message);
}
