/** A request that was nearly one of those that were looked for. */
export interface NearMiss {
  /** The number of the request. */
  readonly number?: number;
  /** The rule that was nearly matched. */
  readonly fixture?: string;
  readonly operationId?: string;
  /** From 0, the same, to 1, nothing in common. */
  readonly distance: number;
  readonly reasons: readonly string[];
  readonly message: string;
}

/** Whether what was expected has been asked. */
export interface Verification {
  readonly verified: boolean;
  /** How many requests match. */
  readonly count: number;
  /** What was wanted, what came, and what came nearest. */
  readonly message: string;
  /** The numbers of the requests that match. */
  readonly exchanges?: readonly number[];
  readonly nearMisses?: readonly NearMiss[];
}

/** What was expected has not been asked; the message says what came instead. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.message);
    this.verification = verification;
  }
}
