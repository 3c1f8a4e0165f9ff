import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { Contract } from '../../src/contract/contract.ts';
import { createContractGenerators } from '../../src/generate/generator.ts';
import { createResources } from '../../src/resources/resources.ts';
import { writeTypes } from '../../src/typing/write-types.ts';
import { parseDocument } from '../support/documents.ts';
import { createFolder } from '../support/folder.ts';
import { libraryDocument } from '../support/library-document.ts';
import { run } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plantStore = join(root, 'spec/plant-store.openapi.yaml');

/** @returns what the compiler complains of; nothing for what is right */
async function compile(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await createFolder(t, {
    ...files,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: 'es2023',
        lib: ['es2023'],
        module: 'nodenext',
        allowImportingTsExtensions: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
    }),
  });
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['--project', folder]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

/** @param schemas the component schemas, in YAML */
function typesOf(schemas: string, version = '3.1.0'): string {
  const indented = schemas.replaceAll(/^/gm, '    ');
  const head = `openapi: ${version}\ninfo: { title: Garden, version: '1' }\npaths: {}\n`;
  const text = `${head}components:\n  schemas:\n${indented}\n`;
  const contract = new Contract(parseDocument('garden.yaml', text));
  return writeTypes(contract, { collections: [], fixtures: [] });
}

async function typesOfPlantStore(): Promise<string> {
  const { contract } = await loadContract({ document: plantStore });
  const { schema, writtenSchema } = createResources(contract).find('plants') ?? {};
  const [shown, given] = [schema?.pointer ?? '', writtenSchema?.pointer ?? ''];
  const collections = [{ name: 'plants', kind: 'collection', shown, given }] as const;
  return writeTypes(contract, { collections, fixtures: ['slow', 'fail-first-two'] });
}

test('the types of the plant store cover requests, responses, resources and rules', async (t) => {
  t.is(
    await typesOfPlantStore(),
    `/** Plant Store 1.0.0, as \`coldframe types\` writes it: write it again when the document changes. */

export interface PlantStore {
  operations: {
    createPlant: CreatePlantOperation;
  };
  state: {
    plants: {
      shown: Plant;
      given: NewPlant;
    };
  };
  fixtures: 'slow' | 'fail-first-two';
}

/**
 * POST /plants
 *
 * Create a plant
 */
export interface CreatePlantOperation {
  parameters: {
    [key: string]: never;
  };
  body: NewPlant;
  responses: {
    200: Plant;
    400: Error;
  };
  examples: {
    200: 'monstera' | 'withoutTag' | 'largestId';
    400: 'missingName' | 'idNotAnInteger' | 'badToken' | 'tooManyRequests' | 'unavailable';
  };
}

export interface Plant {
  /** The name of the plant */
  name: string;
  /** Tag to specify the type */
  tag?: string;
}

export type NewPlant = Plant & {
  /** Identification number of the plant */
  id: number | bigint;
};

export interface Error {
  /** Numeric error indicator */
  error: number;
  /** Error message text */
  message: string;
}
`,
  );
});

test('undeclared names do not compile', async (t) => {
  const sample = `
import { connect } from '${join(root, 'src/client/connect.ts')}';
import type { PlantStore } from './plant-store.d.ts';

const session = connect<PlantStore>('http://127.0.0.1:4010').session();

export async function sample() {
  await session.createPlant.failNext(503, { times: 2, example: 'unavailable' });
  await session.createPlant.answerNext({ status: 200, body: { name: 'Fern' } });
  await session.createPlant.answerNext({ status: 400, example: 'badToken' });
  await session.createPlant.answerNext({ offContract: true, status: 418, body: 'a teapot' });
  await session.createPlant.answerNext({ status: 503, body: { error: 503, message: 'busy' } });
  await session.createPlant.failNext(503, { contractOnly: true });
  await session.createPlant.breakNext('CONNECTION_RESET_BY_PEER');
  await session.state.plants.seed([{ id: 1, name: 'Fern' }, { id: 2n ** 63n - 1n, name: 'Ivy' }]);
  const stored: readonly { name: string; id: number | bigint }[] = await session.state.plants.all();
  const all: typeof stored = (await session.state.all()).plants;
  const name: string | undefined = (await session.createPlant.lastCall())?.body?.name;
  await session.fixtures.on('slow');
  await session.reset('state', 'journal');

  // @ts-expect-error there is no such operation
  await session.createPlans.failNext(503);
  // @ts-expect-error nor by this name
  session.operation('createPlans');
  // @ts-expect-error a status is a number
  await session.createPlant.failNext('503');
  // @ts-expect-error there is no such example
  await session.createPlant.failNext(400, { example: 'noSuch' });
  // @ts-expect-error 201 is not declared
  await session.createPlant.answerNext({ status: 201, body: { name: 'Fern' } });
  // @ts-expect-error this example is one of 200
  await session.createPlant.answerNext({ status: 400, example: 'monstera' });
  // @ts-expect-error the body of 200 has no id
  await session.createPlant.answerNext({ status: 200, body: { name: 'Fern', id: 1 } });
  // @ts-expect-error there is no such fault
  await session.createPlant.breakNext('CONNECTION_RESET');
  // @ts-expect-error there is no such collection
  await session.state.plans.clear();
  // @ts-expect-error a plant has a name
  await session.state.plants.seed([{ id: 1 }]);
  // @ts-expect-error there is no such fixture
  await session.fixtures.on('slower');
  // @ts-expect-error there is no such kind
  await session.reset('everything');
  return [all, name];
}
`;
  const types = await typesOfPlantStore();
  t.is(await compile(t, { 'plant-store.d.ts': types, 'sample.ts': sample }), '');
});

