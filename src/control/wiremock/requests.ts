import { Problem } from '../../base/problem.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
} from '../call.ts';
import { compilePattern } from './compile-pattern.ts';
import { describeLoggedRequest, describeServeEvents, numberOfId } from './logged-request.ts';
import { EMPTY_JSON, findByMetadata } from './mappings.ts';

/** WireMock's operations on the journal. */
export const requestOperations: ControlOperations = {
  listLoggedRequests,
  removeLoggedRequests: clear,
  resetLoggedRequests: clear,
  countLoggedRequests(call) {
    const count = call.session.journal.count(compilePattern(call, call.members));
    return jsonResponse({ count, requestJournalDisabled: false });
  },
  findLoggedRequests: (call) =>
    answerRequests(call, call.session.journal.find(compilePattern(call, call.members))),
  removeLoggedRequestsByPattern(call) {
    const pattern = compilePattern(call, call.members);
    return answerRemoved(call, call.session.journal.removeMatching(pattern));
  },
  removeLoggedRequestsByMetadata,
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

/** Lists requests, newest first. */
function listLoggedRequests(call: ControlCall): ControlResponse {
  const { journal } = call.session;
  const text = call.text('since');
  const since = text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text);
  const stub = call.text('matchingStub');
  const found = (call.flag('unmatched') ? journal.unmatched() : journal.list()).filter(
    ({ at, rules }) => at >= since && (stub === undefined || rules.includes(stub)),
  );
  const listed = found.slice(0, call.number('limit') ?? found.length);
  return jsonResponse({
    requests: describeServeEvents(call, listed),
    meta: { total: found.length },
    requestJournalDisabled: false,
  });
}

function clear(call: ControlCall): ControlResponse {
  call.session.journal.clear();
  call.publish('reset', () => ({ parts: ['journal'] }));
  return EMPTY_JSON;
}

function answerRequests(call: ControlCall, exchanges: readonly KeptExchange[]): ControlResponse {
  const requests = exchanges.map((exchange) => describeLoggedRequest(call, exchange));
  return jsonResponse({ requests, requestJournalDisabled: false });
}

function answerRemoved(call: ControlCall, exchanges: readonly KeptExchange[]): ControlResponse {
  return jsonResponse({ serveEvents: describeServeEvents(call, exchanges) });
}

function removeLoggedRequestsByMetadata(call: ControlCall): ControlResponse {
  const { journal } = call.session;
  const names = new Set(findByMetadata(call).map(({ rule }) => rule.name));
  const found = journal.list().filter(({ rules }) => rules.some((name) => names.has(name)));
  for (const { number } of found) journal.remove(number);
  return answerRemoved(call, found);
}
