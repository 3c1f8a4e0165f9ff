import assert from 'node:assert/strict';
import test from 'ava';
import { createRandom } from '../../src/base/random.ts';
import { Contract, type Operation } from '../../src/contract/contract.ts';
import { Fields, NO_BODY } from '../../src/http/message.ts';
import type { RequestView } from '../../src/request/view.ts';
import { createTemplateEngine } from '../../src/rules/answer/template.ts';
import { compileFixtures, type FixtureSet } from '../../src/rules/fixture-set.ts';
import type { FixtureFile } from '../../src/rules/read-file.ts';
import { type FixturesSnapshot, SessionFixtures } from '../../src/rules/session-fixtures.ts';
import { parseDocument } from '../support/documents.ts';
import { fc, holds } from '../support/properties.ts';

const NAMES = ['a', 'b', 'p', 'p.x', 'q'] as const;
const OPERATIONS = ['listBeds', 'readBed'] as const;

/** A rule as the model knows it. */
interface Plain {
  readonly name: string;
  readonly priority: number;
  readonly enabled: boolean;
  /** The operation that it names; null for all. */
  readonly operation: string | null;
}

function contractOf(...operations: readonly string[]): Contract {
  const paths = operations.map(
    (id) =>
      `  /${id}:\n    get: { operationId: ${id}, responses: { '200': { description: All } } }\n`,
  );
  const head = "openapi: 3.1.0\ninfo: { title: Garden, version: '1' }\npaths:\n";
  return new Contract(parseDocument('garden.yaml', head + paths.join('')));
}

function fileOf(file: string, rules: readonly Plain[]): FixtureFile {
  const written = rules.map(({ name, priority, enabled, operation }) => ({
    name,
    priority,
    enabled,
    ...(operation !== null && { match: { operationId: operation } }),
    answer: { fixedDelayMilliseconds: 1 },
  }));
  return { file, text: JSON.stringify({ rules: written }) };
}

const PROFILES: readonly Plain[] = ['p', 'p.x', 'q'].map((name) => ({
  name,
  priority: 5,
  enabled: false,
  operation: null,
}));

/** The beginning of sessions: a document, and the rules of its files. */
interface Base {
  readonly operations: readonly string[];
  readonly rules: readonly Plain[];
  readonly contract: Contract;
  readonly set: FixtureSet;
}

function createBase(operations: readonly string[], rules: readonly Plain[]): Base {
  const contract = contractOf(...operations);
  const material = {
    contract,
    undeclaredFailures: 'send' as const,
    engine: createTemplateEngine(),
    readBodyFile: () => undefined,
    readProfiles: () => [fileOf('profiles.json', PROFILES)],
  };
  const set = compileFixtures([fileOf('files.json', rules)], material, [], []);
  return { operations, rules, contract, set };
}

const WHOLE = createBase(OPERATIONS, [
  { name: 'a', priority: 5, enabled: true, operation: null },
  { name: 'b', priority: 2, enabled: false, operation: 'readBed' },
  { name: 'c', priority: 7, enabled: true, operation: 'readBed' },
]);
/** The other operation is gone, and a rule has taken a profile's name for itself. */
const LESS = createBase(
  ['listBeds'],
  [
    { name: 'b', priority: 5, enabled: true, operation: 'listBeds' },
    { name: 'p', priority: 5, enabled: true, operation: null },
  ],
);
const BASES = [WHOLE, LESS] as const;

/** Fixtures of a session, done as simply as can be. */
class Model {
  base: Base = WHOLE;
  /** The newest last. */
  added: Plain[] = [];
  removed: string[] = [];
  switches: Record<string, boolean> = {};
  counts: Record<string, number> = {};

  copy(): Model {
    return Object.assign(new Model(), structuredClone({ ...this, base: undefined }), {
      base: this.base,
    });
  }

