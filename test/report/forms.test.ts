import test from 'ava';
import type { Verdict } from '../../src/index.ts';
import { formatVerdictJunit, formatVerdictText } from '../../src/report/verdict/forms.ts';

const cited = { number: 2, at: '2026-01-31T12:00:00.400Z' };
const verdict: Verdict = {
  session: 'a1',
  dropped: 0,
  rules: [
    { rule: 'jitter', result: 'undecided', reason: 'too few', evidence: [] },
    { rule: 'circuit', result: 'kept', reason: 'the client slowed down', evidence: [] },
    {
      rule: 'retry-after',
      result: 'broken',
      reason: '7 requests came early',
      evidence: Array.from({ length: 7 }, () => {
        return {
          message: '#2 GET /\u001b[31m came',
          requests: [cited],
          replay: 'seed="a", call=2',
        };
      }),
    },
  ],
};

test('the text of a verdict begins with what is broken, and shows no controls of others', (t) => {
  const lines = formatVerdictText(verdict, false).split('\n');
  t.is(lines[0], 'broken     retry-after  7 requests came early');
  t.is(lines[1], '    2026-01-31T12:00:00.400Z  #2 GET /\\u001b[31m came');
  t.is(lines[2], '    Mock-Replay: seed="a", call=2');
  t.is(lines[11], '    and 2 others; --format json has all');
  t.is(lines[12], 'kept       circuit      the client slowed down');
  t.is(lines.at(-2), '3 rules for the client of session a1: 1 broken, 1 kept, 1 undecided');
  t.true(formatVerdictText(verdict, true).includes('\u001b[31mbroken'));
});

test('in JUnit, a broken rule has failed and an undecided one is skipped', (t) => {
  const report = formatVerdictJunit(verdict);
  t.true(report.includes('tests="3" failures="1" errors="0" skipped="1"'));
  t.true(report.includes('<skipped message="too few"/>'));
});
