import { Problem } from '../base/problem.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from './call.ts';
import { describeFixture } from './describe-fixture.ts';
import { addGiven, compileGiven, readGivenBody } from './given-rules.ts';
import { flagOf, textOf } from './members.ts';

/** Rules: those of files, switched, and those that are added. */
export const fixtureOperations: ControlOperations = {
  listFixtures: ({ session }) =>
    answerJson({ fixtures: session.fixtures.list().map(describeFixture) }),
  addFixtures,
  removeFixtures(call) {
    call.session.fixtures.removeAdded();
    return told(call, 'removed', []);
  },
  switchAllFixturesOff(call) {
    call.session.fixtures.switchAllOff();
    return told(call, 'off', []);
  },
  getFixtureSchema: async ({ settings, serving }) => ({
    status: 200,
    content: {
      kind: 'json',
      value: await settings.fixtureSchema(serving.contract),
      mediaType: 'application/schema+json',
    },
  }),
  getFixture: (call) => answerOne(call, call.path('name')),
  putFixture,
  removeFixture(call) {
    const name = call.path('name');
    if (!call.session.fixtures.remove(name)) throw unknownFixture(call, name);
    return told(call, 'removed', [name]);
  },
  switchFixture(call) {
    const name = call.path('name');
    const isOn = flagOf(call.members, 'enabled') ?? true;
    if (!call.session.fixtures.switch(name, isOn)) throw unknownFixture(call, name);
    return told(call, isOn ? 'on' : 'off', [name], answerOne(call, name));
  },
};

/** @throws {Problem} FIXTURE_EXISTS for a name that is taken; then none is added */
function addFixtures(call: ControlCall): ControlAnswer {
  const { fixtures } = call.session;
  const given = compileGiven(fixtures, readGivenBody(call));
  const taken = given.rules.find(({ name }) => fixtures.find(name) !== undefined);
  if (taken !== undefined) {
    throw new Problem(
      'FIXTURE_EXISTS',
      `there is a rule ${taken.name} already; PUT /__admin/fixtures/${taken.name} changes it`,
    );
  }
  addGiven(fixtures, given);
  const names = given.rules.map(({ name }) => name);
  const added = names.map((name) => describeFixture(findStanding(call, name)));
  return told(call, 'added', names, answerJson({ fixtures: added }, 201));
}

function putFixture(call: ControlCall): ControlAnswer {
  const { fixtures } = call.session;
  const name = call.path('name');
  const body = readGivenBody(call);
  const own = textOf(Object(body.value), 'name');
  if (own !== undefined && own !== name) {
    throw new Problem(
      'INVALID_FIXTURE',
      `body/name must be ${name}, as the path says, or left out`,
    );
  }
  const given = compileGiven(fixtures, body, name);
  const isNew = fixtures.find(name) === undefined;
  addGiven(fixtures, given);
  return told(call, isNew ? 'added' : 'changed', [name], answerOne(call, name, isNew ? 201 : 200));
}

/** What has become of rules; no names are all of them. */
type FixtureChange = 'added' | 'changed' | 'removed' | 'on' | 'off';

function told(
  call: ControlCall,
  change: FixtureChange,
  names: readonly string[],
  answer: ControlAnswer = DONE,
): ControlAnswer {
  call.publish('fixtures', () => ({ change, ...(names.length > 0 && { names: [...names] }) }));
  return answer;
}

function answerOne(call: ControlCall, name: string, status = 200): ControlAnswer {
  return answerJson(describeFixture(findStanding(call, name)), status);
}

/** @throws {Problem} UNKNOWN_FIXTURE */
export function findStanding(call: ControlCall, name: string) {
  const standing = call.session.fixtures.list().find(({ rule }) => rule.name === name);
  if (standing === undefined) throw unknownFixture(call, name);
  return standing;
}

function unknownFixture({ session }: ControlCall, name: string): Problem {
  const names = session.fixtures.list().map(({ rule }) => rule.name);
  return new Problem(
    'UNKNOWN_FIXTURE',
    `there is no fixture ${JSON.stringify(name.slice(0, 80))}, ` +
      (names.length === 0 ? 'there is none at all' : `there is ${names.join(', ')}`),
  );
}
