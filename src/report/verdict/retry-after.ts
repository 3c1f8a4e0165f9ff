import { groupBy } from '../../base/group-by.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { operationOf } from '../attempts/identity.ts';
import { doubtOf } from '../attempts/logical-request.ts';
import { endOf, retryTimeOf } from '../attempts/outcome.ts';
import { conclude, count, defineRule, type Material } from './rule.ts';

/** Waits as long as a response asks for. */
export const retryAfter = defineRule({
  name: 'retry-after',
  definition:
    'After a response with Retry-After, or after a 429 with the reset of its rate limit, no request to the same operation arrives before that time.',
  source: 'RFC 9110 §10.2.3; draft-ietf-httpapi-ratelimit-headers',
  thresholds: {
    slack: { value: 50, meaning: 'how much too early a request may be; milliseconds' },
    flight: {
      value: 20,
      meaning:
        'how long after the response other requests may still arrive, which were under way; milliseconds',
    },
  },
  judge(material, { slack, flight }) {
    const { name, cite } = material;
    const asks = findAsks(material, flight);
    const followed = asks.flatMap(({ next, ...ask }) =>
      next === undefined ? [] : [{ ...ask, next }],
    );
    const early = followed.filter(({ time, next }) => next.at < time - slack);
    const evidence = early.map(({ asking, time, next }) => {
      const ended = endOf(asking);
      const message =
        `${name(next)} came ${next.at - ended} ms after the response to #${asking.number}, ` +
        `which asks to wait ${time - ended} ms`;
      return cite(message, [asking, next]);
    });
    const kept = count(followed.length, 'request');
    return conclude({
      evidence,
      breaks: `${count(early.length, 'request')} came before the time that a response asks for`,
      keeps: followed.length > 0 && `${kept} waited as long as the response asks for`,
      missing:
        asks.length === 0
          ? 'no response had Retry-After or the reset of a limit'
          : asks.some(({ isFollowed }) => isFollowed)
            ? 'requests followed a response with Retry-After so soon that they may have been under way'
            : 'no request followed a response with Retry-After',
    });
  },
});

/** Returns the responses that ask to wait, each with the request that comes next after it. */
function findAsks({ exchanges, requests }: Material, flight: number) {
  const owners = new Map(
    requests.flatMap((request) => request.attempts.map((one) => [one, request] as const)),
  );
  const isOwn = (next: KeptExchange, asking: KeptExchange): boolean => {
    const owner = owners.get(next);
    return owner === owners.get(asking) && owner !== undefined && doubtOf(owner) === undefined;
  };
  return [...groupBy(exchanges, operationOf).values()].flatMap((group) =>
    group.flatMap((asking, index) => {
      const time = retryTimeOf(asking);
      if (time === undefined) return [];
      const ended = endOf(asking);
      const isLater = (one: KeptExchange, at: number): boolean => at > index && one.at >= ended;
      const next = group.find(
        (one, at) => isLater(one, at) && (one.at > ended + flight || isOwn(one, asking)),
      );
      return [{ asking, time, next, isFollowed: next !== undefined || group.some(isLater) }];
    }),
  );
}
