import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import type { RuleInSession } from '../rules/session-fixtures.ts';
import { listScenarios, type ScenarioMembers, STARTED, stateOf } from '../rules/turn/conditions.ts';
import { type ControlCall, type ControlOperations, unknownName } from './call.ts';
import { textOf } from './members.ts';
import { jsonResponse } from './response.ts';
import { mappingOf } from './wiremock/translate-mapping.ts';

/** Operations on scenarios; WireMock's clients use the same endpoints. */
export const scenarioOperations: ControlOperations = {
  listScenarios: (call) => jsonResponse({ scenarios: describeScenarios(call) }),
  resetScenarios(call) {
    call.session.fixtures.resetScenarios();
    return call.publish('scenario', { state: STARTED }, jsonResponse({}));
  },
  setScenarioState(call) {
    const { fixtures } = call.session;
    const name = call.path('name');
    const scenarios = findScenarios(fixtures.list());
    const states = scenarios.get(name);
    if (states === undefined) {
      throw unknownName('UNKNOWN_SCENARIO', 'scenario', name, scenarios.keys());
    }
    const state = textOf(call.members, 'state') ?? STARTED;
    if (!states.has(state)) {
      throw new Problem(
        'INVALID_REQUEST',
        `body/state must be one of ${[...states].join(', ')}, got ${quote(state)}`,
      );
    }
    fixtures.memory.scenarios.set(name, state);
    return call.publish('scenario', { name, state }, jsonResponse({}));
  },
};

function describeScenarios({ session: { fixtures } }: ControlCall): JsonObject[] {
  const rules = fixtures.list();
  return [...findScenarios(rules)].map(([name, states]) => ({
    id: name,
    name,
    state: stateOf(fixtures.memory, name),
    possibleStates: [...states],
    mappings: rules
      .filter((one) => scenarioOf(one).scenarioName === name)
      .flatMap(({ rule }) => mappingOf(rule.origin.definition) ?? []),
  }));
}

function findScenarios(rules: readonly RuleInSession[]) {
  return listScenarios(rules.map(scenarioOf));
}

function scenarioOf({ rule }: RuleInSession): ScenarioMembers {
  return rule.origin.definition as ScenarioMembers;
}
