import type { Random } from '../../base/random.ts';
import type { RequestView } from '../../request/view.ts';

/** Where rules keep count: the session's, empty after a reset. */
export interface TurnMemory {
  /** What each rule has counted: by its name, then by what it counts apart. */
  readonly counters: Map<string, Map<string, Counter>>;
  /** The state of each scenario; one that is not there is in `Started`. */
  readonly scenarios: Map<string, string>;
}

/** What one rule has counted for one key. */
export interface Counter {
  /** Requests that matched. */
  matched: number;
  /** Those of them on which the rule acted. */
  acted: number;
  /** When the first of them came, by the session's clock; milliseconds since 1970. */
  firstAt: number;
  /** Tokens left in the bucket, and when they were counted. */
  tokens: number;
  tokensAt: number;
}

/** The request whose turn it may be. */
export interface Occasion {
  readonly view: RequestView;
  /** By the session's clock; milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
}

/** What a rule does on a request that it matches. */
export interface TurnOutcome {
  readonly acts: boolean;
  /** From 0 to 1: how far a ramp has come; 1 without one. Delays are multiplied by it. */
  readonly strength: number;
  /** Fields for the answer, whoever gives it: `RateLimit`, and `Retry-After` when it acts. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Where a rule keeps count of a request. */
export interface TurnPlace {
  /** Its name. */
  readonly rule: string;
  /** Of what it counts apart. */
  readonly key: string;
  /** Its scenario's name, where it has one. */
  readonly scenario: string | undefined;
}

/** When a rule acts on what it matches. */
export interface Turn {
  /** @returns where it keeps count of a request that it matches */
  placeOf(view: RequestView): TurnPlace;
  /** Counts the request, moves a scenario on when it acts. */
  take(occasion: Occasion, memory: TurnMemory): TurnOutcome;
}
