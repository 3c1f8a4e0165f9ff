import type { KeptExchange } from '../../journal/exchange.ts';
import { contentOf } from '../attempts/identity.ts';
import { repeatsOf } from '../attempts/logical-request.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Sends the same request again. */
export const sameRequest = defineRule({
  name: 'same-request',
  definition:
    'All attempts of a request have the same method, target and body, and the same fields that describe the body and what is accepted; others, such as dates, traces and credentials, may differ.',
  source: 'RFC 9110 §9.2.2; draft-ietf-httpapi-idempotency-key-header §2.4',
  thresholds: {},
  judge({ requests, cite, name }) {
    const pairs = requests.flatMap(repeatsOf);
    const evidence = pairs.flatMap(({ before, next }) => {
      const parts = findDifferences(before, next);
      if (parts.length === 0) return [];
      const message = `${name(next)} is sent in place of #${before.number} with another ${parts.join(', ')}`;
      return [cite(message, [before, next])];
    });
    const again = count(pairs.length, 'further attempt');
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'further attempt')} changed the request`,
      keeps: pairs.length > 0 && `${again} repeated the request as it was`,
      missing: 'no request was sent again',
    });
  },
});

const FIELDS = ['accept', 'content-type', 'content-encoding', 'if-match', 'range'];

function findDifferences(before: KeptExchange, next: KeptExchange): readonly string[] {
  const { request } = before;
  const other = next.request;
  const fields = FIELDS.filter((name) => request.fields.get(name) !== other.fields.get(name));
  if (request.method !== other.method) return ['method', ...fields];
  if (request.target !== other.target) return ['target', ...fields];
  return contentOf(before) === contentOf(next) ? fields : ['body', ...fields];
}
