import type { Clock } from '../base/clock.ts';
import { CALLBACK_MARK } from '../http/message.ts';
import type { OutgoingRequest } from './outgoing.ts';

/** The response to a request that the mock sent. */
export interface IncomingResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its beginning, where it is long. */
  readonly body: string;
  readonly milliseconds: number;
}

/** Sends requests, and knows those under way so that they can be broken off. */
export interface Sender {
  /** @throws the error of `fetch`, also after a timeout and when the sender is closed */
  send(request: OutgoingRequest): Promise<IncomingResponse>;
  /** Runs a task that may send; {@link close} waits for it. */
  start(task: () => Promise<void>): void;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** A receiver that does not answer is given up. */
const LONGEST_MILLISECONDS = 10_000;
const LONGEST_BODY = 64 * 1024;

/** @param clock measures how long an answer takes */
export function createSender(clock: Clock): Sender {
  const underway = new Set<AbortController>();
  const tasks = new Set<Promise<void>>();
  return {
    async send(request) {
      const started = clock.monotonic();
      const controller = new AbortController();
      const timer = setTimeout(() => {
        controller.abort(new Error(`no response within ${LONGEST_MILLISECONDS / 1000} s`));
      }, LONGEST_MILLISECONDS);
      underway.add(controller);
      try {
        const response = await exchange(request, controller.signal);
        return { ...response, milliseconds: clock.monotonic() - started };
      } finally {
        clearTimeout(timer);
        underway.delete(controller);
      }
    },
    start(task) {
      const running = task().finally(() => tasks.delete(running));
      tasks.add(running);
    },
    async close() {
      for (const controller of underway) controller.abort(new Error('the mock was closed'));
      await Promise.allSettled(tasks);
    },
  };
}

async function exchange(
  { method, url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Omit<IncomingResponse, 'milliseconds'>> {
  const response = await fetch(url, {
    method,
    // The mark comes last, so that no parameter of the document replaces it.
    headers: { 'user-agent': 'coldframe', ...headers, [CALLBACK_MARK]: 'true' },
    body,
    // A receiver must not lead the mock to a host that was not allowed.
    redirect: 'manual',
    signal,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await readBeginning(response),
  };
}

async function readBeginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_BODY) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, LONGEST_BODY);
}
