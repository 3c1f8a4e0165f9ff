import { doubtOf } from '../attempts/logical-request.ts';
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
    const evidence = over.flatMap((request) => {
      const { attempts } = request;
      const [first] = attempts;
      if (first === undefined || doubtOf(request) !== undefined) return [];
      return [cite(`${name(first)} was sent ${attempts.length} times`, attempts)];
    });
    const ended = requests.filter(({ attempts, doubt }) => {
      const last = attempts.at(-1);
      return doubt === undefined && last !== undefined && isTransient(last);
    });
    const longest = Math.max(...ended.map(({ attempts }) => attempts.length));
    const gaveUp = `${count(ended.length, 'request')} after at most ${count(longest, 'attempt')}`;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} had more than ${count(most, 'attempt')}`,
      doubt: over[0] && doubtOf(over[0]),
      keeps: ended.length === 0 ? undefined : `the client gave up ${gaveUp}`,
      missing: 'no request failed until the client gave it up',
    });
  },
});
