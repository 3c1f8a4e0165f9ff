import assert from 'node:assert/strict';
import test from 'ava';
import { createRandom } from '../../src/base/random.ts';
import { cutByPace, type Pace } from '../../src/delivery/transmission.ts';
import { collectFaults, type Diagnostic } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { FilePlace, SourceDocument } from '../../src/document/source-document.ts';
import {
  compileDelay,
  type Delay,
  LONGEST_DELAY_MILLISECONDS,
} from '../../src/rules/answer/delays.ts';
import { readFixtureFile } from '../../src/rules/read-file.ts';
import { fc, holds } from '../support/properties.ts';

const DRAWS = 4_000;

type Distribution = { readonly type: string } & Readonly<Record<string, number | string>>;

function nowhere(): FilePlace {
  return new FilePlace(new SourceDocument(parseSource('a.json', '{}')));
}

function delayOf(distribution: Distribution, fixed = 0): Delay {
  const answer = { fixedDelayMilliseconds: fixed, delayDistribution: distribution };
  const delay = compileDelay(nowhere(), answer);
  if (delay === undefined) throw new Error('there is a distribution');
  return delay;
}

/** @returns delays drawn by a seed, the shortest first */
function drawMany(delay: Delay, seed: string, count = DRAWS): readonly number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => delay.draw(random, 1)).sort((a, b) => a - b);
}

/** How much of what was drawn is no longer than this. */
function shareWithin(drawn: readonly number[], milliseconds: number): number {
  return drawn.filter((one) => one <= milliseconds).length / drawn.length;
}

const seeds = fc.string({ minLength: 1, maxLength: 8 });
const milliseconds = fc.integer({ min: 0, max: LONGEST_DELAY_MILLISECONDS });
const risingPercentiles = fc
  .tuple(
    fc.double({ min: 200, max: 5_000, noNaN: true }),
    fc.double({ min: 1.2, max: 20, noNaN: true }),
    fc.double({ min: 1.2, max: 20, noNaN: true }),
  )
  .map(([p50, tail, end]) => ({ p50, p95: p50 * tail, p99: p50 * tail * end }));

test('percentiles draw half below p50, 95 % below p95, 99 % below p99', (t) => {
  const property = fc.property(risingPercentiles, seeds, ({ p50, p95, p99 }, seed) => {
    const drawn = drawMany(delayOf({ type: 'percentiles', p50, p95, p99 }), seed);
    // Four standard deviations of the share; rounding moves what is right at the edge.
    assert.ok(Math.abs(shareWithin(drawn, p50 + 0.5) - 0.5) < 0.032 + 0.02);
    assert.ok(Math.abs(shareWithin(drawn, p95 + 0.5) - 0.95) < 0.014 + 0.005);
    assert.ok(Math.abs(shareWithin(drawn, p99 + 0.5) - 0.99) < 0.0065 + 0.002);
  });
  holds(t, property, 60);
});

test('percentiles of a lognormal distribution draw like that distribution', (t) => {
  const sigma = 0.7;
  const [p50, p95, p99] = [
    100,
    100 * Math.exp(sigma * 1.644853626951),
    100 * Math.exp(sigma * 2.326347874041),
  ];
  const fitted = drawMany(delayOf({ type: 'percentiles', p50, p95, p99 }), 'rain');
  const highest = LONGEST_DELAY_MILLISECONDS;
  const drawn = drawMany(
    delayOf({ type: 'lognormal', median: 100, sigma, maxValue: highest }),
    'rain',
  );
  t.deepEqual(fitted, drawn);
});

