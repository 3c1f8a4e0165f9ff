import { toJson } from '../base/json/to-json.ts';
import { formatCoverageHtml } from '../report/coverage/html-form.ts';
import { writePact } from '../report/pact.ts';
import type { ControlOperations } from './call.ts';
import { jsonResponse } from './response.ts';

export const coverageOperations: ControlOperations = {
  getCoverage(call) {
    const { coverage } = call.pipeline;
    const found = coverage.describe(call.text('of') === 'session' ? call.session.used : undefined);
    if (call.text('format') !== 'html') return jsonResponse(toJson(found));
    const body = formatCoverageHtml(found);
    return { status: 200, content: { body, mediaType: 'text/html; charset=utf-8' } };
  },
  getPact(call) {
    const consumer = call.text('consumer') ?? 'consumer';
    return jsonResponse(writePact(call.pipeline.contract, call.session.journal, consumer));
  },
};
