import { remember } from '../base/remember.ts';
import type { Operation } from '../contract/contract.ts';
import { type FixtureSet, orderRules, RuleList } from './fixture-set.ts';
import type { FixtureFile } from './read-file.ts';
import { isCalledBy, isFor, type Rule } from './rule.ts';
import type { TurnMemory } from './turn/turn.ts';

export interface RuleInSession {
  readonly rule: Rule;
  readonly isEnabled: boolean;
  /** True for a rule that was added while the mock runs. */
  readonly isAdded: boolean;
  /** Requests that it matched since it was enabled. */
  readonly matched: number;
  /** Those of them on which it acted. */
  readonly acted: number;
}

/** Without the counts. */
export interface FixturesChanges {
  /** In the order in which they were added. */
  readonly added: readonly AddedName[];
  readonly removed: readonly string[];
  readonly switches: ReadonlyMap<string, boolean>;
}

export interface FixturesSnapshot extends FixturesChanges {
  readonly memory: TurnMemory;
}

export interface AddedName {
  readonly name: string;
  readonly file: FixtureFile;
}

interface AddedRule extends AddedName {
  readonly rule: Rule;
}

const MOST_ADDED = 1000;

/** The rules that a session has added, removed, enabled and disabled. */
class RuleChanges {
  readonly added = new Map<string, AddedRule>();
  readonly removed = new Set<string>();
  readonly switches = new Map<string, boolean>();
  /** The enabled rules by operation, collected when they are first used. */
  readonly byOperation = new Map<Operation, RuleList>();

  get isEmpty(): boolean {
    return this.added.size + this.removed.size + this.switches.size === 0;
  }
}

/**
 * The rules of one session: those of the files, and what this session changed and counted. Most
 * sessions change and count nothing, and have no objects for it.
 */
export class SessionFixtures {
  #base: FixtureSet;
  #changed: RuleChanges | undefined;
  #memory: TurnMemory | undefined;

  constructor(base: FixtureSet) {
    this.#base = base;
  }

  get memory(): TurnMemory {
    this.#memory ??= createMemory();
    return this.#memory;
  }

