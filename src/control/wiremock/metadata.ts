import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { NO_BODY, readFields } from '../../http/message.ts';
import { createBareView } from '../../request/create-view.ts';
import type { ControlCall } from '../call.ts';
import { compilePattern } from './compile-pattern.ts';

/**
 * Compiles a value matcher of WireMock for metadata, which it sees as the JSON that they are.
 *
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING for what is no value matcher
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
