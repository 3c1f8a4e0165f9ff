import { toJson } from '../base/json/to-json.ts';
import { Problem } from '../base/problem.ts';
import { chooseRules, judge } from '../report/verdict/judge.ts';
import type { ControlCall, ControlOperations } from './call.ts';
import { jsonResponse } from './response.ts';

export const verdictOperations: ControlOperations = {
  getVerdict(call) {
    const choice = {
      rules: texts(call, 'rules'),
      also: texts(call, 'also'),
      set: texts(call, 'set'),
    };
    const chosen = chooseRules(choice, (reason) => {
      throw new Problem('INVALID_REQUEST', reason);
    });
    return jsonResponse(toJson(judge(call.session, call.pipeline, chosen)));
  },
};

/** Returns the names in a parameter, which are separate values or have commas between them. */
function texts(call: ControlCall, name: string): readonly string[] | undefined {
  const values = call.parameter(name);
  if (!Array.isArray(values)) return undefined;
  const names = values.filter((one) => typeof one === 'string').flatMap((text) => text.split(','));
  return names.filter((name) => name !== '');
}
