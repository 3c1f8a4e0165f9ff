import test from 'ava';
import fc from 'fast-check';
import { Problem } from '../../src/base/problem.ts';
import { SeenRecords } from '../../src/redis/seen-records.ts';
import { ForeignRecord } from '../../src/state/foreign-record.ts';

/** Returns a function that finds records, and counts those that are not in the cache. */
function createReader() {
  const seen = new SeenRecords();
  const counts = { read: 0 };
  const find = (place: string, key: string, kept: string): ForeignRecord =>
    seen.find(place, key, kept, (ownKey, ownKept) => {
      counts.read++;
      const [version = '', json = ''] = ownKept.split(' ');
      const refuse = () => new Problem('STORE_UNAVAILABLE', key);
      return new ForeignRecord({ key: ownKey, version: Number(version), json, refuse });
    });
  return { find, counts };
}

test('a list shows each resource as Redis has it now, whatever lists have read before', (t) => {
  const size = fc.constantFrom(0, 1_000, 400_000);
  const read = fc.record({
    place: fc.constantFrom('a:meta plants', 'a:meta pots', 'b:meta plants'),
    key: fc.constantFrom('1', '2', 'é'),
    version: fc.integer({ min: 1, max: 3 }),
    name: fc.tuple(fc.constantFrom('Aloe', 'Größe'), size),
  });
  fc.assert(
    fc.property(fc.array(read, { maxLength: 60 }), (reads) => {
      const { find } = createReader();
      for (const { place, key, version, name } of reads) {
        const json = JSON.stringify({ place, name: name[0] + 'x'.repeat(name[1]) });
        const record = find(place, key, `${version} ${json.replaceAll(' ', '')}`);
        const expected = { key, version, text: `${json.replaceAll(' ', '')}\n${key}` };
        const { key: ownKey, version: ownVersion, text } = record;
        if (text !== expected.text || ownKey !== key || ownVersion !== version) return false;
      }
      return true;
    }),
  );
  t.pass();
});

test('a list reads again what has changed, and keeps some megabytes of what has not', (t) => {
  const { find, counts } = createReader();
  const first = find('meta plants', '1', '1 {"name":"Aloe"}');
  t.is(find('meta plants', '1', '1 {"name":"Aloe"}'), first);
  t.is(counts.read, 1);
  t.not(find('meta plants', '1', '2 {"name":"Aloe"}'), first);
  t.not(find('meta pots', '1', '1 {"name":"Aloe"}'), first);
  t.is(counts.read, 3);
  const many = 50_000;
  for (let key = 0; key < many; key++) find('meta many', `${key}`, `1 {"name":"${key}"}`);
  counts.read = 0;
  for (let key = 0; key < many; key++) find('meta many', `${key}`, `1 {"name":"${key}"}`);
  t.true(counts.read > many / 2, `${counts.read} of ${many} were read again`);
});