test('the state has what a read shows, and takes what a create takes or a read shows', async (t) => {
  const folder = await createFolder(t, { 'library.json': JSON.stringify(libraryDocument) });
  const { code, stdout, stderr } = await run(t, ['types', 'library.json'], { folder });
  t.is(code, 0, stderr);
  const sample = `
import { connect } from '${join(root, 'src/client/connect.ts')}';
import type { Book, Library, Reader } from './library.d.ts';

const session = connect<Library>('http://127.0.0.1:4010').session();
declare const book: Book;

export async function sample() {
  await session.state.books.seed([{ title: 'Moss' }, book, { id: 7, title: 'Ferns' }]);
  const all: readonly Book[] = await session.state.books.all();
  const shelf: string | undefined = (await session.state.books.get(7))?.shelf;
  const created: string = (await session.state.books.put(8, { title: 'Ivy' })).createdAt;
  const me: Reader | undefined = await session.state.me.get();
  const email: string = (await session.state.me.put({ name: 'Ada' })).email;
  await session.state.seed({ books: [{ title: 'Moss' }], me: { name: 'Ada' } });
  const whole = await session.state.all();
  const reader: Reader | undefined = whole.me;
  await session.state.collection('shelves/7/books').seed([{ anything: true }]);
  await session.lendBook.failNext(503, { headers: { 'Retry-After': '5' }, delay: '2s' });
  await session.lendBook.failNext(418, { offContract: true, body: 'a teapot' });

  // @ts-expect-error a book has a title
  await session.state.books.seed([{ id: 7 }]);
  // @ts-expect-error a book has no author
  await session.state.books.put(7, { title: 'Moss', author: 'Ada' });
  // @ts-expect-error one resource is no list
  await session.state.me.seed([]);
  // @ts-expect-error one resource has no key
  await session.state.me.get(7);
  // @ts-expect-error there is no such collection
  session.state.collection('shelves');
  return [all, shelf, created, me, email, whole.books[0]?.status, reader];
}
`;
  t.is(await compile(t, { 'library.d.ts': stdout, 'sample.ts': sample }), '');
});

test('without types, a session has operations and collections of any name', async (t) => {
  const sample = `
import { connect } from '${join(root, 'src/client/connect.ts')}';
const session = connect('http://127.0.0.1:4010').session();
export async function sample() {
  await session.operation('createPlant').failNext(503);
  await session.operation('createPlant').answerNext({ status: 299, body: 1 });
  await session['createPlant']?.failNext(503);
  await session.state.collection('plants').seed([{ id: 1 }]);
  await session.fixtures.on('whatever');
}
`;
  t.is(await compile(t, { 'sample.ts': sample }), '');
});

