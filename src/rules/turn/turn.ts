import type { Awaitable } from '../../base/awaitable.ts';
import type { Random } from '../../base/random.ts';
import type { Operation } from '../../contract/contract.ts';
import type { RequestView } from '../../request/view.ts';

/** The counts of a session's rules; empty after a reset. */
export interface TurnMemory {
  /** By the rule's name, then by the key that it counts by. */
  readonly counters: Map<string, Map<string, Counter>>;
  /** The state of each scenario; one that is missing is in `Started`. */
  readonly scenarios: Map<string, string>;
}

/** The counts of one rule for one key. */
export interface Counter {
  matched: number;
  /** Those of them on which the rule acted. */
  acted: number;
  /** When the first of them came, by the session's clock; milliseconds since 1970. */
  firstAt: number;
  /** Tokens left in the bucket, and when they were counted. */
  tokens: number;
  tokensAt: number;
}

interface Occasion {
  readonly view: RequestView;
  /** By the session's clock; milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
}

/** The effect of a rule on a request that it matches. */
export interface TurnOutcome {
  readonly acts: boolean;
  /** From 0 to 1: the progress of a ramp; 1 without one. Delays are multiplied by it. */
  readonly strength: number;
  /** Fields for the response, whatever its source: `RateLimit`, and `Retry-After` if it acts. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface TurnPlace {
  readonly rule: string;
  readonly key: string;
  readonly scenario: string | undefined;
}

/** Has the counters of a session's rules, in this process or for several. */
export interface TurnKeeper {
  /**
   * Runs the turns of rules on their counters, in one step for all processes.
   *
   * @param places the counters that the turns use
   * @param take is called again where another process has counted in the meantime
   */
  takeTurns<Value>(
    places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Awaitable<Value>;
}

/** When a rule acts on the requests that it matches. */
export interface Turn {
  placeOf(view: RequestView): TurnPlace;
  /** Counts a request that it matches, and changes the scenario's state if the rule acts. */
  take(occasion: Occasion, memory: TurnMemory): TurnOutcome;
}

export interface TurnOwner {
  readonly name: string;
  /** The operations that it names; none for all. */
  readonly operations: readonly Operation[];
  /**
   * True for a rule that has neither status nor fault. A ramp raises the share of the requests that
   * fail; but where there is only a delay, it raises the delay of all requests.
   */
  readonly onlyDelays: boolean;
}

/** A request that was counted, and the outcome if it is known. */
export interface CountedRequest extends Omit<Occasion, 'view'> {
  readonly counter: Counter;
  /** Milliseconds since the first request that was counted. */
  readonly elapsed: number;
  acts: boolean;
  strength: number;
  fields: TurnOutcome['fields'];
}

/** One kind of condition for a rule to act: an entry of `conditionKinds` in `compile-turn.ts`. */
export type ConditionKind<Members = object> = {
  /** Compiles the members of a rule; undefined for a rule that does not use them. */
  compile(rule: Members, owner: TurnOwner): TurnCondition | undefined;
}['compile'];

interface TurnCondition {
  readonly tokens?: number;
  /** Returns whether the rule counts requests at all. */
  counts?(memory: TurnMemory): boolean;
  /** Returns whether the rule may act. Called for every request that is counted. */
  allows?(request: CountedRequest): boolean;
  act?(request: CountedRequest, memory: TurnMemory): void;
}
