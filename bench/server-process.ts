import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CreateAnswer,
  type CreateKind,
  expectedStatus,
  sendCreate,
} from './plant-requests.ts';
import type { Server } from './servers.ts';
import { isRunning, type Job, lastWords, type Workplace } from './workplace.ts';

/** How to start a server. */
export interface Startable extends Pick<Server, 'title' | 'nodeArguments'> {
  /** The status of its right answer to a valid create, where that is not the document's. */
  readonly validStatus?: number;
}

export interface RunningServer<Started = Server> {
  readonly server: Started;
  readonly job: Job;
  readonly port: number;
  /** Milliseconds from the start of the process to its first right answer. */
  readonly millisecondsToFirstAnswer: number;
}

const startTimeout = 30_000;
const pollInterval = 2;

/** Starts a server, waits for its first right answer, lets `use` work with it, and always ends it. */
export async function withServer<Result, Started extends Startable>(
  workplace: Workplace,
  server: Started,
  pinning: readonly string[],
  use: (running: RunningServer<Started>) => Promise<Result>,
): Promise<Result> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const job = workplace.start([...pinning, process.execPath, ...server.nodeArguments(port)]);
  try {
    await waitForFirstAnswer(server, job, port, startedAt + startTimeout);
    const millisecondsToFirstAnswer = performance.now() - startedAt;
    return await use({ server, job, port, millisecondsToFirstAnswer });
  } finally {
    await workplace.stop(job);
  }
}

/** One request before the many: a server that answers wrongly fast must not get a figure. */
export async function checkAnswer({ server, job, port }: RunningServer, kind: CreateKind) {
  const answer = await sendCreate(port, kind);
  if (answer.status !== expectedStatus[kind]) {
    throw new Error(
      `${server.title} answered the ${kind} sample create with ${answer.status} instead of ` +
        `${expectedStatus[kind]}: ${answer.body}\n${lastWords(job)}`,
    );
  }
}

async function waitForFirstAnswer(server: Startable, job: Job, port: number, deadline: number) {
  let answer: CreateAnswer | undefined;
  const expected = server.validStatus ?? expectedStatus.valid;
  while (performance.now() < deadline) {
    answer = await tryCreate(port);
    if (answer?.status === expected) {
      return;
    }
    if (!isRunning(job.child)) {
      throw new Error(`${server.title} ended before it answered. ${lastWords(job)}`);
    }
    await sleep(pollInterval);
  }
  const seen = answer === undefined ? 'no answer' : `${answer.status} ${answer.body}`;
  throw new Error(
    `${server.title} did not answer a valid create with ${expected} within ` +
      `${startTimeout / 1_000} s; the last try gave ${seen}. ${lastWords(job)}`,
  );
}

/** Nothing while the server does not listen yet. */
async function tryCreate(port: number): Promise<CreateAnswer | undefined> {
  try {
    return await sendCreate(port, 'valid');
  } catch {
    return undefined;
  }
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error('The system gave no free port on 127.0.0.1');
  }
  return address.port;
}