test('a lognormal distribution has its median in the middle and keeps to maxValue', (t) => {
  const median = fc.double({ min: 200, max: 5_000, noNaN: true });
  const sigma = fc.double({ min: 0.05, max: 2, noNaN: true });
  const property = fc.property(median, sigma, seeds, (middle, width, seed) => {
    const base = { type: 'lognormal', median: middle, sigma: width } as const;
    const drawn = drawMany(delayOf({ ...base, maxValue: LONGEST_DELAY_MILLISECONDS }), seed);
    assert.ok(Math.abs(shareWithin(drawn, middle + 0.5) - 0.5) < 0.032 + 0.08);
    const capped = drawMany(delayOf({ ...base, maxValue: middle * 1.2 }), seed, 500);
    assert.ok((capped.at(-1) ?? 0) <= middle * 1.2 + 0.5);
    // Drawn again, not held at the bound: few are just there.
    assert.ok(shareWithin(capped, middle * 1.2 - 1) > 0.5);
  });
  holds(t, property, 60);
});

test('a uniform distribution draws exactly the milliseconds of its range', (t) => {
  const drawn = drawMany(delayOf({ type: 'uniform', lower: 3, upper: 7 }), 'rain');
  for (const one of [3, 4, 5, 6, 7]) {
    const share = drawn.filter((milliseconds) => milliseconds === one).length / DRAWS;
    t.true(Math.abs(share - 0.2) < 0.03, `${one}: ${share}`);
  }
  t.deepEqual(new Set(drawn), new Set([3, 4, 5, 6, 7]));
});

test('a delay is a whole number of milliseconds and at most an hour', (t) => {
  const distributions: fc.Arbitrary<Distribution> = fc.oneof(
    fc.record({ type: fc.constant('fixed'), milliseconds }),
    fc
      .tuple(milliseconds, milliseconds)
      .map(
        ([a, b]) => ({ type: 'uniform', lower: Math.min(a, b), upper: Math.max(a, b) }) as const,
      ),
    fc.record({
      type: fc.constant('lognormal'),
      median: fc.double({ min: 0, max: LONGEST_DELAY_MILLISECONDS, noNaN: true }),
      sigma: fc.double({ min: 0, max: 10, noNaN: true }),
      maxValue: fc.double({ min: 0, max: LONGEST_DELAY_MILLISECONDS, noNaN: true }),
    }),
    fc
      .array(fc.integer({ min: 1, max: LONGEST_DELAY_MILLISECONDS }), {
        minLength: 3,
        maxLength: 3,
      })
      .map((three) => [...three].sort((a, b) => a - b))
      .map(([p50 = 1, p95 = 1, p99 = 1]) => ({ type: 'percentiles', p50, p95, p99 }) as const),
  );
  const strengths = fc.double({ min: 0, max: 1, noNaN: true });
  const property = fc.property(
    distributions,
    milliseconds,
    strengths,
    seeds,
    (one, fixed, strength, seed) => {
      const drawn = delayOf(one, fixed).draw(createRandom(seed), strength);
      assert.ok(Number.isInteger(drawn) && drawn >= 0 && drawn <= LONGEST_DELAY_MILLISECONDS);
    },
  );
  holds(t, property, 1_000);
});

test('the same random seed draws the same delays, and a ramp scales them', (t) => {
  const delay = delayOf({ type: 'percentiles', p50: 100, p95: 500, p99: 900 }, 1_000);
  t.deepEqual(drawMany(delay, 'rain', 20), drawMany(delay, 'rain', 20));
  t.notDeepEqual(drawMany(delay, 'rain', 20), drawMany(delay, 'sun', 20));
  const whole = delay.draw(createRandom('rain'), 1);
  t.is(delay.draw(createRandom('rain'), 0.5), Math.round(whole / 2));
  t.is(delay.draw(createRandom('rain'), 0), 0);
});

test('a rule without a delay has none', (t) => {
  t.is(compileDelay(nowhere(), {}), undefined);
  t.is(compileDelay(nowhere(), { fixedDelayMilliseconds: 0 }), undefined);
});

/** @returns the places in an answer and the messages of what is wrong with it */
function faultsOf(answer: string): readonly string[] {
  const text = `rules:\n- name: a\n  answer:\n${answer.replaceAll(/^(?=.)/gm, '    ')}`;
  const faults: Diagnostic[] = [];
  for (const { place, rule } of readFixtureFile({ file: 'a.yaml', text }, faults).rules) {
    collectFaults(faults, () => compileDelay(place.at('answer'), rule.answer ?? {}));
  }
  return faults.map(
    ({ position, message }) => `${position.line - 3}:${position.column - 4} ${message}`,
  );
}

