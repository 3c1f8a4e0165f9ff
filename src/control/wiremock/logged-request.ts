import { toInstant } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import type { ControlCall } from '../call.ts';
import { showExchange } from '../journal.ts';
import { objectOf, textOf } from '../members.ts';
import { listMappings } from './mappings.ts';

/** The authority of a request without a Host field. */
const AUTHORITY = 'localhost';

/** Returns the number of a request as a UUID, which WireMock's clients expect. */
function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Returns the number of a request by its UUID; undefined for any other id. */
export function numberOfId(id: string): number | undefined {
  const [, digits] = /^(?:00000000-0000-4000-8000-)?(\d{1,15})$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns a request in WireMock's format, with secrets redacted. */
export function describeLoggedRequest(call: ControlCall, exchange: KeptExchange): JsonObject {
  return toLoggedRequest(exchange, showExchange(call, exchange));
}

/** Returns requests with their responses and stub mappings, in WireMock's format. */
export function describeServeEvents(
  call: ControlCall,
  exchanges: readonly KeptExchange[],
): JsonObject[] {
  const mappings = new Map(listMappings(call).map(({ rule, mapping }) => [rule.name, mapping]));
  return exchanges.map((exchange) => {
    const name = exchange.rules.find((rule) => mappings.has(rule));
    const mapping = name === undefined ? undefined : mappings.get(name);
    return toServeEvent(exchange, showExchange(call, exchange), mapping);
  });
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
    absoluteUrl: `http://${textOf(headers, 'host') ?? AUTHORITY}${url}`,
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

function toServeEvent(
  exchange: KeptExchange,
  shown: JsonObject,
  mapping: JsonObject | undefined,
): JsonObject {
  const answer = objectOf(shown, 'answer') ?? {};
  const body = textOf(answer, 'body');
  const response = {
    status: exchange.status,
    headers: objectOf(answer, 'headers') ?? {},
    ...(body !== undefined && { body }),
    ...(exchange.fault !== undefined && { fault: exchange.fault }),
  };
  return {
    id: idOf(exchange.number),
    request: toLoggedRequest(exchange, shown),
    responseDefinition: { ...response, fromConfiguredStub: mapping !== undefined },
    response,
    wasMatched: exchange.operationId !== undefined && exchange.problem === undefined,
    timing: {
      addedDelay: exchange.delayMilliseconds,
      processTime: Math.round(exchange.milliseconds),
    },
    subEvents: [],
    ...(mapping !== undefined && { stubMapping: mapping }),
  };
}
