import type { Random } from '../../src/base/random.ts';
import type { Clock } from '../../src/index.ts';

/** Sends one request, as `fetch` does. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** A request as the user of a client means it. */
export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Its number in the workload, from 0. */
  readonly index: number;
}

/** An attempt to send it. */
export interface Attempt extends Wanted {
  /** From 1. */
  readonly attempt: number;
  readonly id: string;
  readonly random: Random;
}

/** How a client behaves: each member is one decision, so that a test can spoil one. */
export interface Habits {
  readonly attempts: number;
  /** Milliseconds after which an attempt is given up. */
  readonly timeout: number;
  /** Closes the connection of an attempt that is given up. */
  readonly aborts: boolean;
  /** Milliseconds after which a second attempt is sent while the first is open. */
  readonly hedgesAfter: number;
  readonly concurrency: number;
  /** Whether further attempts count for the limit on concurrency. */
  readonly limitsRetries: boolean;
  /** Milliseconds before the next attempt, without Retry-After. */
  wait(attempt: Attempt): number;
  /** Milliseconds that a response asks for; undefined for none. */
  readRetryAfter(field: string | null, now: number): number | undefined;
  /** Milliseconds before the next attempt, with Retry-After. */
  obey(milliseconds: number, attempt: Attempt): number;
  /** Whether other requests to the operation wait as well. */
  readonly sharesRetryAfter: boolean;
  retries(status: number, attempt: Attempt): boolean;
  retriesBreaks(attempt: Attempt): boolean;
  /** Whether another attempt may be made, with the further attempts and requests of the last minute. */
  affords(retries: number, requests: number, status: number): boolean;
  keyOf(attempt: Attempt): string | undefined;
  targetOf(attempt: Attempt): string;
  bodyOf(attempt: Attempt): string | undefined;
  fieldsOf(attempt: Attempt): Readonly<Record<string, string>>;
  /** Failures in a row after which an operation is left alone. */
  readonly trips: number;
  /** Milliseconds for which it is left alone. */
  readonly rests: number;
  /** Requests at once that try whether it works again. */
  readonly probes: number;
  countsAsFailure(status: number): boolean;
  /** The targets of the pages after one; the client reads one after the other. */
  nextPages(page: Page): readonly string[];
  /** The field that sends a known ETag. */
  condition(etag: string, times: number): Readonly<Record<string, string>>;
  /** Whether requests have a field that identifies them. */
  readonly identifies: boolean;
}

/** A page that the client has got. */
interface Page {
  readonly path: string;
  /** The target that the response links to as the next. */
  readonly next: string | undefined;
  /** From 1. */
  readonly count: number;
}

const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];
const SPAN = 60_000;

/** The habits of a client that keeps every rule. */
export const goodHabits: Habits = {
  attempts: 4,
  timeout: 10_000,
  aborts: true,
  hedgesAfter: Number.POSITIVE_INFINITY,
  concurrency: 8,
  limitsRetries: true,
  wait: ({ attempt, random }) => 1000 * 2 ** (attempt - 1) * random.next(),
  readRetryAfter(field, now) {
    if (field === null) return undefined;
    return /^\d+$/.test(field) ? Number(field) * 1000 : Math.max(0, Date.parse(field) - now);
  },
  obey: (milliseconds, { random }) => milliseconds + 2000 * random.next(),
  sharesRetryAfter: true,
  retries: (status) => TRANSIENT.includes(status),
  retriesBreaks: () => true,
  affords: (retries, requests) => retries < 8 + 0.15 * requests,
  keyOf: ({ method, id }) => (method === 'POST' ? id : undefined),
  targetOf: ({ path }) => path,
  bodyOf: ({ body }) => (body === undefined ? undefined : JSON.stringify(body)),
  fieldsOf: () => ({}),
  trips: 10,
  rests: 10_000,
  probes: 1,
  countsAsFailure: (status) => TRANSIENT.includes(status),
  nextPages: ({ next }) => (next === undefined ? [] : [next]),
  condition: (etag) => ({ 'if-none-match': etag }),
  identifies: true,
};

/** What a client knows about one operation. */
interface Operation {
  notBefore: number;
  failures: number;
  closedUntil: number;
  probing: number;
}

/** A client with these habits. */
export class RetryingClient {
  readonly #send: Send;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #habits: Habits;
  readonly #operations = new Map<string, Operation>();
  readonly #etags = new Map<string, { readonly etag: string; times: number }>();
  #sent: { readonly at: number; readonly isRetry: boolean }[] = [];
  /** Further attempts that wait for their time. */
  #planned = 0;
  #open = 0;
  readonly #queue: (() => void)[] = [];

  constructor(send: Send, clock: Clock, random: Random, habits: Habits) {
    this.#send = send;
    this.#clock = clock;
    this.#random = random;
    this.#habits = habits;
  }

