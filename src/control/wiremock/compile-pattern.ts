import type { JsonObject } from '../../base/json/value.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { RequestPattern } from '../../request/request-pattern.ts';
import type { ControlCall } from '../call.ts';
import { compileQuestions } from '../question.ts';
import { translateRequest } from './translate-request.ts';
import { unsupported } from './unsupported.ts';

/**
 * Compiles a request pattern of WireMock; it may be for what the document does not have.
 *
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING with everything that has no equal here
 */
export function compilePattern(call: ControlCall, request: JsonObject): RequestPattern {
  const { contract } = call.serving;
  const body = { request: translateRequest(request, contract) };
  try {
    const [pattern] = compileQuestions(body, ['/request'], contract);
    if (pattern !== undefined) return pattern;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw unsupported(error.diagnostics.map(({ pointer, message }) => `${pointer}: ${message}`));
  }
  throw unsupported(['the pattern cannot be read']);
}
