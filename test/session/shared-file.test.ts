import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

interface HandClock {
  tick(milliseconds: number): void;
}

/** Returns two mocks on one file, as two processes have it, with clocks that a test moves. */
async function openTwo(
  t: ExecutionContext,
  settings: { sessionLimit?: number; sessionIdle?: number },
): Promise<readonly [Mock, Mock, HandClock]> {
  const store = `file:${join(await createFolder(t), 'coldframe.db')}`;
  let time = 0;
  const clock = { now: () => 0, monotonic: () => time, sleep: () => Promise.resolve() };
  const open = (): Promise<Mock> => createMock({ store, fixtures: [], clock, ...settings });
  const mocks = [await open(), await open()] as const;
  t.teardown(() => Promise.all(mocks.map((mock) => mock.close())));
  return [
    ...mocks,
    {
      tick: (by) => {
        time += by;
      },
    },
  ];
}

async function create(t: ExecutionContext, mock: Mock, session: string, id: number): Promise<void> {
  const request = createPlant({ id, name: `plant ${id}` });
  const headers = { ...(request.headers as Record<string, string>), 'mock-session': session };
  t.is((await mock.fetch('/plants', { ...request, headers })).status, 200);
}

async function readIds(mock: Mock, session: string): Promise<readonly number[]> {
  const headers = { 'mock-session': session };
  const response = await mock.fetch('/__admin/state/plants', { headers });
  return ((await response.json()) as { id: number }[]).map(({ id }) => id);
}

async function listSessions(mock: Mock): Promise<readonly string[]> {
  const response = await mock.fetch('/__admin/sessions');
  const { sessions } = (await response.json()) as { sessions: { id: string }[] };
  return sessions.map(({ id }) => id).sort();
}

test('a process drops no session that another one uses', async (t) => {
  const [first, second, clock] = await openTwo(t, { sessionIdle: 5 });
  await create(t, first, 'shared', 0);
  for (let id = 1; id <= 12; id++) {
    clock.tick(1_000);
    await create(t, second, 'shared', id);
    await create(t, first, 'other', id);
  }
  t.is((await readIds(second, 'shared')).length, 13);
  t.is((await readIds(first, 'shared')).length, 13);
});

test('reading is use as well', async (t) => {
  const [first, second, clock] = await openTwo(t, { sessionIdle: 5 });
  await create(t, first, 'shared', 0);
  for (let round = 0; round < 12; round++) {
    clock.tick(1_000);
    t.deepEqual(await readIds(second, 'shared'), [0]);
    await create(t, first, 'other', round);
  }
  t.deepEqual(await readIds(first, 'shared'), [0]);
});

test('a session that no process uses is dropped', async (t) => {
  const [first, second, clock] = await openTwo(t, { sessionIdle: 5 });
  await create(t, first, 'mine', 1);
  await create(t, second, 'yours', 1);
  for (let round = 0; round < 7; round++) {
    clock.tick(1_000);
    await create(t, first, 'other', round);
  }
  t.deepEqual(await listSessions(second), ['default', 'other']);
  t.deepEqual(await readIds(first, 'mine'), []);
});

test('the limit counts the sessions of all processes, and drops the least recently used', async (t) => {
  const [first, second, clock] = await openTwo(t, { sessionLimit: 3 });
  const creates = [
    [first, 'a'],
    [second, 'b'],
    [first, 'c'],
    [second, 'a'],
    [second, 'd'],
  ] as const;
  for (const [id, [mock, session]] of creates.entries()) {
    clock.tick(1_000);
    await create(t, mock, session, id);
  }
  for (const mock of [first, second]) {
    t.deepEqual(await listSessions(mock), ['a', 'c', 'd', 'default']);
  }
  t.is((await readIds(first, 'a')).length, 2);
  t.deepEqual(await readIds(second, 'b'), []);
});

test('each process knows the sessions and snapshots of the others', async (t) => {
  const [first, second] = await openTwo(t, {});
  await create(t, first, 'a', 1);
  const headers = { 'mock-session': 'a' };
  await first.fetch('/__admin/snapshots/one', { method: 'PUT', headers });
  t.deepEqual(await listSessions(second), ['a', 'default']);
  t.is((await second.fetch('/__admin/snapshots/one', { headers })).status, 200);
  t.is((await second.fetch('/__admin/sessions/a', { method: 'DELETE' })).status, 204);
  t.deepEqual(await listSessions(first), ['default']);
  t.is((await first.fetch('/__admin/sessions/a')).status, 404);
});

for (const session of ['default', 'a']) {
  test(`each process restores and removes snapshots that the other takes of the session ${session}`, async (t) => {
    const [first, second] = await openTwo(t, {});
    const headers = { 'mock-session': session };
    const call = async (mock: Mock, method: string, target: string): Promise<number> =>
      (await mock.fetch(`/__admin/${target}`, { method, headers })).status;
    const listed = async (mock: Mock): Promise<unknown> =>
      (
        (await (await mock.fetch(`/__admin/sessions/${session}`)).json()) as Record<string, unknown>
      )['snapshots'];
    await create(t, first, session, 1);
    // The other process uses the session before there is a snapshot.
    await create(t, second, session, 2);
    t.is(await call(first, 'PUT', 'snapshots/one'), 201);
    t.deepEqual(await listed(second), ['one']);
    await create(t, first, session, 3);
    t.is(await call(second, 'POST', 'snapshots/one/restore'), 204);
    t.deepEqual(await readIds(first, session), [1, 2]);
    t.is(await call(first, 'DELETE', 'snapshots/one'), 204);
    t.is(await call(second, 'POST', 'snapshots/one/restore'), 404);
    t.is(await call(second, 'GET', 'snapshots/one'), 404);
    t.deepEqual(await readIds(first, session), [1, 2]);
    t.is(await call(second, 'PUT', 'snapshots/two'), 201);
    t.is(await call(first, 'DELETE', `sessions/${session}`), 204);
    t.is(await call(second, 'POST', 'snapshots/two/restore'), session === 'default' ? 204 : 404);
  });
}
