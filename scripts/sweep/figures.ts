import type { Examination } from './examine-document.ts';

/** The counts of one document. */
export interface Figures {
  operations: number;
  /** Of these, how many were swept before the time ran out. */
  swept: number;
  /** Operations for which no valid request could be made. */
  unmade: number;
  made: number;
  accepted: number;
  judged: number;
  valid: number;
  codeAsked: number;
  codeKept: number;
  typeAsked: number;
  typeKept: number;
  broken: number;
  refused: number;
  /** Refusals that the operation has a declared answer for, and how many are one. */
  declarable: number;
  asDeclared: number;
  serverErrors: number;
  notServed: number;
  hangs: number;
  deaths: number;
}

export function noFigures(): Figures {
  return {
    operations: 0,
    swept: 0,
    unmade: 0,
    made: 0,
    accepted: 0,
    judged: 0,
    valid: 0,
    codeAsked: 0,
    codeKept: 0,
    typeAsked: 0,
    typeKept: 0,
    broken: 0,
    refused: 0,
    declarable: 0,
    asDeclared: 0,
    serverErrors: 0,
    notServed: 0,
    hangs: 0,
    deaths: 0,
  };
}

export function addFigures(sum: Figures, more: Figures): void {
  for (const name of Object.keys(sum) as (keyof Figures)[]) sum[name] += more[name];
}

/** One thing that was not as it must be, with what is needed to see it again. */
export interface Failure {
  readonly kind: FailureKind;
  readonly operation: string;
  readonly said: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
  readonly answer:
    | { readonly status: number; readonly fields: object; readonly body: string }
    | undefined;
}

export type FailureKind =
  | 'valid request refused'
  | 'invalid answer'
  | 'Prefer not kept'
  | 'Accept not kept'
  | 'broken request accepted'
  | 'refusal not as declared'
  | 'server error'
  | 'not served'
  | 'hang'
  | 'death';

export interface DocumentResult {
  readonly document: string;
  readonly version: string;
  /** Why the mock would not serve it. */
  readonly refused?: string;
  /** Why it could not be swept at all. */
  readonly fault?: string;
  readonly figures: Figures;
  readonly failures: readonly Failure[];
  /** Requests and responses that could not be made or judged, by reason. */
  readonly notJudged: Readonly<Record<string, number>>;
  /** The same one by one, with where. */
  readonly notes: readonly string[];
  readonly seconds: number;
  /** Left out unless it is asked for. */
  readonly examined?: Examination;
}

/** @returns whether all is as it must be; what the document itself rules out is no fault */
export function isClean({ figures, fault, failures }: DocumentResult): boolean {
  return (
    fault === undefined &&
    failures.every(({ kind }) => kind === 'not served') &&
    figures.deaths === 0
  );
}