  standing() {
    const isOver = ({ name }: Plain) => !this.added.some((one) => one.name === name);
    const isThere = ({ name }: Plain) => !this.removed.includes(name);
    const own = this.base.rules.filter((rule) => isOver(rule) && isThere(rule));
    const taken = [...this.base.rules, ...this.added].map(({ name }) => name);
    const profiles = PROFILES.filter(isThere).filter(
      ({ name }) => !taken.some((one) => name === one || name.startsWith(`${one}.`)),
    );
    const isSwitchedOn = ({ name }: Plain) => this.switches[name] === true;
    const asked = [...[...this.added].reverse(), ...own, ...profiles.filter(isSwitchedOn)];
    asked.sort((one, other) => one.priority - other.priority);
    const resting = profiles.filter((rule) => !isSwitchedOn(rule));
    return { asked, all: [...asked, ...resting] };
  }

  isOn({ name, enabled }: Plain): boolean {
    return this.switches[name] ?? enabled;
  }

  list() {
    return this.standing().all.map((rule) => ({
      name: rule.name,
      isOn: this.isOn(rule),
      isAdded: this.added.includes(rule),
      matched: this.counts[rule.name] ?? 0,
    }));
  }

  rulesFor(operation: string): string[] {
    return this.standing()
      .asked.filter((rule) => this.isOn(rule))
      .filter((rule) => rule.operation === null || rule.operation === operation)
      .map(({ name }) => name);
  }

  called(name: string): Plain[] {
    return this.standing().all.filter(
      (rule) => rule.name === name || rule.name.startsWith(`${name}.`),
    );
  }

  forget(name: string): void {
    delete this.switches[name];
    delete this.counts[name];
  }

  add(rules: readonly Plain[]): void {
    for (const rule of rules) {
      this.added = [...this.added.filter(({ name }) => name !== rule.name), rule];
      this.forget(rule.name);
    }
  }

  remove(name: string): boolean {
    if (!this.standing().all.some((rule) => rule.name === name)) return false;
    this.added = this.added.filter((rule) => rule.name !== name);
    this.forget(name);
    if (this.standing().all.some((rule) => rule.name === name)) this.removed.push(name);
    return true;
  }

  removeAdded(): void {
    for (const { name } of this.added) this.forget(name);
    this.added = [];
    this.removed = [];
  }

  switch(name: string, isOn: boolean): boolean {
    const rules = this.called(name);
    for (const rule of rules) {
      if (isOn && !this.isOn(rule)) delete this.counts[rule.name];
      this.switches[rule.name] = isOn;
    }
    return rules.length > 0;
  }

  disableAll(): void {
    for (const { name } of this.standing().asked) this.switches[name] = false;
  }

  reset(): void {
    Object.assign(this, { added: [], removed: [], switches: {}, counts: {} });
  }

  /** Rules that the new document does not allow are removed. */
  hold(base: Base): void {
    this.base = base;
    this.added = this.added.filter(
      ({ operation }) => operation === null || base.operations.includes(operation),
    );
  }
}

/** The model and what it is the model of, side by side. */
class Pair {
  readonly fixtures = new SessionFixtures(WHOLE.set);
  model = new Model();
  readonly snapshots: { readonly taken: FixturesSnapshot; readonly model: Model }[] = [];

  take(step: Step): void {
    const { fixtures, model } = this;
    if (step.kind === 'add') this.#add(step.rules);
    else if (step.kind === 'snapshot') this.#snapshot();
    else if (step.kind === 'restore') this.#restore(step.which);
    else if (step.kind === 'rebase') this.#rebase(BASES[step.base]);
    else if (step.kind === 'ask') this.#ask(step.operation);
    else if (step.kind === 'remove') {
      assert.equal(fixtures.remove(step.name), model.remove(step.name));
    } else if (step.kind === 'switch') {
      const { name, isOn } = step;
      assert.equal(fixtures.setEnabled(name, isOn), model.switch(name, isOn));
    } else {
      fixtures[step.kind]();
      model[step.kind]();
    }
  }

