import { type ControlChannel, toPath } from './control-channel.ts';

/** A state machine of the fixture rules. */
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

  /** @returns every scenario that a rule names */
  async list(): Promise<readonly Scenario[]> {
    const { scenarios } = await this.#control.get<{ readonly scenarios: readonly Scenario[] }>(
      '/scenarios',
    );
    return scenarios;
  }

  /** Sets the state of a scenario. @throws {ControlError} for one that no rule names */
  async set(name: string, state: string): Promise<void> {
    await this.#control.put(toPath('scenarios', name, 'state'), { state });
  }

  /** Takes every scenario back to `Started`. */
  async reset(): Promise<void> {
    await this.#control.post('/scenarios/reset');
  }
}
