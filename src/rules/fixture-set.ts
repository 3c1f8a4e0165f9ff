import type { Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { compileRule, type RuleMaterial } from './compile-rule.ts';
import {
  type FixtureFile,
  type GivenRule,
  readFixtureFile,
  type SeedDefinition,
} from './read-file.ts';
import { isCalledBy, isFor, type Rule } from './rule.ts';

/** What rules are compiled with, and the profiles that there are besides. */
export interface FixtureMaterial extends RuleMaterial {
  readonly readProfiles: () => readonly FixtureFile[];
}

/** Texts of further files whose rules are remembered. */
const MOST_SOUND = 1000;

/** The rules of all fixture files: what every session begins with. */
export class FixtureSet {
  /** In the order in which they are asked. */
  readonly rules: readonly Rule[];
  /** The resources that every session begins with, as the files have them. */
  readonly seeds: readonly SeedDefinition[];
  readonly #material: FixtureMaterial;
  #profiles: readonly Rule[] | undefined;
  readonly #byOperation = new Map<Operation, readonly Rule[]>();
  /** What further files have come to, by their texts: a shared session gives them again and again. */
  readonly #sound = new Map<string, readonly Rule[]>();

  /**
   * @param rules whose names differ
   * @param material what further rules are compiled with
   */
  constructor(
    rules: readonly Rule[],
    material: FixtureMaterial,
    seeds: readonly SeedDefinition[] = [],
  ) {
    this.rules = orderRules(rules);
    this.seeds = seeds;
    this.#material = material;
  }

  /**
   * The rules that every mock has, whatever its files say, but for those whose names its files take
   * for themselves. Read when they are first asked for: most mocks never need them.
   */
  get profiles(): readonly Rule[] {
    if (this.#profiles !== undefined) return this.#profiles;
    const taken = new Set(this.rules.map(({ name }) => name));
    const rules = this.#material.readProfiles().flatMap((file) => this.compile(file));
    this.#profiles = orderRules(
      rules.filter(({ name }) => ![...taken].some((one) => isCalledBy(one, name))),
    );
    return this.#profiles;
  }

  /** @returns the rules that are on for an operation, in the order in which they are asked */
  rulesFor(operation: Operation): readonly Rule[] {
    const known = this.#byOperation.get(operation);
    if (known !== undefined) return known;
    const rules = this.rules.filter((rule) => rule.isEnabled && isFor(rule, operation));
    this.#byOperation.set(operation, rules);
    return rules;
  }

  /**
   * Holds the rules of a further file against the same contract; the set stays as it is. Names are
   * not looked at.
   *
   * @throws {DiagnosticError} with line and column of everything that is wrong
   */
  compile(file: FixtureFile): readonly Rule[] {
    const diagnostics: Diagnostic[] = [];
    const rules = this.#compileAll(file, diagnostics);
    if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
    return rules;
  }

  /** As {@link compile}, but leaves out the rules that the contract does not allow. */
  compileSound(file: FixtureFile): readonly Rule[] {
    const known = this.#sound.get(file.text);
    if (known !== undefined) return known;
    const rules = this.#compileAll(file, []);
    if (this.#sound.size >= MOST_SOUND) this.#sound.clear();
    this.#sound.set(file.text, rules);
    return rules;
  }

  /** @param diagnostics where faults are noted */
  #compileAll(file: FixtureFile, diagnostics: Diagnostic[]): readonly Rule[] {
    const rules: Rule[] = [];
    collectFaults(diagnostics, () => {
      const { document, rules: given, seeds } = readFixtureFile(file);
      if (seeds.length > 0) throw document.fail('/resources', NO_SEEDS, SEEDS_ELSEWHERE);
      for (const one of given) {
        collectFaults(diagnostics, () => {
          rules.push(compileRule(one, one.rule.enabled ?? true, this.#material));
        });
      }
    });
    return rules;
  }
}

/** The smallest priority first; those of one priority stay in their order. */
export function orderRules(rules: readonly Rule[]): readonly Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority);
}

/**
 * Reads fixture files and holds each rule against the contract.
 *
 * @param switchedOn names of rules to enable whatever their files say
 * @throws {DiagnosticError} with file, line and column of everything that is wrong
 */
export function compileFixtures(
  files: readonly FixtureFile[],
  material: FixtureMaterial,
  switchedOn: readonly string[],
): FixtureSet {
  const diagnostics: Diagnostic[] = [];
  const rules = new Map<string, Rule>();
  const seeds: SeedDefinition[] = [];
  for (const file of files) {
    collectFaults(diagnostics, () => {
      const { rules: given, seeds: own } = readFixtureFile(file);
      for (const seed of own) seeds.push(seed);
      for (const one of given) {
        collectFaults(diagnostics, () => {
          const { name, enabled = true } = one.rule;
          if (rules.has(name)) throw twice(one);
          const isEnabled = enabled || switchedOn.some((on) => isCalledBy(on, name));
          rules.set(name, compileRule(one, isEnabled, material));
        });
      }
    });
  }
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  const set = new FixtureSet([...rules.values()], material, seeds);
  const unknown = switchedOn.filter(
    (on) => ![...rules.keys()].some((name) => isCalledBy(on, name)),
  );
  return unknown.length === 0 ? set : switchProfilesOn(set, unknown, material);
}

/** @throws {DiagnosticError} for a name that is no profile's either */
function switchProfilesOn(
  set: FixtureSet,
  switchedOn: readonly string[],
  material: FixtureMaterial,
): FixtureSet {
  const called = (on: string): readonly Rule[] =>
    set.profiles.filter(({ name }) => isCalledBy(on, name));
  const lost = switchedOn.filter((on) => called(on).length === 0);
  if (lost.length > 0) {
    throw new DiagnosticError(lost.map((on) => notThere(on, set)));
  }
  const news = new Set(switchedOn.flatMap(called));
  const enabled = [...news].map((rule) => Object.freeze({ ...rule, isEnabled: true }));
  return new FixtureSet([...set.rules, ...enabled], material, set.seeds);
}

const NO_SEEDS = 'resources stand in files that the mock starts with';
const SEEDS_ELSEWHERE = 'PUT /__admin/state puts them while it runs.';

function collectFaults(diagnostics: Diagnostic[], read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    diagnostics.push(...error.diagnostics);
  }
}

function twice({ file, pointer, rule }: GivenRule): DiagnosticError {
  return file.fail(
    `${pointer}/name`,
    `there is a rule ${JSON.stringify(rule.name)} already`,
    'A rule is switched by its name, so each has its own.',
  );
}

function notThere(name: string, { rules, profiles }: FixtureSet): Diagnostic {
  const list = (some: readonly Rule[]): string =>
    some
      .map((rule) => rule.name)
      .sort()
      .join(', ');
  const own = rules.length === 0 ? 'There is none in files' : `There is ${list(rules)}`;
  return {
    severity: 'error',
    file: '--fixture',
    position: { line: 1, column: 1 },
    pointer: '',
    message: `there is no fixture ${JSON.stringify(name)}`,
    remedy: `${own}; of the profiles there is ${list(profiles)}.`,
  };
}
