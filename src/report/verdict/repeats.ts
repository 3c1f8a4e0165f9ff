import { groupBy } from '../../base/remember.ts';
import { count } from '../../base/words.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  contentOf,
  idempotencyKeyOf,
  isBroken,
  isKeyName,
  isTransient,
  operationOf,
  repeatsOf,
} from '../attempts/logical-request.ts';
import { conclude, defineRule, type Material } from './rule.ts';

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

const UNSAFE = new Set(['POST', 'PATCH']);

/** Statuses that say that the service has not processed the request. */
const UNPROCESSED = new Set([408, 425, 429, 503]);

export const unsafeRetryIsIdempotent = defineRule({
  name: 'unsafe-retry-is-idempotent',
  definition:
    'A POST or PATCH is repeated only with the same Idempotency-Key and the same body, or with If-Match; where the operation declares no such key, also after a response that says that nothing happened. No key is used for two bodies.',
  source: 'RFC 9110 §9.2.2; draft-ietf-httpapi-idempotency-key-header §2',
  thresholds: {},
  judge(material) {
    const { requests, exchanges, cite, name } = material;
    const unsafe = requests.filter(({ attempts: [first] }) => isUnsafe(first));
    const pairs = unsafe.flatMap((request) =>
      repeatsOf(request).map((pair) => ({ ...pair, doubt: request.doubt })),
    );
    const wrong = pairs.flatMap((pair) => {
      const reason = findReason(pair.before, pair.next, material);
      return reason === undefined ? [] : [{ ...pair, reason }];
    });
    const repeated = wrong
      .filter(({ doubt }) => doubt === undefined)
      .map(({ before, next, reason }) =>
        cite(`${name(next)} repeats #${before.number} ${reason}`, [before, next]),
      );
    const reused = findReuses(exchanges).map(([first, other]) => {
      const message = `${name(other)} has the Idempotency-Key of #${first.number} with another body`;
      return cite(message, [first, other]);
    });
    const gaveUp = unsafe.filter(({ attempts: [only, second] }) => {
      return second === undefined && isTransient(only);
    });
    const seen = [
      ...(pairs.length > 0
        ? [`${count(pairs.length, 'repeated request')} could not happen twice`]
        : []),
      ...(gaveUp.length > 0 ? [`${count(gaveUp.length, 'failed request')} was not repeated`] : []),
    ];
    return conclude({
      evidence: [...repeated, ...reused],
      breaks: `${count(repeated.length + reused.length, 'request')} could happen twice, or not at all`,
      doubt: wrong[0]?.doubt,
      keeps: seen.length > 0 && seen.join(' and '),
      missing: 'no POST or PATCH failed so that it could be repeated',
    });
  },
});

function isUnsafe({ request }: KeptExchange): boolean {
  return UNSAFE.has(request.method);
}

/** Returns why a request must not repeat the one before; undefined where it may. */
function findReason(before: KeptExchange, next: KeptExchange, { operation }: Material) {
  const [key, other] = [idempotencyKeyOf(before), idempotencyKeyOf(next)];
  if (key !== other) return 'with another Idempotency-Key';
  if (key !== undefined) return undefined;
  if (next.request.fields.get('if-match') !== undefined) return undefined;
  const declares = operation(next)?.parameters.some(
    (parameter) => parameter.in === 'header' && isKeyName(parameter.name.toLowerCase()),
  );
  if (declares) return 'without the Idempotency-Key that the operation declares';
  const isProcessed = isBroken(before) || (isTransient(before) && !UNPROCESSED.has(before.status));
  return isProcessed ? 'which may have happened already' : undefined;
}

/** Returns for each key that was used for several bodies the first two requests of them. */
function findReuses(exchanges: readonly KeptExchange[]) {
  const keyed = exchanges.filter((one) => isUnsafe(one) && idempotencyKeyOf(one) !== undefined);
  const uses = groupBy(keyed, (one) => `${operationOf(one)}\n${idempotencyKeyOf(one)}`);
  return [...uses.values()].flatMap((group) => {
    const [first] = group;
    const other = group.find((one) => first !== undefined && contentOf(one) !== contentOf(first));
    return first === undefined || other === undefined ? [] : [[first, other] as const];
  });
}
