import type { ToldProblem, Violation } from '../../base/problem.ts';
import type { RequestPattern } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';

/** What exchanges are looked at with. */
export interface ReadingSettings {
  /**
   * Made when it is asked for and not kept: what a view has decoded takes more room than the
   * request itself.
   */
  readonly createView: (exchange: Exchange) => RequestView;
  /** @returns what the request of an exchange is refused with now; undefined when it is not */
  readonly refuseAgain: (exchange: Exchange) => ToldProblem | undefined;
}

/** Which exchanges to list. */
export interface JournalQuery {
  /** The newest so many. */
  readonly limit?: number;
  /** Those with a greater number. */
  readonly since?: number;
}

/** What can be found in a journal, wherever its exchanges are kept. */
export abstract class JournalReader {
  readonly #settings: ReadingSettings;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
  }

  /** The oldest first. */
  protected abstract exchanges(): readonly KeptExchange[];

  abstract list(query?: JournalQuery): readonly KeptExchange[];

  find(pattern: RequestPattern, status?: number): readonly KeptExchange[] {
    return this.exchanges().filter(
      (exchange) =>
        (status === undefined || exchange.status === status) &&
        pattern.matches(this.view(exchange)),
    );
  }

  count(pattern: RequestPattern, status?: number): number {
    return this.find(pattern, status).length;
  }

  unmatched(): readonly KeptExchange[] {
    return this.list().filter(isUnmatched);
  }

  view(exchange: Exchange): RequestView {
    return this.#settings.createView(exchange);
  }

  violations(exchange: Exchange): readonly Violation[] {
    const { problem } = exchange;
    if (!(problem instanceof KeptProblem)) return problem?.violations ?? [];
    if (problem.violationCount === 0) return [];
    const again = this.#settings.refuseAgain(exchange);
    return again?.message === problem.message ? again.violations : [];
  }
}

/** True when no operation was meant, or the request was refused. */
function isUnmatched({ operationId, problem }: Exchange): boolean {
  return operationId === undefined || problem !== undefined;
}
