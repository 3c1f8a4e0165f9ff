import type { Operation } from '../contract/contract.ts';
import { type FixtureSet, orderRules } from './fixture-set.ts';
import type { FixtureFile } from './read-file.ts';
import { isCalledBy, isFor, type Rule } from './rule.ts';
import type { TurnMemory } from './turn/turn.ts';

/** A rule as one session has it. */
export interface RuleStanding {
  readonly rule: Rule;
  readonly isOn: boolean;
  /** True for a rule that was given to this session while it ran. */
  readonly isAdded: boolean;
  /** Requests that it has matched since it was switched on. */
  readonly matched: number;
  /** And on how many of them it has acted. */
  readonly acted: number;
}

/** What a session has changed about the fixtures, without what is counted. */
export interface FixturesChanges {
  /** In the order in which they were added. */
  readonly added: readonly AddedName[];
  readonly removed: readonly string[];
  readonly switches: ReadonlyMap<string, boolean>;
}

/** What a session has changed about the fixtures and counted, to be taken back to later. */
export interface FixturesSnapshot extends FixturesChanges {
  readonly memory: TurnMemory;
}

/** The name of a rule that was added, and the text that it stands in. */
export interface AddedName {
  readonly name: string;
  readonly file: FixtureFile;
}

/** A rule that was added; a reload holds its text to the new document. */
interface AddedRule extends AddedName {
  readonly rule: Rule;
}

const MOST_ADDED = 1000;

/**
 * The fixtures of one session: those of the files, which all sessions share, and what this one has
 * switched, added, taken away and counted.
 */
export class SessionFixtures {
  #base: FixtureSet;
  #added = new Map<string, AddedRule>();
  #removed = new Set<string>();
  #switches = new Map<string, boolean>();
  #memory: TurnMemory = createMemory();
  /** The rules that are on, by operation; worked out when they are first asked for. */
  #byOperation = new Map<Operation, readonly Rule[]>();

  constructor(base: FixtureSet) {
    this.#base = base;
  }

  /** Where the rules keep count. */
  get memory(): TurnMemory {
    return this.#memory;
  }

