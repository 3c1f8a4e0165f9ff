import { toInstant } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
} from '../call.ts';
import { showExchange } from '../journal.ts';
import { objectOf, textOf } from '../members.ts';
import { EMPTY_JSON, findByMetadata, listMappings } from './mappings.ts';
import { compilePattern } from './translate-request.ts';

export const requestOperations: ControlOperations = {
  listLoggedRequests(call) {
    const { journal } = call.session;
    const text = call.text('since');
    const since = text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text);
    const stub = call.text('matchingStub');
    const found = (call.flag('unmatched') ? journal.unmatched() : journal.received()).filter(
      ({ at, rules }) => at >= since && (stub === undefined || rules.includes(stub)),
    );
    const listed = found.slice(0, call.number('limit') ?? found.length);
    return jsonResponse({
      requests: describeServeEvents(call, listed),
      meta: { total: found.length },
      requestJournalDisabled: false,
    });
  },
  removeLoggedRequests: clear,
  resetLoggedRequests: clear,
  countLoggedRequests(call) {
    const count = call.session.journal.count(compilePattern(call));
    return jsonResponse({ count, requestJournalDisabled: false });
  },
  findLoggedRequests: (call) =>
    answerRequests(call, call.session.journal.find(compilePattern(call))),
  removeLoggedRequestsByPattern(call) {
    const pattern = compilePattern(call);
    return answerRemoved(call, call.session.journal.removeMatching(pattern));
  },
  removeLoggedRequestsByMetadata(call) {
    const { journal } = call.session;
    const names = new Set(findByMetadata(call).map(({ rule }) => rule.name));
    const found = journal.received().filter(({ rules }) => rules.some((name) => names.has(name)));
    for (const { number } of found) journal.remove(number);
    return answerRemoved(call, found);
  },
  listUnmatchedRequests: (call) => answerRequests(call, call.session.journal.unmatched()),
  getLoggedRequest(call) {
    const exchange = call.session.journal.get(numberOfId(call.path('id')) ?? 0);
    if (exchange === undefined) {
      throw new Problem('UNKNOWN_EXCHANGE', 'the journal does not have this request');
    }
    return jsonResponse(describeServeEvents(call, [exchange])[0] ?? {});
  },
  removeLoggedRequest(call) {
    call.session.journal.remove(numberOfId(call.path('id')) ?? 0);
    return EMPTY_JSON;
  },
};

function clear(call: ControlCall): ControlResponse {
  call.session.journal.clear();
  return call.publish('reset', { parts: ['journal'] }, EMPTY_JSON);
}

function answerRequests(call: ControlCall, exchanges: readonly KeptExchange[]): ControlResponse {
  const requests = exchanges.map((exchange) => describeLoggedRequest(call, exchange));
  return jsonResponse({ requests, requestJournalDisabled: false });
}

function answerRemoved(call: ControlCall, exchanges: readonly KeptExchange[]): ControlResponse {
  return jsonResponse({ serveEvents: describeServeEvents(call, exchanges) });
}

/** The authority of a request without a Host field. */
const AUTHORITY = 'localhost';

/** Returns the number of a request as a UUID, which WireMock's clients expect. */
function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function numberOfId(id: string): number | undefined {
  const [, digits] = /^(?:00000000-0000-4000-8000-)?(\d{1,15})$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns a request in WireMock's format, with secrets redacted. */
export function describeLoggedRequest(call: ControlCall, exchange: KeptExchange): JsonObject {
  return toLoggedRequest(exchange, showExchange(call, exchange));
}

/** Returns requests with their responses and stub mappings, in WireMock's format. */
function describeServeEvents(call: ControlCall, exchanges: readonly KeptExchange[]): JsonObject[] {
  const mappings = new Map(listMappings(call).map(({ rule, mapping }) => [rule.name, mapping]));
  const sent = call.session.journal.list().filter(({ callback }) => callback !== undefined);
  return exchanges.map((exchange) => {
    const caused = sent.filter(({ callback }) => callback?.cause === exchange.number);
    const name = exchange.rules.find((rule) => mappings.has(rule));
    const mapping = name === undefined ? undefined : mappings.get(name);
    return {
      ...toServeEvent(exchange, showExchange(call, exchange), mapping),
      subEvents: caused.toReversed().flatMap((one) => describeCallback(call, one)),
    };
  });
}

/** Returns a callback as WireMock's webhooks: an event for the request, one for the response. */
function describeCallback(call: ControlCall, exchange: KeptExchange): JsonObject[] {
  const shown = showExchange(call, exchange);
  const { problem } = exchange;
  return [
    toEvent('WEBHOOK_REQUEST', toLoggedRequest(exchange, shown)),
    problem === undefined
      ? toEvent('WEBHOOK_RESPONSE', toResponse(exchange, shown))
      : toEvent('ERROR', { message: problem.message }),
  ];
}

function toEvent(type: string, data: JsonObject): JsonObject {
  return { type, timeOffsetNanos: 0, data };
}

function toLoggedRequest({ number, at }: KeptExchange, shown: JsonObject): JsonObject {
  const request = objectOf(shown, 'request') ?? {};
  const url = textOf(request, 'target') ?? '/';
  const headers = objectOf(request, 'headers') ?? {};
  const base64 = textOf(request, 'bodyBase64');
  const body = textOf(request, 'body') ?? Buffer.from(base64 ?? '', 'base64').toString('utf8');
  return {
    id: idOf(number),
    url,
    absoluteUrl: url.startsWith('/') ? `http://${textOf(headers, 'host') ?? AUTHORITY}${url}` : url,
    method: textOf(request, 'method') ?? '',
    clientIp: '',
    headers,
    cookies: {},
    browserProxyRequest: false,
    loggedDate: Math.floor(at),
    loggedDateString: toInstant(at),
    body,
    bodyAsBase64: base64 ?? Buffer.from(body).toString('base64'),
  };
}

function toResponse({ status, fault }: KeptExchange, shown: JsonObject): JsonObject {
  const answer = objectOf(shown, 'answer') ?? {};
  const body = textOf(answer, 'body');
  return {
    status,
    headers: objectOf(answer, 'headers') ?? {},
    ...(body !== undefined && { body }),
    ...(fault !== undefined && { fault }),
  };
}

function toServeEvent(
  exchange: KeptExchange,
  shown: JsonObject,
  mapping: JsonObject | undefined,
): JsonObject {
  const response = toResponse(exchange, shown);
  const wasMatched = exchange.operationId !== undefined && exchange.problem === undefined;
  return {
    id: idOf(exchange.number),
    request: toLoggedRequest(exchange, shown),
    // WireMock's Java client reads here whether the request was matched.
    responseDefinition: { ...response, fromConfiguredStub: wasMatched },
    response,
    wasMatched,
    timing: {
      addedDelay: exchange.delayMilliseconds,
      processTime: Math.round(exchange.milliseconds),
    },
    ...(mapping !== undefined && { stubMapping: mapping }),
  };
}
