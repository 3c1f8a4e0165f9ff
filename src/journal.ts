import type { Problem } from './problem.ts';

/** One request and what became of it. */
export interface Exchange {
  /** The number of the request, as `Mock-Request-Id` tells it. */
  readonly id: number;
  readonly method: string;
  readonly target: string;
  /** Undefined when no operation matched. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly source: string;
  readonly problem: Problem | undefined;
  readonly fault: string | undefined;
  /** From the request's arrival until its answer was ready, delays included. */
  readonly milliseconds: number;
}

/** Is told of every exchange, whatever happened. */
export type Journal = (exchange: Exchange) => void;
