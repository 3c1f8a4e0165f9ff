import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { addRules, compileFile } from '../body-rules.ts';
import { type ControlOperation, type ControlOperations, jsonResponse } from '../call.ts';
import { numberOf, objectOf } from '../members.ts';
import { EMPTY_JSON } from './mappings.ts';
import { unsupported } from './refuse.ts';

/** WireMock's operations on the whole server. Coldframe refuses most of them with a reason. */
export const serverOperations: ControlOperations = {
  /** WireMock's client knows no other members than the delays and `extended`. */
  getSettings({ session, settings }) {
    const rule = session.fixtures.find(NAME);
    const answer = rule && objectOf(rule.origin.definition, 'answer');
    const { fixedDelayMilliseconds: fixedDelay, delayDistribution } = answer ?? {};
    return jsonResponse({
      settings: {
        ...(fixedDelay !== undefined && { fixedDelay }),
        ...(delayDistribution !== undefined && { delayDistribution }),
        extended: settings.settings,
      },
    });
  },
  setGlobalDelay(call) {
    const { fixtures } = call.session;
    const delay = readDelay(call.members);
    if (delay === undefined) {
      fixtures.remove(NAME);
      return call.publish('fixtures', { change: 'removed', names: [NAME] }, EMPTY_JSON);
    }
    const rule = { name: NAME, priority: LAST, answer: delay };
    const compiled = compileFile(fixtures, { rules: [rule] }, ({ diagnostics }) =>
      unsupported(diagnostics.map(({ message }) => message)),
    );
    addRules(call, compiled);
    return EMPTY_JSON;
  },
  saveStubMappings: refuse(
    'Coldframe does not write stub mappings to files; put rules that you want to keep in a ' +
      'fixture file',
  ),
  shutDown: refuse('stop the server with a signal to its process'),
  startRecording: refuse('Coldframe does not proxy, so there is nothing to record'),
  stopRecording: refuse('Coldframe does not proxy, so there is no recording'),
  takeRecordingSnapshot: refuse('Coldframe does not proxy, so there is nothing to record'),
  getRecordingStatus: () => jsonResponse({ status: 'NeverStarted' }),
};

function refuse(reason: string): ControlOperation {
  return () => {
    throw new Problem('NOT_SUPPORTED', reason);
  };
}

const NAME = 'wiremock-global-delay';
/** Below every other rule: a rule with a delay keeps its own. */
const LAST = 1_000_000;

function readDelay(members: JsonObject): JsonObject | undefined {
  const fixedDelayMilliseconds = numberOf(members, 'fixedDelay') ?? 0;
  const delayDistribution = objectOf(members, 'delayDistribution');
  if (fixedDelayMilliseconds === 0 && delayDistribution === undefined) return undefined;
  return {
    ...(fixedDelayMilliseconds > 0 && { fixedDelayMilliseconds }),
    ...(delayDistribution !== undefined && { delayDistribution }),
  };
}
