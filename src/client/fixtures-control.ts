import { type ControlChannel, toPath } from './control-channel.ts';

/** A rule as a fixture file writes it: see docs/reference/rules.md. */
export type RuleText = Readonly<Record<string, unknown>>;

/** A rule, and how it stands in the session. */
export interface Fixture {
  readonly name: string;
  readonly description?: string;
  readonly enabled: boolean;
  /** 1 is asked first. */
  readonly priority: number;
  /** Missing where it is for every operation. */
  readonly operationIds?: readonly string[];
  /** Where it is from; a profile ships with Coldframe. */
  readonly origin: 'file' | 'profile' | 'api';
  readonly source?: { readonly file: string; readonly line: number };
  /** True for a rule that acts before anything is checked, as an outage does. */
  readonly isOutage: boolean;
  /** How many requests of the session it has matched, and on how many of them it acted. */
  readonly matched: number;
  readonly acted: number;
}

interface Fixtures {
  readonly fixtures: readonly Fixture[];
}

/**
 * The fixture rules of a session.
 *
 * @typeParam Name the names of the rules that are known when the test is written
 */
export class FixturesControl<Name extends string> {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Switches a rule on. */
  on(name: Name): Promise<Fixture> {
    return this.switch(name, true);
  }

  /** Switches a rule off. */
  off(name: Name): Promise<Fixture> {
    return this.switch(name, false);
  }

  /** Switches a rule of any name, such as one that the test has added. */
  switch(name: string, isOn: boolean): Promise<Fixture> {
    return this.#control.put<Fixture>(toPath('fixtures', name, 'enabled'), { enabled: isOn });
  }

  /** Switches every rule off, at once. */
  allOff(): Promise<void> {
    return this.#control.post('/fixtures/off');
  }

  /**
   * Adds a rule, or several.
   *
   * @returns them, each with its name
   * @throws {ControlError} that says what is wrong with which; then none is added
   */
  async add(...rules: readonly [RuleText, ...RuleText[]]): Promise<readonly Fixture[]> {
    const { fixtures } = await this.#control.post<Fixtures>('/fixtures', { rules });
    return fixtures;
  }

  /** Changes a rule for this session, or adds it. */
  put(name: string, rule: RuleText): Promise<Fixture> {
    return this.#control.put<Fixture>(toPath('fixtures', name), rule);
  }

  /** @returns the rules in the order in which they are asked */
  async list(): Promise<readonly Fixture[]> {
    const { fixtures } = await this.#control.get<Fixtures>('/fixtures');
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
