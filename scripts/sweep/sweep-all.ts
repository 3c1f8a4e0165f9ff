import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type DocumentResult, noFigures } from './figures.ts';
import type { Limits } from './sweep-document.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

export interface SweepOptions {
  readonly jobs: number;
  /** For each document; a worker that takes half a minute more is stopped. */
  readonly limits: Limits;
  /** True to walk through its collections, too, and to check it as the background check does. */
  readonly isExamined?: boolean;
  readonly report: (result: DocumentResult) => void;
}

/** The message that a worker gets. */
export interface Task {
  readonly document: string;
  readonly limits: Limits;
  readonly isExamined: boolean;
}

/** Sweeps documents with several processes. @returns in the given order */
export async function sweepAll(
  documents: readonly string[],
  { jobs, limits, isExamined = false, report }: SweepOptions,
): Promise<DocumentResult[]> {
  const results: DocumentResult[] = [];
  let next = 0;
  const work = async () => {
    const worker = new Worker();
    for (let index = next++; index < documents.length; index = next++) {
      const result = await worker.sweep({ document: documents[index] ?? '', limits, isExamined });
      results[index] = result;
      report(result);
    }
    worker.close();
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return results;
}

/** A process that sweeps documents. If a document ends it, the next one gets a new process. */
class Worker {
  #child: ChildProcess | undefined;

  /** @returns what the process sent, or that it ended */
  async sweep(task: Task): Promise<DocumentResult> {
    const child = this.#child ?? startWorker();
    this.#child = child;
    const times = task.isExamined ? 2 : 1;
    const most = task.limits.seconds * times + 30;
    const timer = setTimeout(() => child.kill('SIGKILL'), most * 1000);
    const over = new AbortController();
    const { signal } = over;
    const ended = once(child, 'exit', { signal }).then(([code, killedBy]) => {
      this.#child = undefined;
      const fault = `the sweep itself ended (${killedBy ?? `exit ${code}`})`;
      return { ...NOTHING, document: task.document, fault, figures: noFigures() };
    });
    ended.catch(() => {});
    const result = once(child, 'message', { signal }).then(
      ([message]) => message as DocumentResult,
    );
    result.catch(() => {});
    child.send(task);
    try {
      return await Promise.race([result, ended]);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }

  close(): void {
    this.#child?.disconnect();
  }
}

function startWorker(): ChildProcess {
  return fork(WORKER, {
    execArgv: ['--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
  });
}

const NOTHING = { version: '?', failures: [], notJudged: {}, notes: [], seconds: 0 };
