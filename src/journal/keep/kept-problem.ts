import {
  type ProblemName,
  problems,
  type ToldProblem,
  typeOf,
  type Violation,
} from '../../base/problem.ts';

const NONE: readonly Violation[] = [];

/**
 * A refusal as it is kept. Its violations hold many small texts, which are not: they are found again
 * from the request when somebody asks for them.
 */
export class KeptProblem implements ToldProblem {
  readonly problem: ProblemName;
  /** Says each of the violations. */
  readonly message: string;
  /** How many violations there were. */
  readonly violationCount: number;

  constructor(problem: ProblemName, message: string, violationCount: number) {
    this.problem = problem;
    this.message = message;
    this.violationCount = violationCount;
  }

  get type(): string {
    return typeOf(this.problem);
  }

  get title(): string {
    return problems[this.problem].title;
  }

  get status(): number {
    return problems[this.problem].status;
  }

  /** Not kept: a journal finds them. */
  get violations(): readonly Violation[] {
    return NONE;
  }
}
