import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { load } from '../../src/assemble/load.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import type { Change } from '../../src/state/store.ts';
import { createFolder } from '../support/folder.ts';
import { GARDEN } from '../support/garden.ts';
import { fc } from '../support/properties.ts';

interface Garden {
  readonly mock: Mock;
  readonly folder: string;
}

/** A mock of the garden, with these fixture files. */
async function open(
  t: ExecutionContext,
  files: Readonly<Record<string, string>> = {},
  options: MockOptions = {},
): Promise<Garden> {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN, ...files });
  const fixtures = Object.keys(files).map((name) => join(folder, name));
  const mock = await createMock({ document: join(folder, 'garden.yaml'), fixtures, ...options });
  t.teardown(() => mock.close());
  return { mock, folder };
}

async function ask(mock: Mock, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await mock.fetch(path, { headers });
  return { status: response.status, value: (await response.json()) as JsonValue };
}

for (const [fault, text, place, message] of [
  ['of no resource', 'resources: { trees: [] }', '1:14', /no resource "trees".*gardens, .*me/s],
  ['that is no list', 'resources: { plants: { id: 1, name: Fern } }', '1:22', /must be a list/],
  ['of many where there is one', 'resources: { me: [] }', '1:18', /must be an object: there is/],
  ['that breaks its schema', 'resources: { plants: [{ id: 1 }] }', '1:23', /plants\/0\/name is/],
  ['with a wrong key', 'resources: { plants: [{ id: a, name: b }] }', '1:29', /must be an int64/],
  ['that is no object', 'resources: { plants: [7] }', '1:23', /plants\/0 must be an object/],
  [
    'twice',
    'resources: { plants: [{ id: 1, name: a }, { id: 1.0, name: b }] }',
    '1:43',
    /key 1 al/,
  ],
  [
    'of a wrong member',
    'resources: { gardens/1/beds: [{ size: 99 }] }',
    '1:39',
    /at most 9, got 99/,
  ],
  ['that is no object at all', 'resources: 7', '1:12', /resources must be an object/],
] as const) {
  test(`a seed ${fault} prevents the start and is reported with its position`, async (t) => {
    const folder = await createFolder(t, { 'garden.yaml': GARDEN, 'seed.yaml': text });
    const [document, file] = [join(folder, 'garden.yaml'), join(folder, 'seed.yaml')];
    const error = await t.throwsAsync(createMock({ document, fixtures: [file] }), {
      instanceOf: DiagnosticError,
      message,
    });
    t.true(error.message.startsWith(`${file}:${place} error: `), error.message);
  });
}

test('several files add up, and a key in two of them is reported', async (t) => {
  const one = 'resources: { plants: [{ id: 1, name: Fern }, { name: Ivy }] }';
  const two = 'resources: { plants: [{ id: 2, name: Moss }] }';
  const { mock } = await open(t, { 'a.yaml': one, 'b.yaml': two });
  t.deepEqual((await ask(mock, '/plants')).value, [
    { id: 1, name: 'Fern' },
    { id: 3, name: 'Ivy' },
    { id: 2, name: 'Moss' },
  ]);
  await t.throwsAsync(open(t, { 'a.yaml': one, 'b.yaml': one }), {
    instanceOf: DiagnosticError,
    message: /b\.yaml:1:23 error: plants has a resource with the key 1 already/,
  });
});

test('a file can have rules and resources', async (t) => {
  const text = `resources: { plants: [{ id: 1, name: Fern }] }
rules: [{ name: slow, enabled: false, answer: { fixedDelayMilliseconds: 5 } }]`;
  const { mock } = await open(t, { 'a.yaml': text });
  t.deepEqual(
    mock.fixtures.map(({ name }) => name),
    ['slow'],
  );
  t.is((await ask(mock, '/plants/1')).status, 200);
});

test('a running mock accepts resources as state, not as fixtures', async (t) => {
  const { mock } = await open(t);
  const body = '{"rules":[],"resources":{"plants":[]}}';
  const headers = { 'content-type': 'application/json' };
  const response = await mock.fetch('/__admin/fixtures', { method: 'POST', headers, body });
  t.is(response.status, 422);
  t.regex(await response.text(), /PUT \/__admin\/state/);
});

