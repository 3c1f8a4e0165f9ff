import test from 'ava';
import { parseSource } from '../../src/document/source.ts';
import { SourceDocument } from '../../src/document/source-document.ts';
import { mayLeaveOut } from '../../src/schema/message-direction.ts';
import { type SchemaNode, SchemaNodes } from '../../src/schema/schema-node.ts';

/** @returns the nodes of the schemas of a document, each by its name */
function readNodes(text: string): (name: string) => SchemaNode {
  const nodes = new SchemaNodes(new SourceDocument(parseSource('schemas.yaml', text)));
  return (name) => {
    const node = nodes.at(`/${name}`);
    if (node === undefined) throw new Error(`no schema ${name}`);
    return node;
  };
}

test('a node combines references, combinations and conditions', (t) => {
  const node = readNodes(`
Plant:
  $ref: '#/Named'
  allOf: [{ properties: { name: { maxLength: 9 }, id: { type: integer } } }]
  anyOf: [{ required: [id] }, { properties: { tag: true } }]
  if: { properties: { ignored: true } }
  then: { properties: { pot: { type: object } } }
Named:
  type: [object, 'null']
  required: [name]
  properties: { name: { type: string } }
`)('Plant');
  t.deepEqual([...node.names], ['name', 'id', 'tag', 'pot']);
  t.deepEqual([...node.required], ['name', 'id']);
  t.deepEqual([...node.types], ['object']);
  t.is(node.property('name')?.keyword('maxLength'), 9);
  t.deepEqual([...(node.property('name')?.types ?? [])], ['string']);
  t.deepEqual(
    node.certain.map(({ pointer }) => pointer),
    ['/Plant', '/Named', '/Plant/allOf/0'],
  );
});

test('schemas that only reference one schema share its node', (t) => {
  const nodeOf = readNodes(`
One: { $ref: '#/Two' }
Two: { $ref: '#/Pot' }
Pot: { properties: { inner: { $ref: '#/One' } } }
Nullable: { oneOf: [{ type: 'null' }, { $ref: '#/One' }] }
`);
  t.is(nodeOf('One').target, nodeOf('Pot'));
  t.is(nodeOf('One').property('inner')?.target, nodeOf('Pot'));
  t.is(nodeOf('Nullable').identity, '/Pot');
});

test('circular and unresolved references are empty', (t) => {
  const nodeOf = readNodes(`
A: { $ref: '#/B' }
B: { $ref: '#/C' }
C: { $ref: '#/A' }
Lost: { $ref: '#/Nothing', properties: { id: true } }
Outside: { $ref: 'other.yaml', properties: { id: true } }
`);
  t.deepEqual([...nodeOf('A').names], []);
  t.is(typeof nodeOf('A').identity, 'string');
  t.deepEqual([...nodeOf('Lost').names], ['id']);
  t.deepEqual([...nodeOf('Outside').names], ['id']);
});

test('a pattern of names takes no exponential time', (t) => {
  const { patterns } = readNodes(`
Bed: { patternProperties: { '^(z|z)*$': true, '(': true } }
`)('Bed');
  const started = performance.now();
  t.deepEqual(
    patterns.map(({ pattern }) => pattern.test(`${'z'.repeat(40)}!`)),
    [false, false],
  );
  t.true(performance.now() - started < 1000);
});

test('what schemas lead to is searched once, in circles too', (t) => {
  const nodeOf = readNodes(`
Garden: { properties: { plants: { items: { $ref: '#/Plant' } }, owner: { $ref: '#/Owner' } } }
Plant: { properties: { garden: { $ref: '#/Garden' }, pot: { $ref: '#/Pot' } } }
Owner: { properties: { password: { writeOnly: true }, pot: { $ref: '#/Pot' } } }
Pot: { properties: { size: { type: integer }, inner: { $ref: '#/Pot' } } }
`);
  const asked: string[] = [];
  const known = new WeakMap<SchemaNode, boolean>();
  const mayReach = (name: string): boolean =>
    nodeOf(name).mayReach((node) => {
      asked.push(node.pointer);
      return node.keyword('writeOnly') === true;
    }, known);
  t.deepEqual(['Garden', 'Plant', 'Pot', 'Owner'].map(mayReach), [true, true, false, true]);
  asked.length = 0;
  t.deepEqual(['Owner', 'Plant', 'Garden', 'Pot'].map(mayReach), [true, true, true, false]);
  t.deepEqual(asked, []);
});

test('what messages leave out is found behind references, whichever schema is asked first', (t) => {
  const text = `
Garden: { properties: { plants: { items: { $ref: '#/Plant' } }, owner: { $ref: '#/Owner' } } }
Plant: { allOf: [{ $ref: '#/Pot' }], properties: { garden: { $ref: '#/Garden' } } }
Owner: { properties: { password: { type: string, writeOnly: true } } }
Key: { $ref: '#/Owner/properties/password' }
Pot: { properties: { id: { readOnly: true }, writeOnly: { type: boolean }, inner: { $ref: '#/Pot' } } }
Seat: { properties: { kind: { $ref: '#/Lost' } } }
Moved: { $id: 'https://example.com/moved', properties: { kind: { $ref: 'other' } } }
`;
  const leaves = ['Garden', 'Plant', 'Owner', 'Key', 'Moved'];
  const names = [...leaves, 'Pot', 'Seat'];
  for (const order of [names, names.toReversed(), [...names, ...names]]) {
    const nodeOf = readNodes(text);
    const found = order.filter((name) => mayLeaveOut(nodeOf(name), 'response'));
    t.deepEqual([...new Set(found)].toSorted(), leaves.toSorted());
  }
  const nodeOf = readNodes(text);
  t.true(mayLeaveOut(nodeOf('Pot'), 'request'));
  t.false(mayLeaveOut(nodeOf('Owner'), 'request'));
});
