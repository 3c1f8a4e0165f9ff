import { remember } from '../../base/remember.ts';
import type { Coverage } from '../../client/coverage.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Meaning } from '../../resources/meaning.ts';
import type { PendingExchange } from '../../respond/pipeline.ts';
import type { MockResponse } from '../../respond/response.ts';
import type { UsedItems, UsedMarks } from '../../session/used-items.ts';
import { describeCoverage } from './coverage.ts';
import { DocumentPlan } from './document-plan.ts';
import { OperationPlan } from './operation-plan.ts';

export interface CoveredContract {
  readonly contract: Contract;
  /** Returns what an operation does to resources; undefined where nobody knows. */
  readonly meaningOf: (operation: Operation) => Meaning | undefined;
}

/**
 * Records what requests use of the document, for each session and for all of them. An operation is
 * planned with its first request; then a request costs a look at what it has. Only whether an item
 * was used is kept, so any two records can be united.
 */
export class CoverageRecorder {
  readonly #contract: Contract;
  readonly #meaningOf: CoveredContract['meaningOf'];
  readonly #run: UsedItems;
  readonly #plans = new Map<Operation, OperationPlan>();
  #documentPlan: DocumentPlan | undefined;

  /** @param run the items that all requests have used; it outlives a reading of the documents */
  constructor({ contract, meaningOf }: CoveredContract, run: UsedItems) {
    this.#contract = contract;
    this.#meaningOf = meaningOf;
    this.#run = run;
  }

  readonly record = (exchange: PendingExchange, response: MockResponse): void => {
    const { routed, valid, call } = exchange;
    if (routed === undefined || routed.operation.fault !== undefined) return;
    const { used } = call.session;
    const plan = this.#planOf(routed.operation);
    const marks = used.of(plan);
    plan.mark(valid, response, marks);
    if (marks.isNew) this.#addToRun(marks);
    const whole = used.of(this.#wholeDocument);
    this.#wholeDocument.mark(valid, response, !call.effects.isIdle, whole);
    if (whole.isNew) this.#addToRun(whole);
  };

  /** @param used the items of a session; those of the whole run if they are left out */
  describe(used: UsedItems = this.#run): Coverage {
    const { operations } = this.#contract;
    const served = operations.filter(({ fault }) => fault === undefined);
    const plans = [...served.map((operation) => this.#planOf(operation)), this.#wholeDocument];
    return describeCoverage(this.#contract, plans, used);
  }

  #addToRun(marks: UsedMarks): void {
    marks.isNew = false;
    this.#run.of(marks.part).addAll(marks);
  }

  #planOf(operation: Operation): OperationPlan {
    return remember(
      this.#plans,
      operation,
      () => new OperationPlan(this.#contract, operation, this.#meaningOf(operation)),
    );
  }

  get #wholeDocument(): DocumentPlan {
    this.#documentPlan ??= new DocumentPlan(this.#contract);
    return this.#documentPlan;
  }
}
