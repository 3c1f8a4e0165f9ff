import type { Clock } from '../base/clock.ts';
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

/** A receiver that does not answer is given up. */
const LONGEST_MILLISECONDS = 10_000;
const LONGEST_BODY = 64 * 1024;

/** Sends requests, and knows those under way so that they can be broken off. */
export class Sender {
  readonly #clock: Clock;
  readonly #underway = new Set<AbortController>();
  readonly #tasks = new Set<Promise<void>>();

  /** @param clock measures how long an answer takes */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws the error of `fetch`, also after a timeout and when the sender is closed */
  async send(request: OutgoingRequest): Promise<IncomingResponse> {
    const started = this.#clock.monotonic();
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new Error(`no response within ${LONGEST_MILLISECONDS / 1000} s`));
    }, LONGEST_MILLISECONDS);
    this.#underway.add(controller);
    try {
      const response = await exchange(request, controller.signal);
      return { ...response, milliseconds: this.#clock.monotonic() - started };
    } finally {
      clearTimeout(timer);
      this.#underway.delete(controller);
    }
  }

  /** Runs a task that may send; {@link close} waits for it. */
  start(task: () => Promise<void>): void {
    const running = task().finally(() => this.#tasks.delete(running));
    this.#tasks.add(running);
  }

  async close(): Promise<void> {
    for (const controller of this.#underway) controller.abort(new Error('the mock was closed'));
    await Promise.allSettled(this.#tasks);
  }
}

async function exchange(
  { method, url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Omit<IncomingResponse, 'milliseconds'>> {
  const response = await fetch(url, {
    method,
    headers,
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