  #add(given: readonly Plain[]): void {
    const { operations } = this.model.base;
    const rules = given.filter(
      ({ operation }) => operation === null || operations.includes(operation),
    );
    const file = fileOf('body', rules);
    assert.equal(this.fixtures.add(file, this.fixtures.compile(file)), true);
    this.model.add(rules);
  }

  #rebase(base: Base): void {
    this.fixtures.rebase(base.set);
    this.model.hold(base);
  }

  #snapshot(): void {
    this.snapshots.push({ taken: this.fixtures.snapshot(), model: this.model.copy() });
  }

  /** One that was taken earlier, which may have been under the other document. */
  #restore(which: number): void {
    const snapshot = this.snapshots[which % Math.max(1, this.snapshots.length)];
    if (snapshot === undefined) return;
    this.fixtures.restore(snapshot.taken);
    const { base } = this.model;
    this.model = snapshot.model.copy();
    this.model.hold(base);
  }

  #ask(id: string): void {
    const operation = this.model.base.contract.operation(id);
    if (operation === undefined) return;
    const occasion = { view: viewOf(operation), now: 0, random: createRandom('seed') };
    for (const rule of this.fixtures.rulesFor(operation).all) {
      rule.turn.take(occasion, this.fixtures.memory);
    }
    for (const name of this.model.rulesFor(id)) {
      this.model.counts[name] = (this.model.counts[name] ?? 0) + 1;
    }
  }

  compare(): void {
    const { fixtures, model } = this;
    const listed = fixtures.list().map(({ rule, isEnabled, isAdded, matched }) => {
      return { name: rule.name, isOn: isEnabled, isAdded, matched };
    });
    assert.deepEqual(listed, model.list());
    for (const id of model.base.operations) {
      const operation = model.base.contract.operation(id);
      assert.ok(operation);
      assert.deepEqual(
        fixtures.rulesFor(operation).all.map(({ name }) => name),
        model.rulesFor(id),
        id,
      );
    }
    for (const name of NAMES) {
      const names = model.called(name).map((rule) => rule.name);
      assert.deepEqual(
        fixtures.findAll(name).map((rule) => rule.name),
        names,
      );
      assert.equal(
        fixtures.find(name)?.name,
        names.find((one) => one === name),
      );
    }
  }
}

function viewOf(operation: Operation): RequestView {
  return {
    request: { method: 'GET', target: operation.path, fields: new Fields({}), rawBody: NO_BODY },
    path: operation.path,
    query: '',
    operation,
    session: 'default',
    now: 0,
    caller: undefined,
    credential: undefined,
    body: undefined,
    bodyText: '',
    texts: () => [],
    value: () => undefined,
  };
}

const names = fc.constantFrom(...NAMES);
const plainRules = fc.record({
  name: names,
  priority: fc.constantFrom(1, 5, 9),
  enabled: fc.boolean(),
  operation: fc.constantFrom(null, ...OPERATIONS),
});

