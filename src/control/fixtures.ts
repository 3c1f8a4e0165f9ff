import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import type { RuleInSession } from '../rules/session-fixtures.ts';
import { listScenarios, type ScenarioMembers, STARTED, stateOf } from '../rules/turn/conditions.ts';
import { addRules, compileBody, parseBody } from './body-rules.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
  unknownName,
} from './call.ts';
import { flagOf, textOf } from './members.ts';
import { mappingOf } from './wiremock/translate-mapping.ts';

export const fixtureOperations: ControlOperations = {
  listFixtures: ({ session }) =>
    jsonResponse({ fixtures: session.fixtures.list().map(describeFixture) }),
  addFixtures(call) {
    const { fixtures } = call.session;
    const given = compileBody(fixtures, parseBody(call));
    const taken = given.rules.find(({ name }) => fixtures.find(name) !== undefined);
    if (taken !== undefined) {
      throw new Problem(
        'FIXTURE_EXISTS',
        `the rule ${taken.name} exists; use PUT /__admin/fixtures/${taken.name} to change it`,
      );
    }
    addRules(call, given);
    const added = given.rules.map(({ name }) => describeFixture(findFixture(call, name)));
    return jsonResponse({ fixtures: added }, 201);
  },
  removeFixtures(call) {
    call.session.fixtures.removeAdded();
    return call.publish('fixtures', { change: 'removed' });
  },
  switchAllFixturesOff(call) {
    call.session.fixtures.disableAll();
    return call.publish('fixtures', { change: 'off' });
  },
  getFixtureSchema: async ({ settings, pipeline }) =>
    jsonResponse(await settings.fixtureSchema(pipeline.contract), 200, 'application/schema+json'),
  getFixture: (call) => answerOne(call, call.path('name')),
  putFixture(call) {
    const { fixtures } = call.session;
    const name = call.path('name');
    const body = parseBody(call);
    const ownName = textOf(Object(body.value), 'name');
    if (ownName !== undefined && ownName !== name) {
      throw new Problem('INVALID_FIXTURE', `body/name must be ${name}, as in the path, or missing`);
    }
    const given = compileBody(fixtures, body, name);
    const isNew = fixtures.find(name) === undefined;
    addRules(call, given, isNew ? 'added' : 'changed');
    return answerOne(call, name, isNew ? 201 : 200);
  },
  removeFixture(call) {
    const name = call.path('name');
    if (!call.session.fixtures.remove(name)) throw unknownFixture(call, name);
    return call.publish('fixtures', { change: 'removed', names: [name] });
  },
  switchFixture(call) {
    const name = call.path('name');
    const isOn = flagOf(call.members, 'enabled') ?? true;
    if (!call.session.fixtures.setEnabled(name, isOn)) throw unknownFixture(call, name);
    const change = { change: isOn ? 'on' : 'off', names: [name] };
    return call.publish('fixtures', change, answerOne(call, name));
  },
};

function answerOne(call: ControlCall, name: string, status = 200): ControlResponse {
  return jsonResponse(describeFixture(findFixture(call, name)), status);
}

export function findFixture(call: ControlCall, name: string) {
  const found = call.session.fixtures.list().find(({ rule }) => rule.name === name);
  if (found === undefined) throw unknownFixture(call, name);
  return found;
}

function unknownFixture({ session }: ControlCall, name: string): Problem {
  const names = session.fixtures.list().map(({ rule }) => rule.name);
  return unknownName('UNKNOWN_FIXTURE', 'fixture', name, names);
}

export function describeFixture(found: RuleInSession): JsonObject {
  const { rule, isEnabled, isAdded, matched, acted } = found;
  const { name, description, priority, isOutage, origin, operations } = rule;
  return {
    name,
    ...(description !== undefined && { description }),
    enabled: isEnabled,
    priority,
    ...(operations.length > 0 && { operationIds: operations.map(({ id }) => id) }),
    origin: isAdded ? 'api' : 'file',
    ...(!isAdded && { source: { file: origin.file, line: origin.line } }),
    isOutage,
    matched,
    acted,
    rule: origin.definition,
  };
}

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
