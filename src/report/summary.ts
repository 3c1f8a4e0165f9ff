import type { ProblemName, ToldProblem, Violation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
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

type Count = { count: number } & Omit<RefusalCount, 'count'>;

interface CountedRefusal {
  readonly operationId: string | undefined;
  readonly problem: ToldProblem;
  readonly counted: Count;
}

/** Counts the requests of a run, whichever session they name, in little memory. */
export class RunTally {
  readonly #called = new Set<string>();
  readonly #refusals = new Map<string, Count>();
  #requests = 0;
  #refused = 0;
  /** The last refusal: the next one often has the same cause, which is then not written. */
  #last: CountedRefusal | undefined;

  get requests(): number {
    return this.#requests;
  }

  record({ operationId, problem, attribution }: Exchange): void {
    this.#requests++;
    if (operationId !== undefined) this.#called.add(operationId);
    if (problem === undefined) return;
    this.#refused++;
    let last = this.#last;
    if (last === undefined || last.operationId !== operationId || !isAlike(last.problem, problem)) {
      const counted = this.#countOf(problem, operationId, attribution?.culprit);
      last = { operationId, problem, counted };
      this.#last = last;
    }
    last.counted.count++;
  }

  #countOf(problem: ToldProblem, operationId: string | undefined, attribution = ''): Count {
    const isFull = this.#refusals.size >= MOST_CAUSES;
    const key = keyOf(operationId, problem);
    const known = this.#refusals.get(key);
    if (known !== undefined) return known;
    return remember(this.#refusals, isFull ? OTHERS : key, () => ({
      count: 0,
      problem: problem.problem,
      ...(operationId !== undefined && !isFull && { operationId }),
      cause: isFull ? OTHERS : describeCause(problem),
      attribution,
    }));
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

/** Returns true for refusals of one operation that {@link keyOf} gives the same text. */
function isAlike(one: ToldProblem, other: ToldProblem): boolean {
  if (one.problem !== other.problem) return false;
  const { length } = other.violations;
  if (one.violations.length !== length) return false;
  if (length === 0) return one.message === other.message;
  for (let index = 0; index < Math.min(length, MOST_VIOLATIONS); index++) {
    const [left, right] = [one.violations[index], other.violations[index]];
    if (left?.in !== right?.in || left?.pointer !== right?.pointer) return false;
    if (left?.keyword !== right?.keyword) return false;
  }
  return true;
}

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
