import test from 'ava';
import { LazyText } from '../../src/base/lazy-text.ts';
import { mayLeadOutward } from '../../src/document/external-references.ts';

const leadsOutward = (text: string) => mayLeadOutward(LazyText.of(text));

test('a text leads outward if a reference may name a file', (t) => {
  const outward = [
    '{"$ref": "other.json"}',
    '{"$ref":"{folder}.json#/a"}',
    '$ref: other.yaml#/a',
    "$ref: 'other.yaml'",
    '$ref:\n  other.yaml',
    '{"externalValue": "example.txt"}',
    '{"mapping": {"tree": "tree.json"}}',
    '{"$ref": " other.json"}',
    '$ref: # shared\n  other.yaml',
    '? $ref # shared\n: other.yaml',
    'mapping:\n  tree: ./Tree',
    'mapping: { tree: TREE.JSON }',
  ];
  t.deepEqual(outward.filter(leadsOutward), outward);
});

test('a text without references to files does not lead outward, whatever its paths are', (t) => {
  const inward = [
    '{"$ref": "#/components/schemas/Plant"}',
    "$ref: '#/a'",
    '{"/plants/{id}/$ref": {"get": {}}}',
    '/plants/$ref: { get: {} }',
    '{"/plants/$ref": [1]}',
    '$ref:\n  "#/a"',
    'description: $ref and mapping',
    '{"mapping": {"tree": "#/components/schemas/Tree"}}',
  ];
  t.deepEqual(inward.filter(leadsOutward), []);
});
