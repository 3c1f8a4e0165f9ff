import type { Awaitable } from '../base/awaitable.ts';
import { getMember, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { type EditableSession, sessionParts } from '../session/session.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from './call.ts';
import { describeClock, setClock } from './clock.ts';
import { listOf, textOf } from './members.ts';
import { countResources } from './state/count-resources.ts';
import { findSnapshot } from './state/snapshots.ts';

/** Sessions, and the reset of one. */
export const sessionOperations: ControlOperations = {
  listSessions,
  async removeSessions(call) {
    await call.settings.sessions.dropAll();
    return DONE;
  },
  getSession: async (call) => answerJson(await describeSession(await findSession(call))),
  putSession,
  async removeSession(call) {
    await call.settings.sessions.drop(call.path('id'));
    return DONE;
  },
  forkSession,
  resetSession,
};

const MOST_LISTED = 100;

/** The default one first, then those that were used last. */
async function listSessions(call: ControlCall): Promise<ControlAnswer> {
  const { sessions } = call.settings;
  const listed = await sessions.list(call.number('limit') ?? MOST_LISTED);
  const described = await Promise.all(listed.map(describeSession));
  return answerJson({ sessions: described, total: await sessions.count() });
}

async function describeSession(session: EditableSession): Promise<JsonObject> {
  const { id, seed, calls, clock, journal, state, snapshots } = session;
  return {
    id,
    seed,
    calls,
    clock: describeClock(clock),
    journal: { exchanges: journal.size, dropped: journal.dropped },
    resources: await countResources(state),
    snapshots: [...snapshots.keys()],
  };
}

/** @throws {Problem} UNKNOWN_SESSION */
async function findSession(call: ControlCall): Promise<EditableSession> {
  const id = call.path('id');
  const session = await call.settings.sessions.find(id);
  if (session === undefined) {
    throw new Problem('UNKNOWN_SESSION', `there is no session ${JSON.stringify(id)}`);
  }
  return session;
}

/** @throws {Problem} INVALID_SESSION, and INVALID_REQUEST for a moment that cannot be */
async function putSession(call: ControlCall): Promise<ControlAnswer> {
  const id = call.path('id');
  const isNew = (await call.settings.sessions.find(id)) === undefined;
  const seed = readSeed(getMember(call.members, 'seed'));
  const session = await makeAnew(call, id, seed, (made) => setClock(made.clock, call.members));
  return answerJson(await describeSession(session), isNew ? 201 : 200);
}

/** @throws {Problem} UNKNOWN_SESSION or UNKNOWN_SNAPSHOT */
async function forkSession(call: ControlCall): Promise<ControlAnswer> {
  const source = await findSession(call);
  const name = textOf(call.members, 'snapshot');
  if (name !== undefined) findSnapshot(source, name);
  const to = textOf(call.members, 'to') ?? '';
  if (to === source.id) {
    throw new Problem(
      'INVALID_REQUEST',
      'body/to must be another session than the one of the path',
    );
  }
  const fork = await makeAnew(call, to, undefined, (made) => made.takeOver(source, name));
  return answerJson(await describeSession(fork), 201);
}

/** The default session cannot be dropped: it begins anew. */
async function makeAnew(
  { settings: { sessions } }: ControlCall,
  id: string,
  seed: string | undefined,
  change: (session: EditableSession) => Awaitable<void>,
): Promise<EditableSession> {
  await sessions.drop(id);
  const session = await sessions.create(id, seed);
  await change(session);
  if (await session.save()) return session;
  throw new Problem('STATE_BUSY', `the session ${id} is being changed by others; try again`);
}

function readSeed(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

async function resetSession(call: ControlCall): Promise<ControlAnswer> {
  const only = listOf(call.members, 'only');
  const parts =
    only === undefined ? sessionParts : sessionParts.filter((part) => only.includes(part));
  await call.session.reset(parts);
  call.publish('reset', () => ({ parts: [...parts] }));
  return DONE;
}