const steps = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    rules: fc.uniqueArray(plainRules, { selector: ({ name }) => name, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), name: names }),
  fc.record({ kind: fc.constant('removeAdded' as const) }),
  fc.record({ kind: fc.constant('switch' as const), name: names, isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('disableAll' as const) }),
  fc.record({ kind: fc.constant('reset' as const) }),
  fc.record({
    kind: fc.constant('rebase' as const),
    base: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({ kind: fc.constant('snapshot' as const) }),
  fc.record({ kind: fc.constant('restore' as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant('ask' as const), operation: fc.constantFrom(...OPERATIONS) }),
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

test('any changes of a session’s rules match a simple model', (t) => {
  const property = fc.property(fc.array(steps, { maxLength: 25 }), (taken) => {
    const pair = new Pair();
    pair.compare();
    for (const step of taken) {
      pair.take(step);
      pair.compare();
    }
  });
  holds(t, property, 1_000);
});

test('a rule that was removed returns with a reset under another document', (t) => {
  t.notThrows(() => {
    const pair = new Pair();
    const [under, without] = [0, 1] as const;
    const steps: readonly Step[] = [
      { kind: 'remove', name: 'a' },
      { kind: 'rebase', base: without },
      { kind: 'reset' },
      { kind: 'rebase', base: under },
    ];
    for (const step of steps) {
      pair.take(step);
      pair.compare();
    }
  });
});

test('two sessions share only the rules of files', (t) => {
  const property = fc.property(fc.array(steps, { maxLength: 15 }), (taken) => {
    const pair = new Pair();
    const other = new Pair();
    for (const step of taken) pair.take(step);
    other.compare();
  });
  holds(t, property, 200);
});

const bare: Plain = { name: 'a', priority: 5, enabled: true, operation: null };

test('a session accepts a thousand rules, and a file completely or not at all', (t) => {
  const fixtures = new SessionFixtures(WHOLE.set);
  const add = (count: number, kind: string): boolean => {
    const many = Array.from({ length: count }, (_, index) => ({
      ...bare,
      name: `${kind}${index}`,
    }));
    const file = fileOf('body', many);
    return fixtures.add(file, fixtures.compile(file));
  };
  t.true(add(999, 'x'));
  t.false(add(2, 'y'));
  t.is(fixtures.find('y0'), undefined);
  t.true(add(1, 'y'));
  t.false(add(1, 'z'));
  t.true(add(999, 'x'), 'in place of others they are no more');
  const later = performance.now();
  fixtures.restore(fixtures.snapshot());
  fixtures.rebase(LESS.set);
  t.true(performance.now() - later < 3_000, 'they are read once, not once for each');
  t.is(fixtures.list().filter(({ isAdded }) => isAdded).length, 1_000);
});

test('a reload drops only the rules of an added file that the document does not allow', (t) => {
  const fixtures = new SessionFixtures(WHOLE.set);
  const file = fileOf('body', [
    { ...bare, name: 'stays' },
    { ...bare, name: 'goes', operation: 'readBed' },
  ]);
  fixtures.add(file, fixtures.compile(file));
  fixtures.rebase(LESS.set);
  t.truthy(fixtures.find('stays'));
  t.is(fixtures.find('goes'), undefined);
  fixtures.rebase(WHOLE.set);
  t.is(fixtures.find('goes'), undefined, 'what is gone does not come back by itself');
});

test('a reset of scenarios keeps the counts', (t) => {
  const fixtures = new SessionFixtures(WHOLE.set);
  fixtures.memory.scenarios.set('payment', 'paid');
  const taken = fixtures.snapshot();
  const counter = { matched: 3, acted: 2, firstAt: 0, tokens: 0, tokensAt: 0 };
  fixtures.memory.counters.set('a', new Map([['', counter]]));
  fixtures.resetScenarios();
  t.is(fixtures.memory.scenarios.size, 0);
  t.like(
    fixtures.list().find(({ rule }) => rule.name === 'a'),
    { matched: 3, acted: 2 },
  );
  fixtures.restore(taken);
  t.is(fixtures.memory.scenarios.get('payment'), 'paid');
  fixtures.reset();
  t.is(fixtures.memory.scenarios.size, 0);
});

test('counts of several keys are added up', (t) => {
  const fixtures = new SessionFixtures(WHOLE.set);
  const counter = { matched: 3, acted: 2, firstAt: 0, tokens: 0, tokensAt: 0 };
  const byKey = new Map([
    ['one', counter],
    ['two', { ...counter, matched: 1, acted: 1 }],
  ]);
  fixtures.memory.counters.set('a', byKey);
  t.like(
    fixtures.list().find(({ rule }) => rule.name === 'a'),
    { matched: 4, acted: 3 },
  );
});
