import {
  type ProblemName,
  problems,
  type ToldProblem,
  typeOf,
  type Violation,
} from '../problem.ts';
import { flatten } from './flatten.ts';

const NONE: readonly Violation[] = [];

/**
 * A refusal in as few objects as can be. Its violations hold many small texts, which each collection
 * of garbage would carry over, and are found again from the request when somebody asks for them.
 */
export class KeptProblem implements ToldProblem {
  readonly problem: ProblemName;
  /** Says each of the violations. */
  readonly message: string;
  /** How many violations there were. */
  readonly violationCount: number;

  constructor({ problem, message, violations }: ToldProblem) {
    this.problem = problem;
    this.message = flatten(message);
    this.violationCount = violations.length;
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
