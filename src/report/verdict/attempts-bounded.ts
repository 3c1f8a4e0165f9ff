import { doubtOf, lastOf } from '../attempts/logical-request.ts';
import { isTransient } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Gives up after a few attempts. */
export const attemptsBounded = defineRule({
  name: 'attempts-bounded',
  definition: 'A request that keeps failing is sent at most so many times.',
  source:
    'AWS SDKs and Tools Reference Guide, Retry behavior; Google Cloud, Retry strategy; Microsoft Azure, Retry pattern',
  thresholds: { most: { value: 5, meaning: 'attempts of one request, with the first' } },
  judge({ requests, cite, name }, { most }) {
    const over = requests.filter(({ attempts }) => attempts.length > most);
    const evidence = over
      .filter((request) => doubtOf(request) === undefined)
      .map(({ attempts }) =>
        cite(`${name(attempts[0])} was sent ${attempts.length} times`, attempts),
      );
    const ended = requests.filter((one) => one.doubt === undefined && isTransient(lastOf(one)));
    const longest = Math.max(...ended.map(({ attempts }) => attempts.length));
    const gaveUp = `${count(ended.length, 'request')} after at most ${count(longest, 'attempt')}`;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} had more than ${count(most, 'attempt')}`,
      doubt: over[0] && doubtOf(over[0]),
      keeps: ended.length > 0 && `the client gave up ${gaveUp}`,
      missing: 'no request failed until the client gave it up',
    });
  },
});
