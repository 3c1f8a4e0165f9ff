/** What a control API answers when it refuses (RFC 9457). */
export interface ControlProblem {
  /** Such as `urn:coldframe:problem:UNKNOWN_COLLECTION`; docs/reference/problems.md has them all. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Why, and what to do. */
  readonly detail: string;
}

/** The mock refused what a test asked of it; the message says why. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly problem: ControlProblem;

  constructor(problem: ControlProblem) {
    super(problem.detail);
    this.problem = problem;
  }

  /** @param name as in the registry of problems, such as `UNKNOWN_RESOURCE` */
  is(name: string): boolean {
    return this.problem.type.endsWith(`:${name}`);
  }
}
