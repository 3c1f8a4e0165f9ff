import { type ControlChannel, toPath } from './control-channel.ts';

/** A rule as in a fixture file: see docs/reference/rules.md. */
export type RuleText = Readonly<Record<string, unknown>>;

/** A rule with its state in a session. */
export interface Fixture {
  readonly name: string;
  readonly description?: string;
  /** Whether the rule can act. */
  readonly enabled: boolean;
  /** 1 is the highest priority. */
  readonly priority: number;
  /** Missing when the rule matches every operation. */
  readonly operationIds?: readonly string[];
  /** `profile` ships with Coldframe, `file` comes from a fixture file, `api` was added. */
  readonly origin: 'file' | 'profile' | 'api';
  readonly source?: { readonly file: string; readonly line: number };
  /** True for a rule that acts before the request is validated, such as an outage. */
  readonly isOutage: boolean;
  /** The number of requests that the rule matched. */
  readonly matched: number;
  /** The number of requests on which the rule acted. */
  readonly acted: number;
}

/**
 * The rules of a session.
 *
 * @typeParam Name the names of rules in fixture files and profiles
 */
export class FixturesControl<Name extends string> {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /**
   * Enables a rule or a profile.
   *
   * @example
   * await session.fixtures.on('flaky');
   */
  on(name: Name): Promise<Fixture> {
    return this.switch(name, true);
  }

  /** Disables a rule or a profile. */
  off(name: Name): Promise<Fixture> {
    return this.switch(name, false);
  }

  /** Enables or disables a rule of any name, such as one that the test added. */
  switch(name: string, isOn: boolean): Promise<Fixture> {
    return this.#control.put<Fixture>(toPath('fixtures', name, 'enabled'), { enabled: isOn });
  }

  /** Disables all rules. */
  allOff(): Promise<void> {
    return this.#control.post('/fixtures/off');
  }

  /**
   * Adds rules to the session.
   *
   * @returns the rules, with the names that unnamed ones got
   * @throws {ControlError} when a rule is invalid; then none is added
   *
   * @example
   * await session.fixtures.add({
   *   match: { operationId: 'createPlant' },
   *   times: 2,
   *   answer: { fail: 503 },
   * });
   */
  async add(...rules: readonly [RuleText, ...RuleText[]]): Promise<readonly Fixture[]> {
    const { fixtures } = await this.#control.post<{ fixtures: Fixture[] }>('/fixtures', { rules });
    return fixtures;
  }

  /**
   * Adds a rule, or replaces it in this session.
   *
   * @throws {ControlError} when the rule is invalid
   */
  put(name: string, rule: RuleText): Promise<Fixture> {
    return this.#control.put<Fixture>(toPath('fixtures', name), rule);
  }

  /** Returns the rules, in the order in which the mock tries them. */
  async list(): Promise<readonly Fixture[]> {
    const { fixtures } = await this.#control.get<{ fixtures: Fixture[] }>('/fixtures');
    return fixtures;
  }

  /** Removes a rule that was added. */
  remove(name: string): Promise<void> {
    return this.#control.delete(toPath('fixtures', name));
  }

  /** Removes all rules that were added. */
  clear(): Promise<void> {
    return this.#control.delete('/fixtures');
  }
}

/** A state machine of rules. */
export interface Scenario {
  readonly name: string;
  readonly state: string;
  readonly possibleStates: readonly string[];
}

/** The scenarios of a session. */
export class ScenariosControl {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Returns the scenarios of all rules. */
  async list(): Promise<readonly Scenario[]> {
    const { scenarios } = await this.#control.get<{ scenarios: Scenario[] }>('/scenarios');
    return scenarios;
  }

  /**
   * Sets the state of a scenario.
   *
   * @throws {ControlError} when no rule has the scenario or the state
   */
  async set(name: string, state: string): Promise<void> {
    await this.#control.put(toPath('scenarios', name, 'state'), { state });
  }

  /** Sets every scenario to `Started`. */
  async reset(): Promise<void> {
    await this.#control.post('/scenarios/reset');
  }
}
