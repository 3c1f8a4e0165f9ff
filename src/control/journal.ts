import type { JsonObject } from '../base/json/value.ts';
import { distanceOf } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import type { Operation } from '../contract/contract.ts';
import { streamEnds } from '../delivery/transmission.ts';
import { describeExchange } from '../journal/describe-exchange.ts';
import type { Exchange, KeptExchange } from '../journal/exchange.ts';
import { findNearMisses, MOST_NEAR_MISSES } from '../journal/near-misses.ts';
import { beginShowing } from '../journal/redact/redaction.ts';
import { showPath } from '../journal/redact/show-fields.ts';
import {
  type Expectation,
  findWanted,
  type Verification,
  verify,
  verifyInOrder,
  type Wanted,
  waitUntil,
} from '../journal/verify.ts';
import type { RequestPattern, RequestView } from '../request/view.ts';
import { compileMatches, parseBody, refuseDiagnostics, refuseRule } from './body-rules.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlPipeline,
  type ControlResponse,
  jsonResponse,
} from './call.ts';
import { durationOf, listOf, numberOf } from './members.ts';

export const journalOperations: ControlOperations = {
  listExchanges(call) {
    const passes = readFilter(call);
    const { journal } = call.session;
    const all = call.flag('unmatched') ? journal.unmatched() : journal.list();
    return answerExchanges(call, all.filter(passes));
  },
  clearJournal(call) {
    call.session.journal.clear();
    return call.publish('reset', { parts: ['journal'] });
  },
  findExchanges(call) {
    const found = findWanted(call.session.journal, readWanted(call));
    return answerExchanges(call, found.toReversed(), numberOf(call.members, 'limit'));
  },
  countExchanges(call) {
    return jsonResponse({ count: findWanted(call.session.journal, readWanted(call)).length });
  },
  verifyExchanges(call) {
    const { journal } = call.session;
    const order = listOf(call.members, 'inOrder');
    const verification =
      order === undefined
        ? verify(journal, expectation(call))
        : verifyInOrder(journal, readMatchesInOrder(call, order.length));
    return answerVerification(verification);
  },
  async waitForExchanges(call) {
    const { session, settings, signal, members } = call;
    const pattern = readMatch(call);
    const count = numberOf(members, 'times') ?? 1;
    const status = numberOf(members, 'status');
    const wanted = { pattern, ...(status !== undefined && { status }) };
    const { clock } = settings;
    await waitUntil(session.journal, { ...wanted, count }, readWait(members), { clock, signal });
    return answerVerification(verify(session.journal, { ...wanted, atLeast: count }));
  },
  listUnmatchedExchanges: (call) => answerExchanges(call, call.session.journal.unmatched()),
  listNearMisses(call) {
    const limit = call.number('limit') ?? MOST_EXPLAINED;
    const unmatched = call.session.journal.unmatched().slice(0, limit);
    return jsonResponse({
      unmatched: unmatched.map((exchange) => ({
        exchange: showExchange(call, exchange),
        nearMisses: [...explainUnmatched(call, exchange)],
      })),
    });
  },
  getExchange(call) {
    const number = call.number('number') ?? 0;
    const exchange = call.session.journal.get(number);
    if (exchange === undefined) {
      throw new Problem('UNKNOWN_EXCHANGE', `the journal does not have request ${number}`);
    }
    return jsonResponse(showExchange(call, exchange));
  },
};

/** Each explanation compares the request with every rule or operation. */
const MOST_EXPLAINED = 20;
const MOST_LISTED = 100;

function readFilter(call: ControlCall): (exchange: Exchange) => boolean {
  const operationId = call.text('operationId');
  const callback = call.text('callback');
  const status = call.number('status');
  const since = call.number('since') ?? 0;
  return (exchange) =>
    exchange.number > since &&
    (operationId === undefined || exchange.operationId === operationId) &&
    (callback === undefined || exchange.callback?.name === callback) &&
    (status === undefined || exchange.status === status);
}

function answerExchanges(
  call: ControlCall,
  exchanges: readonly KeptExchange[],
  limit = call.number('limit') ?? MOST_LISTED,
): ControlResponse {
  return jsonResponse({
    exchanges: exchanges.slice(0, limit).map((exchange) => showExchange(call, exchange)),
    total: exchanges.length,
    dropped: call.session.journal.dropped,
  });
}

/** Returns an exchange with secrets redacted. */
export function showExchange({ session }: ControlCall, exchange: KeptExchange): JsonObject {
  const { journal } = session;
  return describeExchange(exchange, journal.show(exchange), journal.violations(exchange));
}

function readMatch(call: ControlCall): RequestPattern {
  const [pattern] = readMatches(call, ['/match']);
  if (pattern === undefined) throw new Problem('INVALID_REQUEST', 'body/match is missing');
  return pattern;
}

