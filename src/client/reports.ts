/** The groups that are counted, by the names of gates, in the order of a report. */
export const coverageGroups = {
  errors: 'declared errors met',
  operations: 'operations called',
  responses: 'other responses met',
  parameters: 'optional parameters sent and omitted',
  members: 'optional members of bodies sent and omitted',
  values: 'enum values and booleans sent',
  branches: 'branches of oneOf and anyOf sent',
  mediaTypes: 'media types, where several are declared',
  security: 'security schemes used',
  pages: 'lists of which a further page was read',
  failures: 'kinds of failure met',
} as const satisfies Readonly<Record<string, string>>;

export type CoverageGroup = keyof typeof coverageGroups;

/** The parts of the documents that a client has used. `fixtures/coverage.schema.json` describes its JSON. */
export interface Coverage {
  /** The version of this form. */
  readonly coverage: 1;
  readonly documents: readonly CoveredDocument[];
  readonly sums: CoverageSums;
  /** Each operation in the order of the documents; the last entry is for what belongs to none. */
  readonly operations: readonly CoveredOperation[];
}

interface CoveredDocument {
  readonly file: string;
  readonly title: string;
  readonly version: string;
}

export type CoverageSums = Readonly<Record<CoverageGroup, CoverageSum>>;

interface CoverageSum {
  readonly covered: number;
  readonly total: number;
}

export interface CoveredOperation {
  /** Undefined, with method and path, for security schemes and kinds of failure. */
  readonly operationId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly items: readonly CoveredItem[];
}

export interface CoveredItem {
  readonly group: CoverageGroup;
  readonly name: string;
  readonly covered: boolean;
  readonly file: string;
  readonly line: number;
  /** JSON Pointer in the file. */
  readonly pointer: string;
  /** A line of TypeScript that covers the item; undefined for one that is covered. */
  readonly code?: string;
}

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
