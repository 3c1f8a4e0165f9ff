import type { ProblemName, ToldProblem, Violation } from '../base/problem.ts';
import { createPaint, escapeControls } from '../base/terminal.ts';
import { count, listFirst } from '../base/words.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../journal/exchange.ts';

/** Counts of the requests of all sessions, since the mock began. */
export interface Summary {
  readonly requests: number;
  readonly refused: number;
  readonly neverCalled: readonly {
    readonly operationId: string;
    readonly method: string;
    readonly path: string;
  }[];
  /** The most frequent cause first. */
  readonly refusals: readonly RefusalCount[];
}

export interface RefusalCount {
  readonly count: number;
  readonly problem: ProblemName;
  readonly operationId?: string;
  /** What is wrong, without the values of the requests. */
  readonly cause: string;
  /** Who is to blame, as in `Mock-Attribution`. */
  readonly attribution: string;
}

/** More causes than these are counted together: a scanner has a new path in each request. */
const MOST_CAUSES = 1000;
const LONGEST_CAUSE = 300;
const MOST_VIOLATIONS = 3;

/** Counts the requests of a run, whichever session they name, in little memory. */
export class RunTally {
  readonly #called = new Set<string>();
  readonly #refusals = new Map<string, { count: number } & Omit<RefusalCount, 'count'>>();
  #requests = 0;
  #refused = 0;

  record({ operationId, problem, attribution }: Exchange): void {
    this.#requests++;
    if (operationId !== undefined) this.#called.add(operationId);
    if (problem === undefined) return;
    this.#refused++;
    const isFull = this.#refusals.size >= MOST_CAUSES;
    const key = keyOf(operationId, problem);
    const known = this.#refusals.get(key) ?? (isFull ? this.#refusals.get(OTHERS) : undefined);
    if (known !== undefined) known.count++;
    else {
      this.#refusals.set(isFull ? OTHERS : key, {
        count: 1,
        problem: problem.problem,
        ...(operationId !== undefined && !isFull && { operationId }),
        cause: isFull ? OTHERS : describeCause(problem),
        attribution: attribution?.culprit ?? '',
      });
    }
  }

  /** Returns what was counted so far; the operations are those of the document served now. */
  summarize({ operations }: Contract): Summary {
    const never = operations.filter(({ id }) => !this.#called.has(id));
    return {
      requests: this.#requests,
      refused: this.#refused,
      neverCalled: never.map(({ id, method, path }) => ({ operationId: id, method, path })),
      refusals: [...this.#refusals.values()]
        .map((one) => ({ ...one }))
        .sort((one, other) => other.count - one.count),
    };
  }
}

const OTHERS = 'other causes';

/** Returns the same text for refusals with one cause; cheap, as each refusal needs it. */
function keyOf(operationId = '', { problem, message, violations }: ToldProblem): string {
  let key = `${operationId} ${problem}`;
  if (violations.length === 0) return `${key} ${message}`;
  for (let index = 0; index < Math.min(violations.length, MOST_VIOLATIONS); index++) {
    const violation = violations[index];
    if (violation !== undefined) key += ` ${violation.in}${violation.pointer} ${violation.keyword}`;
  }
  return /\/\d/.test(key) ? withoutIndexes(key) : key;
}

/** Returns the same text for refusals that differ in the values of the requests alone. */
function describeCause({ violations, message }: ToldProblem): string {
  const sentences = violations.slice(0, MOST_VIOLATIONS).map(withoutValue);
  return (sentences.length > 0 ? sentences.join('; ') : message).slice(0, LONGEST_CAUSE);
}

function withoutValue({ message, got }: Violation): string {
  const value = `, got ${got}`;
  const sentence = message.endsWith(value) ? message.slice(0, -value.length) : message;
  return withoutIndexes(sentence);
}

function withoutIndexes(text: string): string {
  return text.replaceAll(/\/\d+(?=[/ ])/g, '/*');
}

const MOST_LISTED = 20;

/** Returns a summary as text, a line for each operation and each cause. */
export function formatSummary(summary: Summary, hasColor: boolean): string {
  const { requests, refused, neverCalled, refusals } = summary;
  const paint = createPaint(hasColor);
  const operations = neverCalled.map(
    ({ operationId, method, path }) =>
      `${escapeControls(`${method.toUpperCase()} ${path}`)} ${paint('dim', escapeControls(operationId))}`,
  );
  const causes = refusals.map(({ count: times, operationId = '', problem, cause, attribution }) => {
    const details = [operationId, problem, attribution].filter((one) => one !== '').join(', ');
    return `${times} × ${escapeControls(cause)} ${paint('dim', escapeControls(details))}`;
  });
  const lines = [
    `${count(requests, 'request')}, ${refused} refused`,
    ...listUnder('Refused, by cause:', causes),
    ...listUnder('Operations never called:', operations),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function listUnder(heading: string, all: readonly string[]): readonly string[] {
  if (all.length === 0) return [];
  return [heading, ...listFirst(all, MOST_LISTED, (line) => line).map((line) => `  ${line}`)];
}
