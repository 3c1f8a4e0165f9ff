import { toInstant } from '../../clock.ts';
import { describeExchange } from '../../journal/describe-exchange.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { getMember, isJsonObject, type JsonObject } from '../../json/value.ts';
import type { ControlCall } from '../call.ts';
import { objectOf, textOf } from '../members.ts';
import { listMappings } from './mappings.ts';

/** What WireMock tells of the version of HTTP, and of where a request went. */
const AUTHORITY = 'localhost';

/**
 * Requests are known by number; to WireMock's clients the number is a UUID that says nothing else.
 */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** @returns the number of a request; undefined for an id that is none */
export function numberOfId(id: string): number | undefined {
  const [, digits] = /^(?:00000000-0000-4000-8000-)?(\d{1,15})$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** A request in WireMock's form, without its secrets. */
export function describeLoggedRequest(call: ControlCall, exchange: KeptExchange): JsonObject {
  const request = requestOf(showExchange(call, exchange));
  const url = textOf(request, 'target') ?? '/';
  const headers = objectOf(request, 'headers') ?? {};
  const host = textOf(headers, 'host') ?? AUTHORITY;
  const base64 = textOf(request, 'bodyBase64');
  const body = textOf(request, 'body') ?? (base64 === undefined ? '' : fromBase64(base64));
  return {
    id: idOf(exchange.number),
    url,
    absoluteUrl: `http://${host}${url}`,
    method: exchange.request.method,
    clientIp: '',
    headers,
    cookies: {},
    browserProxyRequest: false,
    loggedDate: Math.floor(exchange.at),
    loggedDateString: toInstant(exchange.at),
    body,
    bodyAsBase64: base64 ?? Buffer.from(body).toString('base64'),
  };
}

/** A request, its answer, and the stub mapping that gave it. */
export function describeServeEvent(call: ControlCall, exchange: KeptExchange): JsonObject {
  const answer = objectOf(showExchange(call, exchange), 'answer') ?? {};
  const stub = listMappings(call).find(({ rule }) => exchange.rules.includes(rule.name));
  const body = getMember(answer, 'body');
  const response = {
    status: exchange.status,
    headers: objectOf(answer, 'headers') ?? {},
    ...(typeof body === 'string' && { body }),
    ...(exchange.fault !== undefined && { fault: exchange.fault }),
  };
  return {
    id: idOf(exchange.number),
    request: describeLoggedRequest(call, exchange),
    responseDefinition: { ...response, fromConfiguredStub: stub !== undefined },
    response,
    wasMatched: exchange.operationId !== undefined && exchange.problem === undefined,
    timing: {
      addedDelay: exchange.delayMilliseconds,
      processTime: Math.round(exchange.milliseconds),
    },
    subEvents: [],
    ...(stub !== undefined && { stubMapping: stub.mapping }),
  };
}

function showExchange({ session, serving }: ControlCall, exchange: KeptExchange): JsonObject {
  return describeExchange(exchange, session.journal.view(exchange), serving.redaction);
}

function requestOf(described: JsonObject): JsonObject {
  const request = getMember(described, 'request');
  return isJsonObject(request) ? request : {};
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
