import { waitsOf } from '../attempts/logical-request.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Waits that count as none. */
const AT_ONCE = 5;
/** Waits whose ratio differs by less are the same. */
const ALIKE = 0.05;
/** Errors of the mean that the ratio must be away from the threshold: to be broken, and kept. */
const SURE = 4;
const PROBABLE = 2;
/** Fewer requests say nothing about waits that vary. */
const FEWEST_VARIED = 5;
const FEWEST = 3;

/** Waits longer before each further attempt. */
export const backOffGrows = defineRule({
  name: 'back-off-grows',
  definition:
    'Over all requests with two or more waits that no Retry-After sets, the last waits are longer than the first ones.',
  source:
    'AWS Architecture Blog, Exponential Backoff And Jitter; Google Cloud, Retry strategy; RFC 9110 §10.2.3',
  thresholds: {
    growth: {
      value: 1.25,
      meaning: 'factor of each wait to the one before, on average, up to the third wait',
    },
  },
  judge({ requests, cite, name }, { growth }) {
    const series = requests.flatMap((request) => {
      const { attempts } = request;
      const waits = waitsOf(request).map(({ milliseconds }) => milliseconds);
      return request.doubt === undefined && waits.length >= 2 ? [{ attempts, waits }] : [];
    });
    const result = compare(
      series.map(({ waits }) => waits),
      growth,
    );
    const evidence = series
      .slice(0, result === 'broken' ? MOST_SHOWN : 0)
      .map(({ attempts, waits }) =>
        cite(`${name(attempts[0])} was sent again after ${waits.join(', ')} ms`, attempts),
      );
    const number = count(series.length, 'request');
    return conclude({
      evidence,
      breaks: `the waits of ${number} do not grow`,
      keeps: result === 'kept' && `the waits of ${number} grow`,
      missing:
        series.length === 0
          ? 'no request had two waits that the client chose itself'
          : `the waits of ${number} are too few to tell chance from growth`,
    });
  },
});

const MOST_SHOWN = 5;

function compare(series: readonly (readonly number[])[], growth: number) {
  if (series.length === 0) return undefined;
  const all = series.flat();
  if (all.length >= FEWEST && all.every((wait) => wait <= AT_ONCE)) return 'broken';
  if (series.length < FEWEST) return compareOne(series, growth);
  const firsts = series.map(([first = 0]) => first);
  const lasts = series.map(
    (waits) => (waits.at(-1) ?? 0) / growth ** Math.min(waits.length - 1, 2),
  );
  const ratio = sum(lasts) / Math.max(sum(firsts), 1);
  const spread = Math.sqrt((variation(firsts) + variation(lasts)) / series.length);
  if (series.length < FEWEST_VARIED && spread > ALIKE) return undefined;
  if (ratio * (1 + SURE * spread) < 1) return 'broken';
  return ratio * (1 - PROBABLE * spread) > 1 ? 'kept' : undefined;
}

/** Compares the waits of very few requests: they must have the same ratio each time. */
function compareOne(series: readonly (readonly number[])[], growth: number) {
  const ratios = series.map((waits) =>
    waits.slice(1).map((wait, index) => wait / Math.max(waits[index] ?? 1, 1)),
  );
  const [all = []] = ratios.toSorted((left, right) => right.length - left.length);
  if (all.length < 2) return undefined;
  const least = Math.min(...all);
  const most = Math.max(...all);
  if (most / least > (1 + ALIKE) ** 2) return undefined;
  if (least >= growth) return 'kept';
  return most <= 1 + ALIKE && all.length >= FEWEST ? 'broken' : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the square of the coefficient of variation. */
function variation(numbers: readonly number[]): number {
  const mean = sum(numbers) / numbers.length;
  if (mean === 0) return 0;
  const squares = numbers.map((number) => (number - mean) ** 2);
  return sum(squares) / Math.max(numbers.length - 1, 1) / mean ** 2;
}
