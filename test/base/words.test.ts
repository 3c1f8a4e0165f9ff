import test from 'ava';
import { countCharacters } from '../../src/base/words.ts';

test('characters are counted as code points, and those of a long text in little time', (t) => {
  for (const text of [
    '',
    'Fern',
    'Fär',
    '🌵',
    'a🌵b🌵',
    '\ud83c',
    '\udf35\ud83c',
    '\ud83c🌵\udf35',
  ]) {
    t.is(countCharacters(text), [...text].length, JSON.stringify(text));
  }
  const start = process.cpuUsage();
  t.is(countCharacters('a'.repeat(20_000_000)), 20_000_000);
  const { user, system } = process.cpuUsage(start);
  t.true(user + system < 400_000, 'an array of them takes four times as long');
});
