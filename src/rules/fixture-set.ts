import { askMeant } from '../base/nearest-name.ts';
import { once, remember } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import {
  collectFaults,
  type Diagnostic,
  DiagnosticError,
  diagnoseFile,
} from '../document/diagnostic.ts';
import type { RequestView, RequiredText } from '../request/view.ts';
import type { RuleMaterial } from './answer/given-answer.ts';
import { compileRule } from './compile-rule.ts';
import {
  type FixtureFile,
  type GivenRule,
  type ReadFile,
  readFixtureFile,
  type SeedDefinition,
} from './read-file.ts';
import { isCalledBy, isFor, type Rule } from './rule.ts';

/** The maximum of added files whose rules are cached. */
const MOST_SOUND = 1000;

/** The rules of all fixture files, with which every session starts. */
export class FixtureSet {
  readonly #own: readonly Rule[];
  readonly #disabled: readonly FixtureFile[];
  #rules: readonly Rule[] | undefined;
  /** The resources with which every session starts, as in the files. */
  readonly seeds: readonly SeedDefinition[];
  readonly #material: RuleMaterial;
  #profiles: readonly Rule[] | undefined;
  readonly #byOperation = new Map<Operation, RuleList>();
  /** The rules of added files by their texts: a shared session compiles them again and again. */
  readonly #sound = new Map<string, readonly Rule[]>();

  /** @param disabled files without errors, whose rules are disabled; compiled on first use */
  constructor(
    rules: readonly Rule[],
    material: RuleMaterial,
    seeds: FixtureSet['seeds'] = [],
    disabled: readonly FixtureFile[] = [],
  ) {
    this.#own = orderRules(rules);
    this.seeds = seeds;
    this.#material = material;
    this.#disabled = disabled;
  }

  /** Returns the set with its resources alone. */
  withoutRules(): FixtureSet {
    return new FixtureSet([], this.#material, this.seeds);
  }

  get rules(): readonly Rule[] {
    this.#rules ??= orderRules([...this.#own, ...this.#compileFiles(this.#disabled)]);
    return this.#rules;
  }

  /** The rules that ship with Coldframe, but for names that the files use; read on first use. */
  get profiles(): readonly Rule[] {
    if (this.#profiles !== undefined) return this.#profiles;
    const taken = new Set(this.rules.map(({ name }) => name));
    const rules = this.#compileFiles(this.#material.readProfiles());
    this.#profiles = orderRules(
      rules.filter(({ name }) => ![...taken].some((one) => isCalledBy(one, name))),
    );
    return this.#profiles;
  }

  rulesFor(operation: Operation): RuleList {
    return remember(
      this.#byOperation,
      operation,
      () => new RuleList(this.#own.filter((rule) => rule.isEnabled && isFor(rule, operation))),
    );
  }

  /** Compiles the rules of a further file, without adding them or comparing their names. */
  compile(file: FixtureFile): readonly Rule[] {
    const diagnostics: Diagnostic[] = [];
    const rules = this.#compileAll(file, diagnostics);
    if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
    return rules;
  }

  #compileFiles(files: readonly FixtureFile[]): readonly Rule[] {
    return files.flatMap((file) => this.compile(file));
  }

  /** Does the same as {@link compile}, but leaves out the rules with errors. */
  compileSound(file: FixtureFile): readonly Rule[] {
    return remember(this.#sound, file.text, () => {
      if (this.#sound.size >= MOST_SOUND) this.#sound.clear();
      return this.#compileAll(file, []);
    });
  }

  #compileAll(file: FixtureFile, diagnostics: Diagnostic[]): readonly Rule[] {
    const rules: Rule[] = [];
    readRules(file, diagnostics, {
      read({ document, seeds }) {
        if (seeds.length > 0) throw document.fail('/resources', NO_SEEDS, SEEDS_ELSEWHERE);
      },
      compile: (one) => rules.push(compileRule(one, one.rule.enabled ?? true, this.#material)),
    });
    return rules;
  }
}

/** The smallest priority first; those of one priority stay in their order. */
export function orderRules(rules: readonly Rule[]): readonly Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority);
}

/** Compiles fixture files, enables the rules with these names, and adds errors to `faults`. */
export function compileFixtures(
  files: readonly FixtureFile[],
  material: RuleMaterial,
  enabledNames: readonly string[],
  faults: Diagnostic[],
): FixtureSet {
  const names = new Set<string>();
  const rules: Rule[] = [];
  const seeds: SeedDefinition[] = [];
  const isNamed = (name: string): boolean => enabledNames.some((on) => isCalledBy(on, name));
  for (const file of files) {
    readRules(file, faults, {
      read: (content) => seeds.push(...content.seeds),
      compile(one) {
        const { name, enabled = true } = one.rule;
        if (names.has(name)) throw duplicate(one);
        names.add(name);
        rules.push(compileRule(one, enabled || isNamed(name), material));
      },
    });
  }
  const set = new FixtureSet(rules, material, seeds);
  const others = enabledNames.filter((on) => ![...names].some((name) => isCalledBy(on, name)));
  const profilesNamed = (on: string): readonly Rule[] =>
    set.profiles.filter(({ name }) => isCalledBy(on, name));
  const unknown = others.filter((on) => profilesNamed(on).length === 0);
  faults.push(...unknown.map((on) => unknownRule(on, set)));
  if (others.length === 0) return set;
  const profiles = new Set(others.flatMap(profilesNamed));
  const enabled = [...profiles].map((rule) => Object.freeze({ ...rule, isEnabled: true }));
  return new FixtureSet([...rules, ...enabled], material, seeds);
}

