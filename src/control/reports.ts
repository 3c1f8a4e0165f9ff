import { toJson } from '../base/json/stringify.ts';
import { Problem } from '../base/problem.ts';
import { formatCoverageHtml } from '../report/coverage/forms.ts';
import { writePact } from '../report/pact.ts';
import { chooseRules, judge } from '../report/verdict/judge.ts';
import { type ControlCall, type ControlOperations, jsonResponse, textResponse } from './call.ts';

/** Reports on clients: the parts of the documents that they use, and how they behave. */
export const reportOperations: ControlOperations = {
  getCoverage(call) {
    const { coverage } = call.pipeline;
    const found = coverage.describe(call.text('of') === 'session' ? call.session.used : undefined);
    if (call.text('format') !== 'html') return jsonResponse(toJson(found));
    return textResponse(formatCoverageHtml(found), 'text/html; charset=utf-8');
  },
  getPact(call) {
    const consumer = call.text('consumer') ?? 'consumer';
    return jsonResponse(writePact(call.pipeline.contract, call.session.journal, consumer));
  },
  getVerdict(call) {
    const [rules, also, set] = ['rules', 'also', 'set'].map((name) => namesIn(call, name));
    const chosen = chooseRules({ rules, also, set }, (reason) => {
      throw new Problem('INVALID_REQUEST', reason);
    });
    return jsonResponse(toJson(judge(call.session, call.pipeline, chosen)));
  },
};

/** Returns the names in a parameter, which are separate values or have commas between them. */
function namesIn(call: ControlCall, name: string): readonly string[] | undefined {
  const values = call.parameter(name);
  if (!Array.isArray(values)) return undefined;
  const names = values.filter((one) => typeof one === 'string').flatMap((text) => text.split(','));
  return names.filter((one) => one !== '');
}