  /** Replaces the rules of files that were read again, and keeps the changes of the session. */
  rebase(base: FixtureSet): void {
    if (base === this.#base) return;
    this.#base = base;
    if (this.#changed === undefined) return;
    this.#compile([...this.#changed.added.values()]);
    this.#noteChange();
  }

  rulesFor(operation: Operation): RuleList {
    if (this.#isPlain) return this.#base.rulesFor(operation);
    return remember(this.#changes.byOperation, operation, () => {
      const isMeant = (rule: Rule): boolean => this.#isEnabled(rule) && isFor(rule, operation);
      return new RuleList(this.#all().filter(isMeant));
    });
  }

  /** Returns the enabled rules of callbacks, in the order in which they are applied. */
  rulesForCallbacks(): readonly Rule[] {
    return this.#all().filter((rule) => this.#isEnabled(rule) && rule.sending !== undefined);
  }

  find(name: string): Rule | undefined {
    const isCalled = (rule: Rule): boolean => rule.name === name;
    return this.#all().find(isCalled) ?? this.#disabledProfiles().find(isCalled);
  }

  /** Returns the rules that a name selects: the one with this name, and those of a profile. */
  findAll(name: string): readonly Rule[] {
    const isCalled = (rule: Rule): boolean => isCalledBy(name, rule.name);
    return [...this.#all(), ...this.#disabledProfiles()].filter(isCalled);
  }

  /** Returns every rule, in the order in which they are applied. */
  list(): readonly RuleInSession[] {
    return [...this.#all(), ...this.#disabledProfiles()].map((rule) => ({
      rule,
      isEnabled: this.#isEnabled(rule),
      isAdded: this.#changes.added.has(rule.name),
      ...this.#count(rule.name),
    }));
  }

  /** Enables or disables rules; returns false for an unknown name. Enabling resets the counts. */
  setEnabled(name: string, isEnabled: boolean): boolean {
    const rules = this.findAll(name);
    for (const rule of rules) {
      if (isEnabled && !this.#isEnabled(rule)) this.memory.counters.delete(rule.name);
      this.#changes.switches.set(rule.name, isEnabled);
    }
    this.#noteChange();
    return rules.length > 0;
  }

  disableAll(): void {
    for (const { name } of this.#all()) this.#changes.switches.set(name, false);
    this.#noteChange();
  }

  compile(file: FixtureFile): readonly Rule[] {
    return this.#base.compile(file);
  }

  /**
   * Adds compiled rules, in place of those with the same name. They are applied before others of
   * their priority, the newest first. Adds none, and returns false, if there would be too many.
   */
  add(file: FixtureFile, rules: readonly Rule[]): boolean {
    const added = rules.filter(({ name }) => !this.#changes.added.has(name)).length;
    if (this.#changes.added.size + added > MOST_ADDED) return false;
    for (const rule of rules) {
      this.#changes.added.delete(rule.name);
      this.#changes.added.set(rule.name, { name: rule.name, file, rule });
      this.#resetRule(rule.name);
    }
    this.#noteChange();
    return true;
  }

  /** Removes a rule of a file, or an added one; returns false for an unknown name. */
  remove(name: string): boolean {
    if (this.find(name) === undefined) return false;
    this.#changes.added.delete(name);
    if (this.find(name) !== undefined) this.#changes.removed.add(name);
    this.#resetRule(name);
    this.#noteChange();
    return true;
  }

  /**
   * Removes the added rules that `isMeant` selects, and restores such rules of files; without it
   * all of both, also those that only an earlier document had.
   */
  removeAdded(isMeant?: (rule: Rule) => boolean): void {
    for (const { name, rule } of [...this.#changes.added.values()]) {
      if (isMeant?.(rule) === false) continue;
      this.#resetRule(name);
      this.#changes.added.delete(name);
    }
    if (isMeant === undefined) this.#changes.removed.clear();
    else if (this.#changes.removed.size > 0) {
      const restored = [...this.#base.rules, ...this.#base.profiles].filter(isMeant);
      for (const { name } of restored) this.#changes.removed.delete(name);
    }
    this.#noteChange();
  }

  /** Restores the rules of the files, and resets the counts. */
  reset(): void {
    this.removeAdded();
    this.#changes.switches.clear();
    this.#memory = undefined;
    this.#noteChange();
  }

  resetScenarios(): void {
    this.memory.scenarios.clear();
  }

  /** The differences from the files. */
  get changes(): FixturesChanges {
    return {
      added: [...this.#changes.added.values()].map(({ name, file }) => ({ name, file })),
      removed: [...this.#changes.removed],
      switches: new Map(this.#changes.switches),
    };
  }

  snapshot(): FixturesSnapshot {
    return { ...this.changes, memory: copyMemory(this.memory) };
  }

  restore({ added, removed, switches, memory }: FixturesSnapshot): void {
    this.#changed = new RuleChanges();
    for (const name of removed) this.#changes.removed.add(name);
    for (const [name, isEnabled] of switches) this.#changes.switches.set(name, isEnabled);
    this.#memory = copyMemory(memory);
    // The snapshot may be of another document.
    this.#compile(added);
    this.#noteChange();
  }

  /** Returns every rule but the disabled profiles. */
  #all(): readonly Rule[] {
    if (this.#isPlain) return this.#base.rules;
    const added = [...this.#changes.added.values()].reverse().map(({ rule }) => rule);
    const own = this.#base.rules.filter(
      ({ name }) => !this.#changes.removed.has(name) && !this.#changes.added.has(name),
    );
    const hasSwitches = this.#changes.switches.size > 0;
    const profiles = hasSwitches ? this.#profiles().filter((rule) => this.#isOn(rule)) : [];
    return orderRules([...added, ...own, ...profiles]);
  }

  #disabledProfiles(): readonly Rule[] {
    return this.#profiles().filter((rule) => !this.#isOn(rule));
  }

  /** Returns the profiles; an added rule replaces all rules of the profile with its name. */
  #profiles(): readonly Rule[] {
    const added = [...this.#changes.added.keys()];
    return this.#base.profiles.filter(
      ({ name }) => !this.#changes.removed.has(name) && !added.some((one) => isCalledBy(one, name)),
    );
  }

  #isOn({ name }: Rule): boolean {
    return this.#changes.switches.get(name) === true;
  }

  /** Forgets the counts of a rule, and whether it was enabled: another may take its name. */
  #resetRule(name: string): void {
    this.#changes.switches.delete(name);
    this.memory.counters.delete(name);
  }

  /** Compiles added rules again, and drops those that the document no longer allows. */
  #compile(added: readonly AddedName[]): void {
    this.#changes.added.clear();
    const sound = new Map<FixtureFile, ReadonlyMap<string, Rule>>();
    for (const { name, file } of added) {
      const rules = remember(sound, file, () => byName(this.#base.compileSound(file)));
      const rule = rules.get(name);
      if (rule !== undefined) this.#changes.added.set(name, { name, file, rule });
    }
  }

  #isEnabled(rule: Rule): boolean {
    return this.#changes.switches.get(rule.name) ?? rule.isEnabled;
  }

  #count(name: string): { readonly matched: number; readonly acted: number } {
    let matched = 0;
    let acted = 0;
    for (const counter of this.memory.counters.get(name)?.values() ?? []) {
      matched += counter.matched;
      acted += counter.acted;
    }
    return { matched, acted };
  }

  get #changes(): RuleChanges {
    this.#changed ??= new RuleChanges();
    return this.#changed;
  }

  get #isPlain(): boolean {
    return this.#changed === undefined || this.#changed.isEmpty;
  }

  /** Notes that something has changed. */
  #noteChange(): void {
    this.#changed?.byOperation.clear();
  }
}

function byName(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.name, rule]));
}

function createMemory(): TurnMemory {
  return { counters: new Map(), scenarios: new Map() };
}

/** Counters change in place, so each is copied. */
function copyMemory({ counters, scenarios }: TurnMemory): TurnMemory {
  const copies = [...counters].map(([name, byKey]) => {
    const copied = [...byKey].map(([key, counter]) => [key, { ...counter }] as const);
    return [name, new Map(copied)] as const;
  });
  return { counters: new Map(copies), scenarios: new Map(scenarios) };
}
