import { toJson } from '../base/json/to-json.ts';
import { formatCoverageHtml } from '../report/coverage/html-form.ts';
import type { ControlOperations } from './call.ts';
import { jsonResponse } from './response.ts';

/** The operation that says what clients have used of the documents. */
export const coverageOperations: ControlOperations = {
  getCoverage(call) {
    const { coverage } = call.pipeline;
    const found = coverage.describe(call.text('of') === 'session' ? call.session.used : undefined);
    if (call.text('format') !== 'html') return jsonResponse(toJson(found));
    const body = formatCoverageHtml(found);
    return { status: 200, content: { body, mediaType: 'text/html; charset=utf-8' } };
  },
};