function readMatchesInOrder(call: ControlCall, length: number) {
  const pointers = Array.from({ length }, (_, index) => `/inOrder/${index}`);
  return readMatches(call, pointers).map((pattern) => ({ pattern }));
}

function readMatches(call: ControlCall, pointers: readonly string[]): readonly RequestPattern[] {
  const source = parseBody(call);
  return refuseDiagnostics(
    () => compileMatches(source.value, pointers, call.pipeline.contract),
    (error) => refuseRule('INVALID_REQUEST', error, source),
  );
}

function readWanted(call: ControlCall): Wanted {
  const { members } = call;
  const status = numberOf(members, 'status');
  const stream = streamEnds.find((end) => end === members['stream']);
  return {
    pattern: readMatch(call),
    ...(status !== undefined && { status }),
    ...(stream && { stream }),
  };
}

function expectation(call: ControlCall): Expectation {
  const counts = ['exactly', 'atLeast', 'atMost'].flatMap((name) => {
    const count = numberOf(call.members, name);
    return count === undefined ? [] : [[name, count] as const];
  });
  return { ...readWanted(call), ...Object.fromEntries(counts) };
}

const LONGEST_WAIT_MILLISECONDS = 60_000;
const USUAL_WAIT_MILLISECONDS = 5_000;

function readWait(members: JsonObject): number {
  const milliseconds = durationOf(members, 'within', '5s') ?? USUAL_WAIT_MILLISECONDS;
  if (milliseconds <= LONGEST_WAIT_MILLISECONDS) return milliseconds;
  throw new Problem(
    'INVALID_REQUEST',
    `body/within must be a duration of at most ${LONGEST_WAIT_MILLISECONDS / 1000} seconds`,
  );
}

const MOST_NUMBERS = 100;

function answerVerification(verification: Verification): ControlResponse {
  const { isMet, count, message, exchanges, nearest } = verification;
  return jsonResponse({
    verified: isMet,
    count,
    message,
    exchanges: exchanges.slice(0, MOST_NUMBERS).map(({ number }) => number),
    ...(nearest.length > 0 && {
      nearMisses: nearest.map(({ exchange, ...miss }) => {
        return { number: exchange.number, ...miss };
      }),
    }),
  });
}

/** The greatest distance at which an operation counts as a near miss. */
const FARTHEST = 0.6;

/** Returns the rules, or without an operation the operations, that are nearest to a request. */
function explainUnmatched(
  { session, pipeline }: ControlCall,
  exchange: KeptExchange,
): readonly JsonObject[] {
  const view = session.journal.view(exchange);
  if (view.operation === undefined) return findNearOperations(view, pipeline);
  const rules = session.fixtures.list().flatMap(({ rule, isEnabled }) => (isEnabled ? [rule] : []));
  return findNearMisses(view, rules, pipeline.redaction).map(({ name, ...miss }) => {
    return { fixture: name, ...miss };
  });
}

function findNearOperations(
  view: RequestView,
  { contract, redaction }: ControlPipeline,
): readonly JsonObject[] {
  const { request, path } = view;
  const shown = quote(showPath(path, beginShowing(redaction, view)));
  return contract.operations
    .map((operation) => ({ operation, distance: distanceTo(operation, request.method, path) }))
    .filter(({ distance }) => distance <= FARTHEST)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MOST_NEAR_MISSES)
    .map(({ operation: { id, method, path: template }, distance }) => {
      const reasons: string[] = [];
      if (method !== request.method) {
        reasons.push(`the method was ${request.method}, not ${method}`);
      }
      if (pathDistance(template, path) > 0) reasons.push(`the path was ${shown}, not ${template}`);
      const message = `would have matched ${id}, but ${reasons.join(' and ')}`;
      return { operationId: id, distance, reasons, message };
    });
}

const METHOD_WEIGHT = 0.3;

function distanceTo(operation: Operation, method: string, path: string): number {
  const wrongMethod = operation.method === method ? 0 : METHOD_WEIGHT;
  return wrongMethod + (1 - METHOD_WEIGHT) * pathDistance(operation.path, path);
}

const MOST_SEGMENTS = 50;

/** Returns 0 when the template matches, up to 1; a missing or extra segment counts as wrong. */
function pathDistance(template: string, path: string): number {
  const expected = template.split('/').slice(1, MOST_SEGMENTS);
  const actual = path.split('/').slice(1, MOST_SEGMENTS);
  const length = Math.max(expected.length, actual.length);
  let distance = 0;
  for (let index = 0; index < length; index++) {
    distance += segmentDistance(expected[index], actual[index]);
  }
  return distance / length;
}

function segmentDistance(expected: string | undefined, actual: string | undefined): number {
  if (expected === undefined || actual === undefined) return 1;
  if (expected.startsWith('{') && expected.endsWith('}')) return actual === '' ? 1 : 0;
  return distanceOf(expected, actual);
}
