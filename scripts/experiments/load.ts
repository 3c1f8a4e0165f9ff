import { setTimeout as sleep } from 'node:timers/promises';
import { isSuccess, type Ledger } from './ledger.ts';
import { Pipeline, type Reply } from './pipeline.ts';
import type { Trial } from './support.ts';

/** After which an answer is too late: a store that is away is told of within this time. */
export const LONGEST_ANSWER_MILLISECONDS = 2_000;
/** Extra time for a busy machine. */
const SLACK_MILLISECONDS = 300;
/** A client that is refused does not ask again at once. */
const PAUSE_MILLISECONDS = 10;

/** A failure of a response that an unavailable store does not explain. */
interface Fault {
  readonly asked: string;
  readonly got: string;
}

/** Clients that create plants and read them again, for as long as it runs. */
export class Load {
  readonly #url: string;
  readonly #ledger: Ledger;
  readonly #faults: Fault[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #clients: Promise<void>[];
  #slowest = 0;
  #lastSuccess = 0;
  #isOver = false;

  /** @param first id that it creates; each client has a million of its own */
  constructor(url: string, ledger: Ledger, first: number, clients = 8) {
    this.#url = url;
    this.#ledger = ledger;
    this.#clients = Array.from({ length: clients }, (_, index) =>
      this.#run(first + index * 1_000_000),
    );
  }

  /** Waits until a create is taken that was sent after now. @returns after how long */
  async untilTaken(milliseconds: number): Promise<number> {
    const started = performance.now();
    while (this.#lastSuccess < started && performance.now() - started < milliseconds) {
      await sleep(10);
    }
    return Math.round(performance.now() - started);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Prints whether each answer was a true one or a refusal, and came in time. */
  judge(trial: Trial, when: string): void {
    const statuses = [...this.#statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
    trial.measured(`${when}: answers by status`, statuses);
    trial.measured(`${when}: slowest answer`, `${Math.round(this.#slowest)} ms`);
    trial.expect(
      this.#slowest <= LONGEST_ANSWER_MILLISECONDS + SLACK_MILLISECONDS,
      `${when}: every answer came within ${LONGEST_ANSWER_MILLISECONDS} ms`,
    );
    const [first] = this.#faults;
    const told = first === undefined ? '' : `, such as ${first.asked}: ${first.got}`;
    trial.expect(
      this.#faults.length === 0,
      `${when}: every answer was true, or a 503 of the document: ${this.#faults.length} were not${told}`,
    );
  }

  async #run(first: number): Promise<void> {
    const line = new Pipeline(this.#url);
    for (let id = first; !this.#isOver; id++) {
      const sent = performance.now();
      const created = await this.#ledger.create(line, id);
      this.#note(`create ${id}`, created, isSuccess(created));
      if (isSuccess(created)) this.#lastSuccess = Math.max(this.#lastSuccess, sent);
      if (!isSuccess(created)) await sleep(PAUSE_MILLISECONDS);
      if (!this.#ledger.created.has(first)) continue;
      const read = await line.send(`/plants/${first}`);
      const isTrue = read?.status === 200 && read.body.includes(this.#ledger.nameOf(first));
      this.#note(`read ${first}`, read, isTrue);
    }
    line.close();
  }

  #note(asked: string, reply: Reply | undefined, isTrue: boolean): void {
    const status = reply?.status ?? 0;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#slowest = Math.max(this.#slowest, reply?.milliseconds ?? 0);
    if (isTrue || isOutage(reply)) return;
    this.#faults.push({ asked, got: reply === undefined ? 'nothing' : `${status} ${reply.body}` });
  }
}

/** @returns true for the 503 that the document declares */
function isOutage(reply: Reply | undefined): boolean {
  return reply?.status === 503 && /"error":503,"message":"./.test(reply.body);
}
