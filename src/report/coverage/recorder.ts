import { remember } from '../../base/remember.ts';
import {
  type Coverage,
  type CoverageGroup,
  type CoverageSums,
  type CoveredItem,
  type CoveredOperation,
  coverageGroups,
} from '../../client/reports.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Resources } from '../../resources/meaning.ts';
import type { PendingExchange } from '../../respond/pipeline.ts';
import type { MockResponse } from '../../respond/response.ts';
import type { UsedItems, UsedMarks } from '../../session/used-items.ts';
import { CoverLines } from './cover-line.ts';
import { DocumentPlan } from './document-plan.ts';
import type { CoveragePart } from './item.ts';
import { OperationPlan } from './operation-plan.ts';

type Meanings = Pick<Resources, 'meaningOf' | 'prepare'>;

/**
 * Records what requests use of the document, for each session and for all of them. An operation is
 * planned with its first request; then a request costs a look at what it has. Only whether an item
 * was used is kept, so any two records can be united.
 */
export class CoverageRecorder {
  readonly #contract: Contract;
  readonly #meanings: Meanings | undefined;
  readonly #run: UsedItems;
  readonly #plans = new Map<Operation, OperationPlan>();
  /** Plans without what is known only when all meanings are inferred. */
  readonly #firstPlans = new Map<Operation, OperationPlan>();
  readonly #unplanned: Iterator<Operation>;
  #documentPlan: DocumentPlan | undefined;

  /**
   * @param meanings undefined where operations have none
   * @param run the items that all requests have used; it outlives a reading of the documents
   */
  constructor(contract: Contract, meanings: Meanings | undefined, run: UsedItems) {
    this.#contract = contract;
    this.#meanings = meanings;
    this.#run = run;
    this.#unplanned = contract.operations.values();
  }

  readonly record = (exchange: PendingExchange, response: MockResponse): void => {
    const { routed, valid, call } = exchange;
    if (routed === undefined || routed.operation.fault !== undefined) return;
    const { used } = call.session;
    const inferring = this.#meanings?.prepare(routed.operation);
    const plan = this.#planFor(routed.operation, inferring === undefined);
    const marks = used.of(plan);
    plan.mark(valid, response, marks);
    if (marks.isNew) this.#addToRun(marks);
    const whole = used.of(this.#wholeDocument);
    this.#wholeDocument.mark(valid, response, !call.effects.isIdle, whole);
    if (whole.isNew) this.#addToRun(whole);
    if (inferring === undefined || valid === undefined) return;
    // Whether it read a further page is known then. An error is reported by the request that needs it.
    inferring.then(
      () => this.record(exchange, response),
      () => undefined,
    );
  };

  #planFor(operation: Operation, isInferred: boolean): OperationPlan {
    if (isInferred) return this.#planOf(operation);
    const plan = () => new OperationPlan(this.#contract, operation, undefined);
    return remember(this.#firstPlans, operation, plan);
  }

  /** Plans the next operation before its first request. Returns false if all are planned. */
  planNext(): boolean {
    const next = this.#unplanned.next();
    if (next.done === true) return false;
    if (next.value.fault === undefined) this.#planOf(next.value);
    return true;
  }

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
      () => new OperationPlan(this.#contract, operation, this.#meanings?.meaningOf(operation)),
    );
  }

  get #wholeDocument(): DocumentPlan {
    this.#documentPlan ??= new DocumentPlan(this.#contract);
    return this.#documentPlan;
  }
}

function describeCoverage(
  contract: Contract,
  parts: readonly CoveragePart[],
  used: UsedItems,
): Coverage {
  const { document } = contract;
  const lines = new CoverLines(contract);
  const operations = parts.map((part): CoveredOperation => {
    const marks = used.read(part);
    const items = part.items.flatMap((item, index): CoveredItem | [] => {
      const { group, name, place } = item;
      const { file, position, pointer } = document.whereIs(place, 'key');
      const covered = marks.has(index);
      const found = { group, name, covered, file, line: position.line, pointer };
      if (covered) return found;
      const code = lines.write(part, item);
      // An item that no operation can use is not missing.
      return code === undefined ? [] : { ...found, code };
    });
    if (part.operation === undefined) return { items };
    const { id, method, path } = part.operation;
    return { operationId: id, method, path, items };
  });
  const documents = document.entries.map(({ file, place }) => ({
    file,
    title: String(document.at(`${place}/info/title`) ?? ''),
    version: String(document.at(`${place}/info/version`) ?? ''),
  }));
  return { coverage: 1, documents, sums: sumUp(operations), operations };
}

export function sumUp(operations: readonly CoveredOperation[]): CoverageSums {
  const sums = Object.fromEntries(
    Object.keys(coverageGroups).map((group) => [group, { covered: 0, total: 0 }]),
  ) as Record<CoverageGroup, { covered: number; total: number }>;
  for (const { items } of operations) {
    for (const { group, covered } of items) {
      sums[group].total++;
      if (covered) sums[group].covered++;
    }
  }
  return sums;
}
