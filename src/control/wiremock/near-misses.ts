import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Fields, NO_BODY, type WireRequest } from '../../http/message.ts';
import { findNearestRequests, findNearMisses } from '../../journal/near-misses.ts';
import { LazyRequestView } from '../../request/create-view.ts';
import type { RequestView } from '../../request/view.ts';
import {
  type ControlCall,
  type ControlOperation,
  type ControlOperations,
  jsonResponse,
} from '../call.ts';
import { objectOf, textOf } from '../members.ts';
import { listMappings } from './mappings.ts';
import { describeLoggedRequest } from './requests.ts';
import { compilePattern } from './translate-request.ts';

const ofRequest: ControlOperation = (call) => {
  const { members, session, settings } = call;
  const view = new LazyRequestView(readLogged(members), session, settings.limits);
  return jsonResponse({ nearMisses: missesOf(call, view, members) });
};

const ofPattern: ControlOperation = (call) => {
  const { session, members } = call;
  const pattern = compilePattern(call);
  const nearest = findNearestRequests(session.journal, pattern);
  return jsonResponse({
    nearMisses: nearest.map(({ exchange, distance }) => ({
      request: describeLoggedRequest(call, exchange),
      requestPattern: members,
      matchResult: { distance },
    })),
  });
};

/** Near misses in WireMock's format, which has no room for their reasons. */
export const nearMissOperations: ControlOperations = {
  findNearMissesOfRequest: ofRequest,
  findNearMissesOfRequestBelowRequests: ofRequest,
  findNearMissesOfPattern: ofPattern,
  findNearMissesOfPatternBelowRequests: ofPattern,
  listNearMissesOfUnmatchedRequests(call) {
    const { journal } = call.session;
    const nearMisses = journal
      .unmatched()
      .slice(0, MOST_EXPLAINED)
      .flatMap((exchange) =>
        missesOf(call, journal.view(exchange), describeLoggedRequest(call, exchange)),
      );
    return jsonResponse({ nearMisses });
  },
};

/** Each explanation compares the request with every mapping. */
const MOST_EXPLAINED = 20;

function missesOf(call: ControlCall, view: RequestView, request: JsonObject): JsonValue[] {
  const mapped = listMappings(call);
  const rules = mapped.map(({ rule }) => rule);
  return findNearMisses(view, rules, call.pipeline.redaction).map(({ name, distance }) => {
    const stub = mapped.find(({ rule }) => rule.name === name);
    return {
      request,
      ...(stub !== undefined && { stubMapping: stub.mapping }),
      matchResult: { distance },
    };
  });
}

/** Reads a logged request of WireMock, such as one from another mock's journal. */
function readLogged(logged: JsonObject): WireRequest {
  const headers = Object.entries(objectOf(logged, 'headers') ?? {}).map(
    ([name, value]) => [name.toLowerCase(), isJsonObject(value) ? '' : String(value)] as const,
  );
  const base64 = textOf(logged, 'bodyAsBase64');
  const body =
    base64 === undefined
      ? Buffer.from(textOf(logged, 'body') ?? '')
      : Buffer.from(base64, 'base64');
  return {
    method: (textOf(logged, 'method') ?? 'GET').toUpperCase(),
    target: textOf(logged, 'url') ?? '/',
    fields: new Fields(Object.fromEntries(headers)),
    rawBody: body.length === 0 ? NO_BODY : body,
  };
}
