import { join } from 'node:path';
import test from 'ava';
import { load } from '../../src/assemble/load.ts';
import { createRandom } from '../../src/base/random.ts';
import { NO_FIELDS } from '../../src/http/message.ts';
import { Effects } from '../../src/rules/decide.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';

const RULES = `
rules:
  - { name: plain, answer: { fixedDelayMilliseconds: 0 } }
  - { name: one, answer: { fault: TRUNCATED_BODY, fixedDelayMilliseconds: 10, bandwidth: { bytesPerSecond: 1 } } }
  - { name: two, answer: { fault: SLOW_CLOSE, fixedDelayMilliseconds: 20, bandwidth: { bytesPerSecond: 2 } } }
`;

test('of several acting rules, the first effect of each kind counts, and all are named', async (t) => {
  const folder = await createFolder(t, { 'a.yaml': RULES });
  const fixtures = [join(folder, 'a.yaml')];
  const loaded = await load({ document: defaultDocument, fixtures, fixture: [] });
  const effects = new Effects();
  for (const rule of loaded.fixtures.rules.slice(1))
    effects.add(rule, rule.delay?.draw(createRandom('seed'), 1));
  t.deepEqual(effects.recorded.acted, ['one', 'two']);
  t.is(effects.recorded.delayMilliseconds, 10);
  t.is(effects.recorded.spoiling, 'TRUNCATED_BODY');
  t.deepEqual(effects.recorded.pace, loaded.fixtures.rules[1]?.pace);
  t.false(effects.isIdle);
});

test('a rule without header fields leaves the response unchanged', (t) => {
  const effects = new Effects();
  effects.addFields(NO_FIELDS);
  t.true(effects.isIdle);
});

test('header fields of several rules are combined', (t) => {
  const effects = new Effects();
  effects.addFields({ ratelimit: 'a', 'retry-after': '1' });
  effects.addFields({ ratelimit: 'b' });
  t.deepEqual(effects.recorded.fields, { ratelimit: 'b', 'retry-after': '1' });
  t.false(effects.isIdle);
});
