import { remember } from '../../base/remember.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  contentOf,
  endOf,
  identitiesOf,
  isFailure,
  isKeyName,
  type LogicalRequest,
  lastOf,
  retryTimeOf,
  traceOf,
} from './logical-request.ts';

/** After a longer pause, a request with the same content is a new one; milliseconds. */
const LONGEST_PAUSE = 60_000;

/** A wait that is shorter than the one before by more than this factor begins a new request. */
const RESTART = 0.5;

/** A logical request that may get further attempts. */
interface Growing extends LogicalRequest {
  readonly attempts: [KeptExchange, ...KeptExchange[]];
  readonly identities: Set<string>;
  readonly trace: string | undefined;
  doubt: string | undefined;
  isIdentified: boolean;
}

/**
 * Groups requests into logical requests, in the order of their first attempts. A request is a
 * further attempt of an earlier one that failed:
 *
 * 1. if both have a field that identifies a request, with the same value, and the same operation;
 * 2. else if both have the same content, unless a field that identifies other requests through
 *    their attempts has another value, the earlier one is still under way, or a minute has passed.
 *
 * The second is in doubt where several earlier requests could be meant, where the waits between the
 * attempts begin again, where each has its own request id, and where the client repeats the request
 * as often when it succeeds.
 *
 * @param exchanges those that the mock received, in the order of their numbers
 */
export function groupAttempts(exchanges: readonly KeptExchange[]): readonly LogicalRequest[] {
  return new Grouping(exchanges).requests;
}

class Grouping {
  readonly requests: Growing[] = [];
  /** The last request with an identity, by operation and identity. */
  readonly #identified = new Map<string, Growing>();
  /** Requests that failed or are under way, by their content. */
  readonly #open = new Map<string, Growing[]>();
  /** Names of the fields that occur with the same value in several requests. */
  readonly #stable: ReadonlySet<string>;
  /** The shortest time after which a content came again although it had succeeded. */
  readonly #intervals: ReadonlyMap<string, number>;

  constructor(exchanges: readonly KeptExchange[]) {
    this.#stable = findStable(exchanges);
    this.#intervals = findIntervals(exchanges);
    for (const exchange of exchanges) this.#add(exchange);
  }

  #add(exchange: KeptExchange): void {
    const identities = this.#decisive(exchange);
    const content = contentOf(exchange);
    const open = remember(this.#open, content, () => []).filter((one) => isOpen(one, exchange));
    const request =
      this.#findByIdentity(exchange, identities) ??
      this.#findByContent(exchange, identities, open) ??
      this.#begin(exchange);
    if (lastOf(request) !== exchange) request.attempts.push(exchange);
    for (const identity of identities) {
      request.identities.add(identity);
      this.#identified.set(keyOf(exchange, identity), request);
    }
    this.#open.set(content, open.includes(request) ? open : [...open, request]);
  }