for (const [what, text, fault] of [
  [
    'a distribution without a type',
    'delayDistribution:\n  median: 5\n',
    /^2:3 .*must have the member "type"/,
  ],
  [
    'an unknown distribution',
    'delayDistribution:\n  type: gauss\n',
    /^2:9 type must be one of fixed, uniform/,
  ],
  [
    'a member of another distribution',
    'delayDistribution:\n  type: fixed\n  milliseconds: 1\n  upper: 5\n',
    /^4:3 "upper" is not known here/,
  ],
  [
    'a distribution with a missing member',
    'delayDistribution:\n  type: uniform\n  lower: 5\n',
    /must have the member "upper"/,
  ],
  [
    'exchanged bounds',
    'delayDistribution:\n  type: uniform\n  lower: 5\n  upper: 4\n',
    /^3:10 lower cannot be more than upper/,
  ],
  [
    'a p95 below p50',
    'delayDistribution:\n  type: percentiles\n  p50: 5\n  p95: 4\n  p99: 6\n',
    /^4:8 p95 cannot be less than p50/,
  ],
  [
    'a p99 below p95',
    'delayDistribution:\n  type: percentiles\n  p50: 1\n  p95: 4\n  p99: 3\n',
    /^5:8 p99 cannot be less than p95/,
  ],
  [
    'a percentile of 0',
    'delayDistribution:\n  type: percentiles\n  p50: 0\n  p95: 4\n  p99: 5\n',
    /^3:8 p50 must be a number from 1/,
  ],
  [
    'a dribble of 0 chunks',
    'chunkedDribbleDelay:\n  numberOfChunks: 0\n  totalDuration: 5\n',
    /^2:19 numberOfChunks must be a whole number/,
  ],
  [
    'a dribble without a duration',
    'chunkedDribbleDelay:\n  numberOfChunks: 1\n',
    /must have the member "totalDuration"/,
  ],
  [
    'a bandwidth of 0',
    'bandwidth:\n  bytesPerSecond: 0\n',
    /^2:19 bytesPerSecond must be a whole number/,
  ],
  [
    'two paces',
    'chunkedDribbleDelay: { numberOfChunks: 1, totalDuration: 5 }\nbandwidth: { bytesPerSecond: 1 }\n',
    /^2:12 bandwidth cannot be combined with chunkedDribbleDelay/,
  ],
] as const) {
  test(`${what} is reported with its position`, (t) => {
    const [first = '', ...others] = faultsOf(text);
    t.regex(first, fault);
    t.deepEqual(others, []);
  });
}

test('the pieces of a body form the body, none is empty, and each is due after the last', (t) => {
  const paces: fc.Arbitrary<Pace | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.record({
      kind: fc.constant('dribble' as const),
      pieces: fc.integer({ min: 1, max: 40 }),
      milliseconds: fc.integer({ min: 0, max: 5_000 }),
    }),
    fc.record({
      kind: fc.constant('bandwidth' as const),
      bytesPerSecond: fc.integer({ min: 1, max: 500 }),
    }),
  );
  const property = fc.property(fc.uint8Array({ maxLength: 200 }), paces, (body, pace) => {
    const pieces = [...cutByPace(body, pace)];
    assert.deepEqual(Buffer.concat(pieces.map(({ bytes }) => bytes)), Buffer.from(body));
    assert.ok(pieces.every(({ bytes }) => bytes.length > 0));
    const dues = pieces.map(({ due }) => due);
    assert.deepEqual(
      dues,
      [...dues].sort((a, b) => a - b),
    );
    if (body.length === 0) return;
    if (pace?.kind === 'dribble') {
      assert.equal(pieces.length, Math.min(pace.pieces, body.length));
      assert.equal(dues.at(-1), pace.milliseconds);
    }
    if (pace?.kind === 'bandwidth') {
      assert.equal(dues.at(-1), Math.round((body.length * 1000) / pace.bytesPerSecond));
    }
  });
  holds(t, property);
});