test('sessions start with saved seeds, and invalid ones change nothing', async (t) => {
  const seedOf = (name: string): string => `resources: { plants: [{ id: 1, name: ${name} }] }`;
  const { mock, folder } = await open(t, { 'a.yaml': seedOf('Fern') });
  const nameIn = async (session: string): Promise<JsonValue> =>
    (await ask(mock, '/plants/1', { 'Mock-Session': session })).value;
  t.deepEqual(await nameIn('before'), { id: 1, name: 'Fern' });
  await writeFile(join(folder, 'a.yaml'), seedOf('Ivy'));
  await mock.reload();
  t.deepEqual(await nameIn('before'), { id: 1, name: 'Fern' });
  t.deepEqual(await nameIn('after'), { id: 1, name: 'Ivy' });
  await writeFile(join(folder, 'a.yaml'), 'resources: { plants: [{ id: 1 }] }');
  await t.throwsAsync(mock.reload(), { instanceOf: DiagnosticError });
  t.deepEqual(await nameIn('later'), { id: 1, name: 'Ivy' });
});

/** The resources by the names of their places. */
type Places = ReadonlyMap<string, readonly JsonObject[]>;

async function populate(
  document: string,
  seed: string,
  count: number,
  fixtures: readonly string[] = [],
): Promise<Places> {
  const { beginning } = await load({ document, fixtures, fixture: [], populate: count, seed });
  const places = new Map<string, JsonObject[]>();
  for (const { collection, resource } of (await beginning()) as readonly Change[]) {
    if (resource === undefined) continue;
    places.set(collection, [...(places.get(collection) ?? []), resource]);
  }
  return places;
}

/** @returns what is not as it must be */
function findLoose(places: Places, count: number): readonly string[] {
  const idsOf = (place: string) => (places.get(place) ?? []).map(({ id }) => id);
  const [gardens, plants] = [idsOf('gardens'), idsOf('plants')];
  const loose: string[] = [];
  const claim = (isSo: boolean, what: string) => isSo || loose.push(what);
  claim(gardens.length === count && plants.length === count, 'there are not so many');
  for (const { id, favouritePlantId = 1, plantIds = [] } of places.get('gardens') ?? []) {
    const meant = [favouritePlantId, plantIds].flat();
    claim(
      meant.every((one) => plants.includes(one)),
      `plants of garden ${String(id)}`,
    );
  }
  for (const { id, gardenId = 1, parentId = null } of places.get('plants') ?? []) {
    claim(gardens.includes(gardenId), `garden of plant ${String(id)}`);
    const isBefore = parentId === null || Number(parentId) < Number(id);
    claim(id === 1 || isBefore, `parent of plant ${String(id)}`);
  }
  const named = (places.get('plants') ?? []).map(({ id, name }) =>
    stringifyJson({ id: id ?? null, name: name ?? null }),
  );
  for (const place of [...places.keys()].filter((name) => name.endsWith('/beds'))) {
    claim(
      gardens.some((id) => place === `gardens/${String(id)}/beds`),
      place,
    );
    for (const { plant } of places.get(place) ?? []) {
      claim(plant === undefined || named.includes(stringifyJson(plant)), `plant in ${place}`);
    }
  }
  return loose;
}

test('generated resources reference existing keys for any random seed', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const document = join(folder, 'garden.yaml');
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(fc.string(), fc.integer({ min: 1, max: 8 }), async (seed, count) => {
        assert.deepEqual(findLoose(await populate(document, seed, count), count), []);
      }),
      { numRuns: 25 },
    ),
  );
});

test('the same random seed generates the same resources, another seed different ones', async (t) => {
  const folder = await createFolder(t, { 'garden.yaml': GARDEN });
  const document = join(folder, 'garden.yaml');
  const [one, same, other] = await Promise.all([
    populate(document, 'a', 5),
    populate(document, 'a', 5),
    populate(document, 'b', 5),
  ]);
  t.deepEqual(one, same);
  t.notDeepEqual(one, other);
});

