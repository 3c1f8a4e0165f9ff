/** What a session's requests say about the behaviour of its client, rule by rule. */
export interface Verdict {
  /** The id of the session. */
  readonly session: string;
  /** How many exchanges the journal has dropped: the verdict does not cover them. */
  readonly dropped: number;
  readonly rules: readonly RuleVerdict[];
}

/** Whether a client keeps one rule. */
export interface RuleVerdict {
  /** Such as `retry-after`; see docs/reference/verdict-rules.md. */
  readonly rule: string;
  /** `undecided` where the requests are not enough evidence. */
  readonly result: 'kept' | 'broken' | 'undecided';
  /** A sentence: what was seen, or what is missing. */
  readonly reason: string;
  /** Where the rule is broken: the requests that break it. */
  readonly evidence: readonly Evidence[];
}

/** Requests that break a rule. */
export interface Evidence {
  /** A sentence about these requests. */
  readonly message: string;
  readonly requests: readonly CitedRequest[];
  /** The value of `Mock-Replay` that brings the failure before them again. */
  readonly replay: string;
}

/** A request of the journal. */
interface CitedRequest {
  /** The same as `Mock-Request-Id`. */
  readonly number: number;
  /** When it arrived, by the session's clock, in RFC 3339. */
  readonly at: string;
}

/** The rules to judge by. */
export interface VerdictOptions {
  /** Only these rules. */
  readonly rules?: readonly string[];
  /** These rules too, which are not among the usual ones. */
  readonly also?: readonly string[];
  /**
   * Thresholds in place of the defaults, by rule and name.
   *
   * @example
   * { 'attempts-bounded': { most: 3 } }
   */
  readonly thresholds?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
