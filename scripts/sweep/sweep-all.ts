import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type DocumentResult, noFigures } from './figures.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

export interface SweepOptions {
  readonly jobs: number;
  /** For each document; a worker that takes half a minute more is stopped. */
  readonly seconds: number;
  readonly report: (result: DocumentResult) => void;
}

/** Sweeps documents, some at a time, each in a process of its own. @returns in the given order */
export async function sweepAll(
  documents: readonly string[],
  { jobs, seconds, report }: SweepOptions,
): Promise<DocumentResult[]> {
  const results: DocumentResult[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < documents.length; index = next++) {
      const result = await sweepApart(documents[index] ?? '', seconds);
      results[index] = result;
      report(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return results;
}

/** @returns what the worker sent; where it ended without, that it did */
function sweepApart(document: string, seconds: number): Promise<DocumentResult> {
  return new Promise((resolve) => {
    const child = fork(WORKER, [document, String(seconds)], {
      execArgv: ['--import', import.meta.resolve('tsx')],
      serialization: 'advanced',
    });
    let result: DocumentResult | undefined;
    const timer = setTimeout(() => child.kill('SIGKILL'), (seconds + 30) * 1000);
    child.on('message', (message) => {
      result = message as DocumentResult;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const fault = `the sweep itself ended (${signal ?? `exit ${code}`})`;
      resolve(result ?? { ...NOTHING, document, fault, figures: noFigures() });
    });
  });
}

const NOTHING = { version: '?', failures: [], notJudged: {}, notes: [], seconds: 0 };