  /** Takes the rules of files that were read again; what the session has changed stays changed. */
  rebase(base: FixtureSet): void {
    if (base === this.#base) return;
    this.#base = base;
    this.#compile([...this.#added.values()]);
    this.#forget();
  }

  /** @returns the rules that are on for an operation, in the order in which they are asked */
  rulesFor(operation: Operation): readonly Rule[] {
    if (this.#isPlain) return this.#base.rulesFor(operation);
    const known = this.#byOperation.get(operation);
    if (known !== undefined) return known;
    const rules = this.#all().filter((rule) => this.#isOn(rule) && isFor(rule, operation));
    this.#byOperation.set(operation, rules);
    return rules;
  }

  find(name: string): Rule | undefined {
    const isCalled = (rule: Rule): boolean => rule.name === name;
    return this.#all().find(isCalled) ?? this.#resting().find(isCalled);
  }

  /** @returns the rules that a name calls: its own, and those of the profile that it is */
  findAll(name: string): readonly Rule[] {
    const isCalled = (rule: Rule): boolean => isCalledBy(name, rule.name);
    return [...this.#all(), ...this.#resting()].filter(isCalled);
  }

  /** Every rule that there is, in the order in which they are asked. */
  list(): readonly RuleStanding[] {
    return [...this.#all(), ...this.#resting()].map((rule) => ({
      rule,
      isOn: this.#isOn(rule),
      isAdded: this.#added.has(rule.name),
      ...this.#count(rule.name),
    }));
  }

  /** A rule that is switched on begins to count anew. @returns false when there is none so called */
  switch(name: string, isOn: boolean): boolean {
    const rules = this.findAll(name);
    for (const rule of rules) {
      if (isOn && !this.#isOn(rule)) this.#memory.counters.delete(rule.name);
      this.#switches.set(rule.name, isOn);
    }
    this.#forget();
    return rules.length > 0;
  }

  /** Lets every rule rest. */
  switchAllOff(): void {
    for (const { name } of this.#all()) this.#switches.set(name, false);
    this.#forget();
  }

  /**
   * Holds rules against the contract; nothing changes yet.
   *
   * @throws {DiagnosticError} with everything that is wrong
   */
  compile(file: FixtureFile): readonly Rule[] {
    return this.#base.compile(file);
  }

  /**
   * Adds rules that were compiled here, in place of those of the same name; they are asked before
   * others of their priority, the newest first.
   *
   * @returns false when there would be more of them than a session may have; then none is added
   */
  add(file: FixtureFile, rules: readonly Rule[]): boolean {
    const news = rules.filter(({ name }) => !this.#added.has(name)).length;
    if (this.#added.size + news > MOST_ADDED) return false;
    for (const rule of rules) {
      this.#added.delete(rule.name);
      this.#added.set(rule.name, { name: rule.name, file, rule });
      this.#beginAnew(rule.name);
    }
    this.#forget();
    return true;
  }

  /** Takes a rule away, whoever has given it. @returns false when there is none so called */
  remove(name: string): boolean {
    if (this.find(name) === undefined) return false;
    this.#added.delete(name);
    if (this.find(name) !== undefined) this.#removed.add(name);
    this.#beginAnew(name);
    this.#forget();
    return true;
  }

  /** Takes away what was added, and gives back what was taken away. */
  removeAdded(): void {
    for (const name of this.#added.keys()) this.#beginAnew(name);
    this.#added.clear();
    this.#removed.clear();
    this.#forget();
  }

  /** Everything is as in the files again. */
  reset(): void {
    this.removeAdded();
    this.#switches.clear();
    this.#memory = createMemory();
    this.#forget();
  }

  resetScenarios(): void {
    this.#memory.scenarios.clear();
  }

  /** What differs from the files. */
  get changes(): FixturesChanges {
    return {
      added: [...this.#added.values()].map(({ name, file }) => ({ name, file })),
      removed: [...this.#removed],
      switches: new Map(this.#switches),
    };
  }

  snapshot(): FixturesSnapshot {
    return { ...this.changes, memory: copyMemory(this.#memory) };
  }

  restore({ added, removed, switches, memory }: FixturesSnapshot): void {
    this.#removed = new Set(removed);
    this.#switches = new Map(switches);
    this.#memory = copyMemory(memory);
    // It may have been taken under another document.
    this.#compile(added);
    this.#forget();
  }

  /** True while nothing differs from the files: most sessions change nothing. */
  get #isPlain(): boolean {
    return this.#added.size === 0 && this.#removed.size === 0 && this.#switches.size === 0;
  }

  /** Every rule but the profiles that nobody has switched. */
  #all(): readonly Rule[] {
    if (this.#isPlain) return this.#base.rules;
    const added = [...this.#added.values()].reverse().map(({ rule }) => rule);
    const own = this.#base.rules.filter(
      ({ name }) => !this.#removed.has(name) && !this.#added.has(name),
    );
    const profiles =
      this.#switches.size === 0 ? [] : this.#profiles().filter((rule) => this.#isSwitchedOn(rule));
    return orderRules([...added, ...own, ...profiles]);
  }

  /** The profiles that are not on. */
  #resting(): readonly Rule[] {
    return this.#profiles().filter((rule) => !this.#isSwitchedOn(rule));
  }

  /** An added rule takes the place of the profile of its name, whole. */
  #profiles(): readonly Rule[] {
    const added = [...this.#added.keys()];
    return this.#base.profiles.filter(
      ({ name }) => !this.#removed.has(name) && !added.some((one) => isCalledBy(one, name)),
    );
  }

  #isSwitchedOn({ name }: Rule): boolean {
    return this.#switches.get(name) === true;
  }

  /** Another rule of this name has nothing to do with this one's switch and counts. */
  #beginAnew(name: string): void {
    this.#switches.delete(name);
    this.#memory.counters.delete(name);
  }

  /** What the document does not allow any more is not answered any more. */
  #compile(added: readonly AddedName[]): void {
    this.#added = new Map();
    const sound = new Map<FixtureFile, ReadonlyMap<string, Rule>>();
    for (const { name, file } of added) {
      const rules = sound.get(file) ?? byName(this.#base.compileSound(file));
      sound.set(file, rules);
      const rule = rules.get(name);
      if (rule !== undefined) this.#added.set(name, { name, file, rule });
    }
  }

  #isOn(rule: Rule): boolean {
    return this.#switches.get(rule.name) ?? rule.isEnabled;
  }

  #count(name: string): { readonly matched: number; readonly acted: number } {
    let matched = 0;
    let acted = 0;
    for (const counter of this.#memory.counters.get(name)?.values() ?? []) {
      matched += counter.matched;
      acted += counter.acted;
    }
    return { matched, acted };
  }

  #forget(): void {
    this.#byOperation.clear();
  }
}

function byName(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.name, rule]));
}

function createMemory(): TurnMemory {
  return { counters: new Map(), scenarios: new Map() };
}

/** Counters are counted on in place, so each has to be copied. */
function copyMemory({ counters, scenarios }: TurnMemory): TurnMemory {
  const copies = [...counters].map(([name, byKey]) => {
    const copied = [...byKey].map(([key, counter]) => [key, { ...counter }] as const);
    return [name, new Map(copied)] as const;
  });
  return { counters: new Map(copies), scenarios: new Map(scenarios) };
}
