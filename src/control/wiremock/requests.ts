import { Problem } from '../../base/problem.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
} from '../call.ts';
import { objectOf } from '../members.ts';
import { compilePattern } from './compile-pattern.ts';
import { describeLoggedRequest, describeServeEvents, numberOfId } from './logged-request.ts';
import { DONE_AS_JSON, listMappings } from './mappings.ts';
import { matchesMetadata } from './metadata.ts';

/** The journal in WireMock's words. */
export const requestOperations: ControlOperations = {
  listLoggedRequests,
  removeLoggedRequests: clear,
  resetLoggedRequests: clear,
  countLoggedRequests(call) {
    const count = call.session.journal.count(compilePattern(call, call.members));
    return answerJson({ count, requestJournalDisabled: false });
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
      throw new Problem('UNKNOWN_EXCHANGE', 'the journal has no such request, or no more');
    }
    return answerJson(describeServeEvents(call, [exchange])[0] ?? {});
  },
  removeLoggedRequest(call) {
    call.session.journal.remove(numberOfId(call.path('id')) ?? 0);
    return DONE_AS_JSON;
  },
};

/** The newest first. */
function listLoggedRequests(call: ControlCall): ControlAnswer {
  const { journal } = call.session;
  const text = call.text('since');
  const since = text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text);
  const stub = call.text('matchingStub');
  const asked = (call.flag('unmatched') ? journal.unmatched() : journal.list()).filter(
    ({ at, rules }) => at >= since && (stub === undefined || rules.includes(stub)),
  );
  const listed = asked.slice(0, call.number('limit') ?? asked.length);
  return answerJson({
    requests: describeServeEvents(call, listed),
    meta: { total: asked.length },
    requestJournalDisabled: false,
  });
}

function clear(call: ControlCall): ControlAnswer {
  call.session.journal.clear();
  call.publish('reset', () => ({ parts: ['journal'] }));
  return DONE_AS_JSON;
}

function answerRequests(call: ControlCall, exchanges: readonly KeptExchange[]): ControlAnswer {
  const requests = exchanges.map((exchange) => describeLoggedRequest(call, exchange));
  return answerJson({ requests, requestJournalDisabled: false });
}

function answerRemoved(call: ControlCall, exchanges: readonly KeptExchange[]): ControlAnswer {
  return answerJson({ serveEvents: describeServeEvents(call, exchanges) });
}

function removeLoggedRequestsByMetadata(call: ControlCall): ControlAnswer {
  const { journal } = call.session;
  const matches = matchesMetadata(call, call.members);
  const names = new Set(
    listMappings(call)
      .filter(({ mapping }) => matches(objectOf(mapping, 'metadata')))
      .map(({ rule }) => rule.name),
  );
  const found = journal.list().filter(({ rules }) => rules.some((name) => names.has(name)));
  for (const { number } of found) journal.remove(number);
  return answerRemoved(call, found);
}
