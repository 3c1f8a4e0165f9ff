import type { Answer, Sent } from './client.ts';
import { type Failure, type FailureKind, type Figures, noFigures } from './figures.ts';
import type { Operation } from './operation.ts';

const MOST_TEXT = 2_000;
const MOST_NOTES = 1_000;

/** Counts, and keeps what was not as it must be. */
export class Tally {
  readonly figures: Figures = noFigures();
  readonly failures: Failure[] = [];
  readonly notes: string[] = [];
  readonly notJudged: Record<string, number> = {};

  /** @param where what it was about, for whoever looks closer */
  skip(reason: string, where = ''): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(`${where}: ${reason}`);
    this.notJudged[reason] = (this.notJudged[reason] ?? 0) + 1;
  }

  fail(kind: FailureKind, operation: Operation, said: string, sent: Sent, answer?: Answer): void {
    this.failures.push({
      kind,
      operation: `${operation.method} ${operation.path}`,
      said,
      request: {
        method: sent.method,
        target: sent.target,
        fields: sent.fields,
        body: sent.body?.toString('utf8').slice(0, MOST_TEXT),
      },
      answer: answer && {
        status: answer.status,
        fields: answer.fields,
        body: answer.body.toString('utf8').slice(0, MOST_TEXT),
      },
    });
  }
}