test('a type allows what its schema allows, and refuses what types can refuse', async (t) => {
  const types = typesOf(`
pot:
  type: object
  required: [size, glaze]
  properties:
    size: { enum: [small, large, 3, null] }
    glaze: { const: true }
    "2nd-colour": { type: [string, 'null'] }
    spots: { type: array, prefixItems: [{ type: number }, { type: string }], minItems: 1, items: false }
    labels: { type: object, additionalProperties: { type: integer } }
    anything: {}
    nothing: false
leaf:
  type: array
  items: { oneOf: [{ type: string }, { $ref: '#/components/schemas/leaf' }] }
seed:
  description: "Ends */ here; and \`there\`"
  type: object
  additionalProperties: false
tagged:
  allOf:
    - { type: object, properties: { tag: { type: string } } }
    - required: [tag]
`);
  const sample = `
import type { Leaf, Pot, Seed, Tagged } from './garden.d.ts';
export const pots: Pot[] = [
  { size: 'small', glaze: true },
  { size: null, glaze: true, '2nd-colour': null, spots: [1], labels: { a: 1 }, anything: [] },
  { size: 3, glaze: true, spots: [1, 'two'] },
  // @ts-expect-error no such size
  { size: 'medium', glaze: true },
  // @ts-expect-error a constant
  { size: 'small', glaze: false },
  // @ts-expect-error a third
  { size: 'small', glaze: true, spots: [1, 'two', 3] },
  // @ts-expect-error labels are numbers
  { size: 'small', glaze: true, labels: { a: 'b' } },
  // @ts-expect-error nothing may stand there
  { size: 'small', glaze: true, nothing: 1 },
];
export const leaf: Leaf = ['a', ['b', ['c']]];
// @ts-expect-error at any depth
export const wrong: Leaf = ['a', ['b', [1]]];
export const seed: Seed = {};
// @ts-expect-error it is closed
export const sown: Seed = { depth: 1 };
export const tagged: Tagged = { tag: 'fern' };
// @ts-expect-error the tag is required
export const bare: Tagged = {};
`;
  t.is(await compile(t, { 'garden.d.ts': types, 'sample.ts': sample }), '');
});

test('a generated value has the type of its schema', async (t) => {
  const file = join(root, 'spec/control-api.openapi.yaml');
  const { contract } = await loadContract({ document: file });
  const types = writeTypes(contract, { collections: [], fixtures: [] });
  const generator = createContractGenerators(contract).response;
  const values = contract.document
    .members('/components/schemas')
    .flatMap(([name, pointer], index) =>
      [generator.generateFull(pointer), generator.generateMinimal(pointer)].map((value, turn) =>
        value === undefined
          ? ''
          : `export const value${index}${'ab'[turn]}: Api.${name} = ${stringifyJson(value)};\n`,
      ),
    );
  t.true(values.length > 40);
  const sample = `import type * as Api from './control.d.ts';\n${values.join('')}`;
  t.is(await compile(t, { 'control.d.ts': types, 'sample.ts': sample }), '');
});

test('a base schema and its heirs are types that know their members', async (t) => {
  const types = typesOf(`
Plant:
  type: object
  required: [kind]
  properties: { kind: { type: string } }
  oneOf: [{ $ref: '#/components/schemas/Tree' }, { $ref: '#/components/schemas/Fern' }]
  discriminator: { propertyName: kind }
Tree:
  allOf:
    - { $ref: '#/components/schemas/Plant' }
    - { type: object, required: [height], properties: { height: { type: number } } }
Fern:
  allOf:
    - { $ref: '#/components/schemas/Plant' }
    - { type: object, required: [fronds], properties: { fronds: { type: integer } } }
Either: { oneOf: [{ $ref: '#/components/schemas/Or' }, { type: string }] }
Or: { oneOf: [{ $ref: '#/components/schemas/Either' }, { type: number }] }
Self: { $ref: '#/components/schemas/Self' }
`);
  const sample = `
import type { Fern, Plant, Tree } from './garden.d.ts';
export const tree: Tree = { kind: 'Tree', height: 3 };
export const plants: Plant[] = [tree, { kind: 'Fern', fronds: 12 }];
// @ts-expect-error a plant is one of the two
export const moss: Plant = { kind: 'Moss' };
// @ts-expect-error an heir has what the base has
export const fern: Fern = { fronds: 12 };
`;
  t.is(await compile(t, { 'garden.d.ts': types, 'sample.ts': sample }), '');
});

