import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { NO_BODY, readFields } from '../../http/message.ts';
import { createBareView } from '../../request/create-view.ts';
import type { RequestPattern } from '../../request/view.ts';
import { compileMatches, refuseDiagnostics } from '../body-rules.ts';
import type { ControlCall } from '../call.ts';
import { translateRequest } from './translate-request.ts';
import { unsupported } from './unsupported.ts';

/**
 * Compiles a request pattern of WireMock, which may name paths that the document does not have.
 *
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING that lists every unsupported member
 */
export function compilePattern(call: ControlCall, request: JsonObject): RequestPattern {
  const { contract } = call.pipeline;
  const body = { request: translateRequest(request, contract) };
  const [pattern] = refuseDiagnostics(
    () => compileMatches(body, ['/request'], contract),
    ({ diagnostics }) =>
      unsupported(diagnostics.map(({ pointer, message }) => `${pointer}: ${message}`)),
  );
  if (pattern !== undefined) return pattern;
  throw unsupported(['the pattern cannot be read']);
}

/**
 * Compiles a value matcher of WireMock for the metadata of stub mappings.
 *
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING for an unknown matcher
 */
export function matchesMetadata(
  call: ControlCall,
  pattern: JsonObject,
): (metadata: JsonObject | undefined) => boolean {
  const compiled = compilePattern(call, { bodyPatterns: [pattern] });
  const limits = { maximumBodyBytes: call.settings.maximumBodyBytes, brotli: false };
  const fields = readFields({ 'content-type': 'application/json' });
  return (metadata) => {
    const rawBody = metadata === undefined ? NO_BODY : Buffer.from(stringifyJson(metadata));
    const request = { method: 'POST', target: '/', fields, rawBody };
    return compiled.matches(createBareView(request, call.session.id, limits));
  };
}