  /** Sends a request until it succeeds, or the client gives up; undefined then. */
  async request(wanted: Wanted): Promise<Response | undefined> {
    const id = `request-${wanted.index}-${Math.floor(this.#random.next() * 1e9)}`;
    const operation = this.#operationOf(wanted);
    for (let attempt = 1; attempt <= this.#habits.attempts; attempt++) {
      if (!this.#isAllowed(operation)) return undefined;
      const one: Attempt = { ...wanted, attempt, id, random: this.#random };
      const response = await this.#probe(one, operation);
      const status = response?.status ?? 0;
      this.#count(operation, status);
      const isWanted =
        status === 0 ? this.#habits.retriesBreaks(one) : this.#habits.retries(status, one);
      const asked = this.#obey(response, operation);
      if (!isWanted || attempt === this.#habits.attempts || !this.#affords(status)) return response;
      const wait = asked === undefined ? this.#habits.wait(one) : this.#habits.obey(asked, one);
      this.#planned++;
      await this.#clock.sleep(Math.max(0, Math.round(wait)));
      if (!this.#isAllowed(operation)) this.#planned--;
    }
    return undefined;
  }

  #isAllowed({ closedUntil, probing }: Operation): boolean {
    if (closedUntil > this.#clock.now()) return false;
    return closedUntil === 0 || probing < this.#habits.probes;
  }

  async #probe(attempt: Attempt, operation: Operation): Promise<Response | undefined> {
    if (operation.closedUntil === 0) return this.#attempt(attempt, operation);
    operation.probing++;
    try {
      return await this.#attempt(attempt, operation);
    } finally {
      operation.probing--;
    }
  }

  /** Returns the milliseconds that a response asks for. */
  #obey(response: Response | undefined, operation: Operation): number | undefined {
    const field = response?.headers.get('retry-after') ?? null;
    const now = this.#clock.now();
    const asked = this.#habits.readRetryAfter(field, now);
    if (asked !== undefined && this.#habits.sharesRetryAfter) {
      operation.notBefore = Math.max(operation.notBefore, now + asked);
    }
    return asked;
  }

  /** Reads a list page by page. */
  async readAll(path: string, index: number): Promise<void> {
    const waiting = [path];
    for (let count = 1; waiting.length > 0 && count < 30; count++) {
      const target = waiting.shift() ?? path;
      const response = await this.request({ method: 'GET', path: target, index: index + count });
      if (response?.ok !== true) return;
      const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      const linked = next?.replace(/^https?:\/\/[^/]*/, '');
      waiting.push(...this.#habits.nextPages({ path: target, next: linked, count }));
    }
  }

  #operationOf({ method, path }: Wanted): Operation {
    const name = `${method} ${path.replace(/\?.*/, '').replace(/\/\d+$/, '/{id}')}`;
    const known = this.#operations.get(name) ?? {
      notBefore: 0,
      failures: 0,
      closedUntil: 0,
      probing: 0,
    };
    this.#operations.set(name, known);
    return known;
  }

  #count(operation: Operation, status: number): void {
    const { trips, rests, countsAsFailure } = this.#habits;
    if (status !== 0 && !countsAsFailure(status)) {
      operation.failures = 0;
      operation.closedUntil = 0;
      return;
    }
    operation.failures++;
    if (operation.failures >= trips) operation.closedUntil = this.#clock.now() + rests;
  }

  #affords(status: number): boolean {
    const since = this.#clock.now() - SPAN;
    this.#sent = this.#sent.filter(({ at }) => at >= since);
    const sent = this.#sent.filter(({ isRetry }) => isRetry).length;
    return this.#habits.affords(sent + this.#planned, this.#sent.length - sent, status);
  }

  async #attempt(attempt: Attempt, operation: Operation): Promise<Response | undefined> {
    const isRetry = attempt.attempt > 1;
    const limited = !isRetry || this.#habits.limitsRetries;
    if (limited) await this.#enter();
    try {
      // The moment before which the operation must not be asked may move while this one waits.
      while (operation.notBefore > this.#clock.now()) {
        const left = operation.notBefore - this.#clock.now();
        await this.#clock.sleep(Math.round(this.#habits.obey(left, attempt)));
      }
      if (isRetry) this.#planned--;
      if (operation.closedUntil > this.#clock.now() && !isRetry) return undefined;
      this.#sent.push({ at: this.#clock.now(), isRetry });
      const response = await this.#exchange(attempt);
      this.#obey(response, operation);
      return response;
    } finally {
      if (limited) this.#leave();
    }
  }

  async #exchange(attempt: Attempt): Promise<Response | undefined> {
    const { timeout, aborts, hedgesAfter } = this.#habits;
    const controller = new AbortController();
    const done = new AbortController();
    const answer = this.#fetch(attempt, controller.signal).catch(() => undefined);
    const waits: Promise<Response | undefined>[] = [
      answer,
      this.#clock.sleep(timeout, done.signal).then(() => undefined),
    ];
    if (Number.isFinite(hedgesAfter)) {
      waits.push(
        this.#clock
          .sleep(hedgesAfter, done.signal)
          .then(() => (done.signal.aborted ? answer : this.#fetch(attempt, controller.signal)))
          .catch(() => undefined),
      );
    }
    const response = await Promise.race(waits);
    done.abort();
    if (response === undefined && aborts) controller.abort();
    return response;
  }

  async #fetch(attempt: Attempt, signal: AbortSignal): Promise<Response> {
    const { keyOf, targetOf, bodyOf, fieldsOf, condition, identifies } = this.#habits;
    const key = keyOf(attempt);
    const body = bodyOf(attempt);
    const known = attempt.method === 'GET' ? this.#etags.get(attempt.path) : undefined;
    const response = await this.#send(targetOf(attempt), {
      method: attempt.method,
      signal,
      headers: {
        accept: 'application/json',
        authorization: 'Bearer token',
        ...(identifies && { 'x-request-id': attempt.id }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(known !== undefined && condition(known.etag, ++known.times)),
        ...fieldsOf(attempt),
      },
      ...(body !== undefined && { body }),
    });
    await response.arrayBuffer();
    const etag = response.headers.get('etag');
    if (etag !== null && response.ok) this.#etags.set(attempt.path, { etag, times: 0 });
    return response;
  }

  async #enter(): Promise<void> {
    if (this.#open >= this.#habits.concurrency) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else this.#open++;
  }

  /** Hands the place over to the next that waits. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#open--;
    else next();
  }
}