  #begin(exchange: KeptExchange): Growing {
    const request: Growing = {
      attempts: [exchange],
      identities: new Set(),
      trace: traceOf(exchange),
      doubt: undefined,
      isIdentified: true,
    };
    this.requests.push(request);
    return request;
  }

  #findByIdentity(exchange: KeptExchange, identities: readonly string[]): Growing | undefined {
    for (const identity of identities) {
      const request = this.#identified.get(keyOf(exchange, identity));
      if (request !== undefined && isUnfinished(request, exchange)) return request;
    }
    return undefined;
  }

  /** Returns the identities that count: keys only where nothing else identifies requests. */
  #decisive(exchange: KeptExchange): readonly string[] {
    const all = identitiesOf(exchange);
    const others = all.filter((one) => {
      const name = nameOf(one);
      return !isKeyName(name) && this.#stable.has(name);
    });
    return others.length > 0 ? others : all;
  }

  #findByContent(exchange: KeptExchange, identities: readonly string[], open: readonly Growing[]) {
    const possible = open.filter((one) => !this.#isAnother(one, identities));
    const waiting = possible.filter((one) => hasEnded(one, exchange));
    const trace = traceOf(exchange);
    const traced = waiting.filter((one) => trace !== undefined && one.trace === trace);
    if (traced.length === 1) return traced[0];
    const request = waiting.at(-1);
    if (request === undefined) return undefined;
    const isClear = possible.length === 1 && this.#isFurther(request, exchange, identities);
    if (!isClear) {
      const doubt = `#${exchange.number} may be a new request with the same content`;
      for (const one of possible) one.doubt = doubt;
    }
    if (!isRestart(request, exchange)) {
      request.isIdentified = false;
      return request;
    }
    const begun = this.#begin(exchange);
    begun.doubt = request.doubt;
    return begun;
  }

  /** Returns whether nothing speaks for a new request with the same content. */
  #isFurther(request: Growing, next: KeptExchange, identities: readonly string[]): boolean {
    const last = lastOf(request);
    if (isRestart(request, next)) return false;
    // Two calls that wait for one place may follow each other in a moment.
    if (next.at === endOf(last)) return false;
    const names = new Set(identities.map(nameOf));
    if ([...request.identities].some((one) => names.has(nameOf(one)))) return false;
    const interval = this.#intervals.get(contentOf(next)) ?? Number.POSITIVE_INFINITY;
    return retryTimeOf(last) !== undefined || next.at - endOf(last) < RESTART * interval;
  }

  /** Returns whether a field that is the same in all attempts of a request says it is another. */
  #isAnother({ identities: known }: Growing, identities: readonly string[]): boolean {
    return identities.some((identity) => {
      const name = nameOf(identity);
      if (known.has(identity) || !this.#stable.has(name)) return false;
      return [...known].some((one) => nameOf(one) === name);
    });
  }
}

function findStable(exchanges: readonly KeptExchange[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const stable = new Set<string>();
  for (const exchange of exchanges) {
    for (const identity of identitiesOf(exchange)) {
      const key = keyOf(exchange, identity);
      if (seen.has(key)) stable.add(nameOf(identity));
      seen.add(key);
    }
  }
  return stable;
}

function findIntervals(exchanges: readonly KeptExchange[]): ReadonlyMap<string, number> {
  const succeeded = new Map<string, number>();
  const intervals = new Map<string, number>();
  for (const exchange of exchanges) {
    const content = contentOf(exchange);
    const interval = exchange.at - (succeeded.get(content) ?? Number.NEGATIVE_INFINITY);
    const shortest = intervals.get(content) ?? Number.POSITIVE_INFINITY;
    intervals.set(content, Math.min(shortest, Math.max(0, interval)));
    if (isFailure(exchange)) succeeded.delete(content);
    else succeeded.set(content, endOf(exchange));
  }
  return intervals;
}

function nameOf(identity: string): string {
  return identity.slice(0, identity.indexOf(':'));
}

/** A field may have the same value in the requests to several operations, which are several. */
function keyOf({ request, operationId }: KeptExchange, identity: string): string {
  return `${request.method} ${operationId ?? request.target}\n${identity}`;
}

/** Returns whether a request may get a further attempt: it failed, or is under way. */
function isUnfinished(request: Growing, next: KeptExchange): boolean {
  return isFailure(lastOf(request)) || !hasEnded(request, next);
}

/** Returns whether a request may get a further attempt that nothing but its content identifies. */
function isOpen(request: Growing, next: KeptExchange): boolean {
  const last = lastOf(request);
  if (!isUnfinished(request, next)) return false;
  const pause = next.at - Math.max(endOf(last), retryTimeOf(last) ?? 0);
  return !hasEnded(request, next) || pause <= LONGEST_PAUSE;
}

function hasEnded({ attempts }: Growing, next: KeptExchange): boolean {
  return attempts.every((attempt) => endOf(attempt) <= next.at);
}

/** Returns whether the waits of a request begin again, as those of a new one with its content do. */
function isRestart({ attempts }: Growing, next: KeptExchange): boolean {
  const [before, last] = attempts.slice(-2);
  if (before === undefined || last === undefined) return false;
  if (retryTimeOf(before) !== undefined || retryTimeOf(last) !== undefined) return false;
  return next.at - endOf(last) < RESTART * (last.at - endOf(before));
}
