import type { ProblemName, ToldProblem, Violation } from '../problem.ts';

const NONE: readonly Violation[] = [];

/**
 * A refusal in as few objects as can be. Its violations hold many small texts, which each collection
 * of garbage would carry over, and are found again from the request when somebody asks for them.
 */
export class KeptProblem implements ToldProblem {
  readonly problem: ProblemName;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Says each of the violations. */
  readonly message: string;
  /** How many violations there were. */
  readonly violationCount: number;

  constructor({ problem, type, title, status, message, violations }: ToldProblem) {
    this.problem = problem;
    this.type = type;
    this.title = title;
    this.status = status;
    this.message = message;
    this.violationCount = violations.length;
  }

  /** Not kept: a journal finds them. */
  get violations(): readonly Violation[] {
    return NONE;
  }
}
