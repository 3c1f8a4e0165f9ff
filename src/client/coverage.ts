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
