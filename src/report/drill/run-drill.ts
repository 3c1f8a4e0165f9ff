import type { Exchange } from '../../client/journal-control.ts';
import type { RuleVerdict } from '../../client/reports.ts';
import type { MockSession } from '../../client/session.ts';
import { spoilingFaults } from '../../delivery/transmission.ts';
import { verdictRules } from '../verdict/judge.ts';
import { type Failure, isRuleOf, passingStatuses } from './failures.ts';

export interface Ending {
  readonly result: 'passed' | 'failed' | 'timed out';
  /** Its exit code; undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly seconds: number;
  readonly output: string;
}

/** A failure, and how to open a session in which it happens. */
export type Trial = Pick<Failure, 'name' | 'description' | 'operationId' | 'isLasting'> & {
  session(): Promise<MockSession>;
};

export interface TrialResult extends Ending, Pick<Failure, 'name' | 'description'> {
  readonly requests: number;
  /** The requests on which the failure acted. */
  readonly hits: number;
  /** Why the command may fail; undefined if it may not. */
  readonly excuse: string | undefined;
  /** What the requests say about the client. */
  readonly rules: readonly RuleVerdict[];
}

export interface DrillReport {
  readonly command: string;
  readonly baseline: TrialResult;
  readonly results: readonly TrialResult[];
  /** The failures of operations that the command does not call. */
  readonly uncalled: readonly Trial[];
}

export interface Drill {
  readonly trials: readonly Trial[];
  /** How many of the trials run at once. */
  readonly jobs: number;
  perform(session: MockSession): Promise<Ending>;
  /** No further trial begins once it is aborted. */
  readonly stopped: AbortSignal;
  onBegin(trial: Trial): void;
  onEnd(result: TrialResult): void;
}

/** Runs a command in a new session, without a failure. Returns the operations that it called, too. */
export async function runBaseline(session: MockSession, perform: Drill['perform']) {
  const trial = { ...BASELINE, session: () => Promise.resolve(session) };
  const { result, exchanges } = await runTrial(trial, perform);
  return { result, called: new Set(exchanges.map(({ operationId }) => operationId)) };
}

const BASELINE = { name: 'baseline', description: 'No failure.', isLasting: false };

/** Runs the command once for each failure, and returns the results in the order of the failures. */
export async function runDrill(drill: Drill): Promise<readonly TrialResult[]> {
  const { trials, jobs, stopped, perform, onBegin, onEnd } = drill;
  const results: TrialResult[] = [];
  const waiting = trials.entries();
  const work = async (): Promise<void> => {
    // The iterator is shared: each failure is taken once.
    for (const [index, trial] of waiting) {
      if (stopped.aborted) return;
      onBegin(trial);
      const { result } = await runTrial(trial, perform);
      results[index] = result;
      onEnd(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

/** Rules about the traffic of one client over time; tests are many clients, each for a moment. */
const OF_TRAFFIC = ['retry-budget', 'concurrency-bounded', 'no-thundering-herd', 'circuit'];

const JUDGED = verdictRules
  .filter(({ name, isOptional }) => isOptional !== true && !OF_TRAFFIC.includes(name))
  .map(({ name }) => name);

async function runTrial(trial: Trial, perform: Drill['perform']) {
  const { name, description } = trial;
  const session = await trial.session();
  const ending = await perform(session);
  const all = await session.journal.list();
  const exchanges = all.filter(({ callback }) => callback === undefined);
  const hits = exchanges.filter(({ rules }) => rules.some((rule) => isRuleOf(name, rule)));
  const excuse = hits.length === 0 ? undefined : findExcuse(trial, hits);
  const { rules } = await session.verdict({ rules: JUDGED });
  const result = {
    ...ending,
    name,
    description,
    requests: exchanges.length,
    hits: hits.length,
    excuse,
    rules,
  };
  await session.close();
  return { result: result satisfies TrialResult, exchanges: exchanges as readonly Exchange[] };
}

/** Methods that a client may repeat by itself (RFC 9110 §9.2.2). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'];

/** Statuses that say that the request was not processed (RFC 6585 §4, RFC 9110 §15.6.4). */
const UNPROCESSED = [429, 503];

/** An exchange on which a failure acted. */
type Hit = Pick<Exchange, 'request' | 'answer' | 'fault'>;

/** Returns why the command of a good client may fail; undefined where a retry makes it pass. */
export function findExcuse(
  { isLasting }: Pick<Failure, 'isLasting'>,
  hits: readonly Hit[],
): string | undefined {
  if (isLasting) return 'the failure outlasts every retry';
  return hits.map(excuseOf).find((excuse) => excuse !== undefined);
}

function excuseOf({ request, answer, fault }: Hit): string | undefined {
  if (spoilingFaults.some((spoiling) => spoiling === fault)) {
    return 'a response that breaks off is not always repeated';
  }
  const { status } = answer;
  if (fault === undefined && status < 400) return undefined;
  if (fault === undefined && !passingStatuses.has(status)) return `${status} is not retried`;
  const { method, headers } = request;
  const isSafe = REPEATABLE.includes(method) || Object.hasOwn(headers, 'idempotency-key');
  if (isSafe || (fault === undefined && UNPROCESSED.includes(status))) return undefined;
  return `${method} without Idempotency-Key is not repeated after ${fault ?? status}`;
}

/** Returns whether the client of a command did what it should not. */
export function isBad(result: TrialResult): boolean {
  return hasFailed(result) || findBroken(result).length > 0;
}

/** Returns whether a command failed although a client can succeed, or did not end at all. */
export function hasFailed({ result, excuse }: TrialResult): boolean {
  return result === 'timed out' || (result === 'failed' && excuse === undefined);
}

export function findBroken({ rules }: TrialResult): readonly RuleVerdict[] {
  return rules.filter(({ result }) => result === 'broken');
}
