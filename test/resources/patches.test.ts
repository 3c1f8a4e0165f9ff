import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { isEqual } from '../../src/base/json/equal.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { toPointer } from '../../src/base/json/pointer.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/base/json/value.ts';
import { Problem } from '../../src/base/problem.ts';
import { applyJsonPatch, applyMergePatch } from '../../src/resources/patch/apply-patch.ts';
import { safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

/**
 * One record that is switched off repeats a member, which is not read as JSON here. So the platform
 * reads the files, whose numbers are all doubles.
 *
 * @returns the records of a file of json-patch-test-suite
 */
function readSuite(url: string): readonly JsonObject[] {
  const text = readFileSync(new URL(url), 'utf8');
  const records = parseJson(JSON.stringify(JSON.parse(text)));
  assert(Array.isArray(records));
  return records.filter(isJsonObject).filter((record) => record['disabled'] !== true);
}

const suite = [
  import.meta.resolve('json-patch-test-suite/tests.json'),
  import.meta.resolve('json-patch-test-suite/spec_tests.json'),
]
  .flatMap(readSuite)
  .filter((record) => record['patch'] !== undefined);

for (const [index, record] of suite.entries()) {
  const { doc, patch, expected, error } = record;
  const comment = String(record['comment'] ?? error ?? JSON.stringify(patch));
  test(`JSON Patch, record ${index} of the shared test suite: ${comment}`, (t) => {
    assert(doc !== undefined && patch !== undefined);
    const before = stringifyJson(doc);
    if (error === undefined) {
      const patched = applyJsonPatch(doc, patch);
      t.true(isEqual(patched, expected ?? doc), stringifyJson(patched));
    } else t.true(refusal(doc, patch) !== undefined);
    t.is(stringifyJson(doc), before);
  });
}

/** @returns why a patch is refused; undefined where it is taken */
function refusal(target: JsonValue, patch: JsonValue): string | undefined {
  try {
    applyJsonPatch(target, patch);
    return undefined;
  } catch (error) {
    assert(error instanceof Problem && error.problem === 'INVALID_PATCH', String(error));
    return error.message;
  }
}

function patched(target: string, patch: string): string {
  return stringifyJson(applyJsonPatch(parseJson(target), parseJson(patch)));
}

function merged(target: string, patch: string): string {
  return stringifyJson(applyMergePatch(parseJson(target), parseJson(patch)));
}

test('a refused patch names the operation and the reason', (t) => {
  const patch = '[{"op": "add", "path": "/b", "value": 1}, {"op": "remove", "path": "/c/d"}]';
  const error = t.throws(() => patched('{"a": 1}', patch), { instanceOf: Problem });
  t.is(error?.message, 'operation 1 of the patch, remove /c/d: there is nothing at /c');
  t.is(error?.violations[0]?.pointer, '/1');
});

test('a patch tests and sets exact numbers', (t) => {
  const target = '{"id": 9223372036854775807, "price": 1.10}';
  const right = '[{"op": "test", "path": "/id", "value": 9223372036854775807}]';
  const wrong = '[{"op": "test", "path": "/id", "value": 9223372036854775806}]';
  t.is(patched(target, right), '{"id":9223372036854775807,"price":1.1}');
  t.regex(refusal(parseJson(target), parseJson(wrong)) ?? '', /not equal/);
  t.is(
    patched('{"price": 1.1}', '[{"op": "test", "path": "/price", "value": 11e-1}]'),
    '{"price":1.1}',
  );
  t.is(merged('{}', '{"id": 18446744073709551615}'), '{"id":18446744073709551615}');
});

test('a patch treats __proto__ as an ordinary member', (t) => {
  const name = '[{"op": "add", "path": "/__proto__", "value": {"admin": true}}]';
  t.is(patched('{}', name), '{"__proto__":{"admin":true}}');
  t.regex(
    refusal({}, parseJson('[{"op": "add", "path": "/__proto__/admin", "value": true}]')) ?? '',
    /nothing at \/__proto__/,
  );
  t.regex(
    refusal({}, parseJson('[{"op": "test", "path": "/constructor", "value": 1}]')) ?? '',
    /nothing/,
  );
  t.is(merged('{}', '{"__proto__": {"admin": true}}'), '{"__proto__":{"admin":true}}');
  t.is(
    Object.getPrototypeOf(applyMergePatch({}, parseJson('{"__proto__": {}}'))),
    Object.prototype,
  );
  t.is(merged('{"__proto__": 1}', '{"__proto__": null}'), '{}');
});

test('a copy does not share changes with its original', (t) => {
  const patch = `[
    {"op": "add", "path": "/a/0", "value": {"n": 1}},
    {"op": "copy", "from": "/a", "path": "/b"},
    {"op": "replace", "path": "/b/0/n", "value": 2},
    {"op": "add", "path": "/a/-", "value": 3}
  ]`;
  t.is(patched('{"a": []}', patch), '{"a":[{"n":1},3],"b":[{"n":2}]}');
});

test('later operations do not change a value of the patch', (t) => {
  const patch = parseJson(
    '[{"op": "add", "path": "/a", "value": {}}, {"op": "add", "path": "/a/b", "value": 1}]',
  );
  const before = stringifyJson(patch);
  applyJsonPatch({}, patch);
  t.is(stringifyJson(patch), before);
});

test('a patch that repeatedly copies a value into itself is refused', (t) => {
  const patch = Array.from({ length: 100 }, (_, index) => {
    return { op: 'copy', from: '', path: `/${index}` };
  });
  t.regex(refusal({ a: 1, b: [1, 2, 3] }, patch) ?? '', /steps/);
});

test('a patch that nests deeper than the limit is refused', (t) => {
  const patch = Array.from({ length: 3000 }, (_, index) => [
    { op: 'add', path: `/${index + 1}`, value: {} },
    { op: 'move', from: `/${index}`, path: `/${index + 1}/x` },
  ]).flat();
  t.regex(refusal({ 0: {} }, patch) ?? '', /deeper/);
});

test('a patch with too much work on a large array is refused in time', (t) => {
  const large = Array.from({ length: 100_000 }, () => 0);
  const insertion = { op: 'add', path: '/0', value: 1 };
  const patch = Array.from({ length: 10_000 }, () => insertion);
  t.regex(refusal(large, patch) ?? '', /steps/);
});

test('a patch with too much work on a large object is refused in time', (t) => {
  const members = Array.from({ length: 10_000 }, (_, index) => [`member${index}`, index]);
  const large = { o: Object.fromEntries(members) };
  const started = performance.now();
  for (const operation of [
    { op: 'copy', from: '/o', path: '/copy' },
    { op: 'test', path: '/o', value: large.o },
  ]) {
    t.regex(
      refusal(
        large,
        Array.from({ length: 10_000 }, () => operation),
      ) ?? '',
      /steps/,
    );
  }
  t.true(performance.now() - started < 10_000);
});

test('a hundred thousand operations on one array are fast', (t) => {
  const patch = Array.from({ length: 100_000 }, (_, value) => ({ op: 'add', path: '/-', value }));
  const value = applyJsonPatch([], patch);
  t.is(Array.isArray(value) && value.length, 100_000);
});

/** RFC 7396, appendix A. */
const MERGES: readonly (readonly [target: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

for (const [target, patch, result] of MERGES) {
  test(`merging ${patch} into ${target} gives ${result}`, (t) => {
    t.is(merged(target, patch), result);
  });
}

const values = safeJsonTexts.map(parseJson);

test('a merge patch is idempotent and does not change its target', (t) => {
  const property = fc.property(values, values, (target, patch) => {
    const before = stringifyJson(target);
    const once = applyMergePatch(target, patch);
    assert(isEqual(applyMergePatch(once, patch), once));
    assert.equal(stringifyJson(target), before);
  });
  holds(t, property);
});

test('a merge patch sets members and removes those that are null', (t) => {
  const property = fc.property(values, values, (target, patch) => {
    if (!isJsonObject(patch) || !isJsonObject(target)) return;
    const result = applyMergePatch(target, patch);
    assert(isJsonObject(result));
    for (const name of Object.keys(patch)) assertMerged(result, name, patch[name] as JsonValue);
    for (const name of Object.keys(target)) {
      if (!Object.hasOwn(patch, name)) assert.equal(getMember(result, name), target[name]);
    }
  });
  holds(t, property);
});

function assertMerged(result: JsonObject, name: string, wanted: JsonValue): void {
  const found = getMember(result, name);
  if (wanted === null) assert(found === undefined);
  else if (!isJsonObject(wanted)) assert(found !== undefined && isEqual(found, wanted));
}

/** Places of all values in a value. */
function placesOf(value: JsonValue): (string | number)[][] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item).map((place) => [index, ...place]))
    : isJsonObject(value)
      ? Object.keys(value).flatMap((key) =>
          placesOf(value[key] as JsonValue).map((place) => [key, ...place]),
        )
      : [];
  return [[], ...inner];
}

test('removing and adding the same member changes nothing', (t) => {
  const property = fc.property(values, values, fc.nat(), (target, other, choice) => {
    const places = placesOf(target).slice(1);
    const place = places[choice % places.length];
    if (place === undefined) return;
    const path = toPointer(place);
    const back = applyJsonPatch(target, [
      { op: 'copy', from: path, path: '' },
      { op: 'add', path: '', value: { kept: target, other } },
      { op: 'move', from: `/kept${path}`, path: '/other' },
      { op: 'test', path: '/kept', value: applyJsonPatch(target, [{ op: 'remove', path }]) },
      { op: 'move', from: '/other', path: `/kept${path}` },
      { op: 'copy', from: '/kept', path: '' },
    ]);
    assert(isEqual(back, target));
  });
  holds(t, property);
});