const NO_SEEDS = 'resources can only be in files that the mock starts with';
const SEEDS_ELSEWHERE = 'PUT /__admin/state stores them while it runs.';

/** More are of no use to a reader, and each takes time. */
const MOST_FAULTS = 100;

/** Reads a file, and compiles each of its rules; what is wrong is recorded. */
function readRules(
  file: FixtureFile,
  diagnostics: Diagnostic[],
  to: { read(content: ReadFile): void; compile(rule: GivenRule): void },
): void {
  collectFaults(diagnostics, () => {
    const content = readFixtureFile(file, diagnostics);
    to.read(content);
    for (const rule of content.rules) {
      if (diagnostics.length < MOST_FAULTS) collectFaults(diagnostics, () => to.compile(rule));
    }
  });
}

function duplicate({ place, rule }: GivenRule): DiagnosticError {
  return place
    .at('name')
    .fail(
      `there is a rule ${JSON.stringify(rule.name)} already`,
      'A rule is enabled by its name, so each needs its own.',
    );
}

function unknownRule(name: string, { rules, profiles }: FixtureSet): Diagnostic {
  const namesOf = (some: readonly Rule[]) => some.map((rule) => rule.name).sort();
  const own =
    rules.length === 0 ? 'There is none in files' : `There is ${namesOf(rules).join(', ')}`;
  const known = `${own}; of the profiles there is ${namesOf(profiles).join(', ')}.`;
  const remedy = askMeant(name, namesOf([...rules, ...profiles])) + known;
  return diagnoseFile('--fixture', `there is no fixture ${JSON.stringify(name)}`, { remedy });
}

/** So few rules are asked one after the other. */
const FEW = 16;

/** The enabled rules of an operation, in the order in which they are applied. */
export class RuleList {
  readonly all: readonly Rule[];
  readonly #finders: { readonly outage: FindRules; readonly valid: FindRules };

  constructor(all: readonly Rule[]) {
    this.all = all;
    this.#finders = {
      outage: createFinder(all.filter(({ isOutage }) => isOutage)),
      valid: createFinder(all.filter(({ isOutage }) => !isOutage)),
    };
  }

  /** Returns the rules of a phase without some that do not match the request. */
  find(phase: 'outage' | 'valid', view: RequestView): readonly Rule[] {
    return this.#finders[phase](view);
  }
}

type FindRules = (view: RequestView) => readonly Rule[];

/** Looks rules up by the text that they require of a request, where there are many. */
function createFinder(rules: readonly Rule[]): FindRules {
  if (rules.length <= FEW) return () => rules;
  const grouped = once(() => groupByText(rules));
  return (view) => {
    const { groups, others } = grouped();
    if (groups.length === 0) return rules;
    const places = others.slice();
    for (const { textsIn, placesOf } of groups) {
      for (const text of new Set(textsIn(view))) {
        for (const place of placesOf.get(text) ?? []) places.push(place);
      }
    }
    return places.sort((left, right) => left - right).flatMap((place) => rules[place] ?? []);
  };
}

function groupByText(rules: readonly Rule[]) {
  const groups = new Map<string, Pick<RequiredText, 'textsIn'> & { placesOf: Places }>();
  const others: number[] = [];
  for (const [place, { pattern }] of rules.entries()) {
    const { subject = '', text = '', textsIn } = pattern.requires ?? {};
    if (textsIn === undefined) {
      others.push(place);
      continue;
    }
    const { placesOf } = remember(groups, subject, () => ({ textsIn, placesOf: new Map() }));
    remember(placesOf, text, () => []).push(place);
  }
  return { groups: [...groups.values()], others };
}

/** The places of rules among all, by the text that they require. */
type Places = Map<string, number[]>;

/** Returns a note about each rule that fails with a status that operations do not declare. */
export function noteUndeclared(
  rules: readonly Rule[],
  { operations }: Contract,
): readonly Diagnostic[] {
  return rules.flatMap((rule): readonly Diagnostic[] => {
    const { action, origin } = rule;
    if (action?.kind !== 'answer') return [];
    const answers = (rule.operations.length > 0 ? rule.operations : operations)
      .map((operation) => ({ operation, answer: action.answerOf(operation) }))
      .filter(({ answer }) => answer?.undeclared !== undefined);
    const [first] = answers;
    if (first?.answer === undefined) return [];
    const named = nameOperations(answers.map(({ operation }) => operation));
    return [
      {
        severity: 'note',
        file: origin.file,
        position: { line: origin.line, column: 1 },
        pointer: '',
        message: `${rule.name}: ${named} no ${first.answer.status}; clients may still meet one from a gateway`,
      },
    ];
  });
}

const MOST_NAMED = 3;

function nameOperations(operations: readonly Operation[]): string {
  const names = operations.slice(0, MOST_NAMED).map(({ id }) => id);
  if (operations.length === 1) return `${names.join()} declares`;
  const more = operations.length > MOST_NAMED ? ', …' : '';
  return `${operations.length} operations (${names.join(', ')}${more}) declare`;
}