test('readOnly members are optional in requests, writeOnly ones missing in responses', (t) => {
  const text = `
openapi: 3.0.3
info: { title: Accounts, version: '1' }
paths:
  /accounts:
    post:
      operationId: open
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
      responses:
        '201': { description: opened, content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
        4XX: { description: refused }
        default: { description: otherwise, content: { text/plain: { schema: { type: string } } } }
components:
  schemas:
    Account:
      type: object
      required: [id, owner, secret]
      properties:
        id: { type: string, readOnly: true }
        owner: { $ref: '#/components/schemas/Owner' }
        secret: { type: string, writeOnly: true }
        note: { type: string, nullable: true }
    Owner: { type: object, properties: { name: { type: string } } }
`;
  const contract = new Contract(parseDocument('accounts.yaml', text));
  const types = writeTypes(contract, { collections: [], fixtures: [] });
  t.is(
    types.slice(types.indexOf('export interface OpenOperation')),
    `export interface OpenOperation {
  parameters: {
    [key: string]: never;
  };
  body: AccountInRequest;
  responses: {
    201: Account;
    '4XX': undefined;
    default: string;
  };
  examples: {
    201: never;
    '4XX': never;
    default: never;
  };
}

export interface Account {
  id: string;
  owner: Owner;
  note?: string | null;
}

export interface Owner {
  name?: string;
}

export interface AccountInRequest {
  id?: string;
  owner: Owner;
  secret: string;
  note?: string | null;
}
`,
  );
});

test('names are valid and unique, whatever the document contains', async (t) => {
  const types = typesOf(`
string: { type: string }
String: { type: string }
my-plant: { type: object, properties: { a-b: { $ref: '#/components/schemas/my.plant' }, __proto__: {}, class: {} } }
my.plant: { type: object }
"2nd": { type: number }
植物: { type: integer }
Garden: { type: boolean }
any: { enum: ["it's", "a \\\\ b", "\\n", 9223372036854775807, -0.5, [1, { a: null }]] }
`);
  const exported = [...types.matchAll(/export (?:interface|type) (\S+)/g)].map(([, name]) => name);
  t.deepEqual([...exported].sort(), [
    'Any',
    'Garden',
    'GardenApi',
    'MyPlant',
    'MyPlant2',
    'String',
    'String2',
    'Type',
    'Type2nd',
  ]);
  const sample = `
import type { Any } from './garden.d.ts';
export const any: Any[] = ["it's", 'a \\\\ b', '\\n', 9223372036854775807n, -0.5, [1, { a: null }]];
// @ts-expect-error no other
export const other: Any = 'its';
`;
  t.is(await compile(t, { 'garden.d.ts': types, 'sample.ts': sample }), '');
});

test('the valid part of a document has types', (t) => {
  const text = `
openapi: 3.1.0
info: { title: Half, version: '1' }
paths:
  /whole: { get: { operationId: whole, responses: { '200': { description: ok } } } }
  /broken: { get: { operationId: broken, responses: { '200': { $ref: '#/components/responses/None' } } } }
components:
  schemas:
    Lost: { type: object, properties: { a: { $ref: '#/components/schemas/None' } } }
`;
  const contract = new Contract(parseDocument('half.yaml', text));
  const types = writeTypes(contract, { collections: [], fixtures: [] });
  t.regex(types, /whole: WholeOperation;/);
  t.notRegex(types, /broken/i);
  t.regex(types, /export interface Lost \{\n {2}a\?: unknown;\n\}/);
});

test('coldframe types prints the types, or writes them to a file', async (t) => {
  const printed = await run(t, ['types']);
  t.is(printed.code, 0, printed.stderr);
  t.regex(printed.stdout, /export interface PlantStore \{/);
  t.regex(printed.stdout, /fixtures:\n(?: {4}\| '.*'\n)* {4}\| 'slow-api'\n/);
  const folder = await createFolder(t);
  const written = await run(t, ['types', plantStore, '--out', 'store.d.ts'], { folder });
  t.deepEqual([written.code, written.stdout, written.stderr], [0, '', '']);
  const sample = `import type { PlantStore } from '${join(folder, 'store.d.ts')}';\nexport type Names = PlantStore['fixtures'];\n`;
  t.is(await compile(t, { 'sample.ts': sample }), '');
  const below = await run(t, ['types', '--out', join(folder, 'new/store.d.ts')]);
  t.is(below.code, 0, below.stderr);
  const lost = await run(t, ['types', '--out', join(folder, 'store.d.ts/store.d.ts')]);
  t.is(lost.code, 1);
  t.regex(lost.stderr, /^coldframe: E[A-Z]+: .*; choose another file with --out\n$/);
});