test('resources of files count for populate, stay unchanged and are referenced', async (t) => {
  const seed = 'resources: { gardens: [{ id: 77, name: Kew }, { id: 1, name: Eden }] }';
  const folder = await createFolder(t, { 'garden.yaml': GARDEN, 'seed.yaml': seed });
  const places = await populate(join(folder, 'garden.yaml'), 'a', 4, [join(folder, 'seed.yaml')]);
  const gardens = places.get('gardens') ?? [];
  t.deepEqual(gardens.slice(0, 2), [
    { id: 77, name: 'Kew' },
    { id: 1, name: 'Eden' },
  ]);
  t.deepEqual(
    gardens.map(({ id }) => id),
    [77, 1, 2, 3],
  );
  t.deepEqual(
    [...places.keys()].filter((name) => name.endsWith('/beds')).sort(),
    [1, 2, 3, 77].map((id) => `gardens/${id}/beds`),
  );
});

test('generated resources are listed, read and replaced unchanged', async (t) => {
  const { mock } = await open(t, {}, { populate: 12 });
  const { value } = await ask(mock, '/plants');
  const plants = value as readonly JsonObject[];
  t.is(plants.length, 12);
  for (const plant of plants) t.deepEqual((await ask(mock, `/plants/${plant['id']}`)).value, plant);
  const whole = await ask(mock, '/__admin/state');
  const put = await mock.fetch('/__admin/state', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(whole.value),
  });
  t.is(put.status, 200);
  t.deepEqual(await put.json(), whole.value);
});

test('a resource that is created beside generated ones gets a free key', async (t) => {
  const { mock } = await open(t, {}, { populate: 3 });
  const response = await mock.fetch('/plants', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Fern"}',
  });
  t.is(response.status, 201);
  t.like(await response.json(), { id: 4, name: 'Fern' });
});

const NOTES = `
openapi: 3.1.0
info: { title: Notes, version: "1" }
paths:
  /users: { get: { responses: { "200": { $ref: "#/components/responses/Users" } } } }
  /users/{userId}: { parameters: [{ $ref: "#/components/parameters/userId" }], get: { responses: { "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } } } } }
  /teams: { get: { responses: { "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Team" } } } } } } } }
  /teams/{teamId}: { parameters: [{ name: teamId, in: path, required: true, schema: { type: string, format: uuid } }], get: { responses: { "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/Team" } } } } } } }
  /notes: { get: { responses: { "200": { $ref: "#/components/responses/Notes" } } } }
components:
  parameters: { userId: { name: userId, in: path, required: true, schema: { type: string, format: uuid } } }
  responses:
    Users: { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/User" } } } } }
    Notes: { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } } } }
  schemas:
    Team: { type: object, required: [id, name], properties: { id: { type: string, format: uuid }, name: { type: string } } }
    User: { type: object, required: [id, name, teamId], properties: { id: { type: string, format: uuid }, name: { type: string }, teamId: { type: string, format: uuid } } }
    Note: { type: object, required: [id, userId, user], properties: { id: { type: string, format: uuid }, userId: { type: string, format: uuid }, user: { $ref: "#/components/schemas/User" } } }
`;

test('references name resources that nobody has read yet, whatever is read first', async (t) => {
  const document = join(await createFolder(t, { 'notes.yaml': NOTES }), 'notes.yaml');
  const read = async (paths: readonly string[]) => {
    const mock = await createMock({ document });
    t.teardown(() => mock.close());
    const found = new Map<string, JsonObject[]>();
    for (const path of paths) {
      found.set(path, (await (await mock.fetch(path)).json()) as JsonObject[]);
    }
    return found;
  };
  const notesFirst = await read(['/notes', '/users', '/teams']);
  const users = notesFirst.get('/users') ?? [];
  const teams = notesFirst.get('/teams') ?? [];
  for (const { teamId } of users) t.true(teams.some(({ id }) => id === teamId));
  for (const { userId, user } of notesFirst.get('/notes') ?? []) {
    t.true(users.some(({ id }) => id === userId));
    t.true(users.some((one) => stringifyJson(one) === stringifyJson(user ?? null)));
  }
  t.is(notesFirst.get('/notes')?.length, 3);
  t.deepEqual(notesFirst.get('/notes'), (await read(['/users', '/notes'])).get('/notes'));
  t.deepEqual(users, (await read(['/users'])).get('/users'));
});
