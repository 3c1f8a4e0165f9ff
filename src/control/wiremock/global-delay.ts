import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { ControlAnswer, ControlCall, ControlOperations } from '../call.ts';
import { addGiven } from '../given-rules.ts';
import { numberOf, objectOf } from '../members.ts';
import { BODY_FILE } from '../rule-problem.ts';
import { DONE_AS_JSON } from './mappings.ts';
import { unsupported } from './unsupported.ts';

/** WireMock's delay of every answer. */
export const globalDelayOperations: ControlOperations = { setGlobalDelay };

const NAME = 'wiremock-global-delay';
/** Asked after all others: what delays by itself is not delayed by this. */
const LAST = 1_000_000;

/** @throws {Problem} UNSUPPORTED_STUB_MAPPING for a distribution that is none */
function setGlobalDelay(call: ControlCall): ControlAnswer {
  const { fixtures } = call.session;
  const delay = readDelay(call.members);
  if (delay === undefined) {
    fixtures.remove(NAME);
  } else {
    const rule = { name: NAME, priority: LAST, answer: delay };
    const file = { file: BODY_FILE, text: stringifyJson({ rules: [rule] }) };
    try {
      addGiven(fixtures, { file, rules: fixtures.compile(file) });
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      throw unsupported(error.diagnostics.map(({ message }) => message));
    }
  }
  call.publish('fixtures', () => ({
    change: delay === undefined ? 'removed' : 'added',
    names: [NAME],
  }));
  return DONE_AS_JSON;
}

function readDelay(members: JsonObject): JsonObject | undefined {
  const fixedDelayMilliseconds = numberOf(members, 'fixedDelay') ?? 0;
  const delayDistribution = objectOf(members, 'delayDistribution');
  if (fixedDelayMilliseconds === 0 && delayDistribution === undefined) return undefined;
  return {
    ...(fixedDelayMilliseconds > 0 && { fixedDelayMilliseconds }),
    ...(delayDistribution !== undefined && { delayDistribution }),
  };
}
