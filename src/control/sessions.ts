import type { Awaitable } from '../base/awaitable.ts';
import { toInstant } from '../base/clock.ts';
import { getMember, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { validationLevels } from '../request/validate.ts';
import { type EditableSession, type SessionSnapshot, sessionParts } from '../session/session.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
  NO_CONTENT,
  unknownName,
} from './call.ts';
import { describeClock, setClock } from './clock.ts';
import { listOf, textOf } from './members.ts';
import { countResources } from './state/read-state.ts';

export const sessionOperations: ControlOperations = {
  /** Lists the default session first, then the others, the last used first. */
  async listSessions(call) {
    const { sessions } = call.settings;
    const listed = await sessions.list(call.number('limit') ?? MOST_LISTED);
    const described = await Promise.all(listed.map(describeSession));
    return jsonResponse({ sessions: described, total: await sessions.count() });
  },
  async removeSessions(call) {
    await call.settings.sessions.dropAll();
    return NO_CONTENT;
  },
  getSession: async (call) => jsonResponse(await describeSession(await findSession(call))),
  async putSession(call) {
    const id = call.path('id');
    const isNew = (await call.settings.sessions.find(id)) === undefined;
    const seed = readSeed(getMember(call.members, 'seed'));
    const session = await replaceSession(call, id, seed, (made) => {
      setClock(made.clock, call.members);
      setValidation(made, call.members);
    });
    return jsonResponse(await describeSession(session), isNew ? 201 : 200);
  },
  async removeSession(call) {
    await call.settings.sessions.drop(call.path('id'));
    return NO_CONTENT;
  },
  async forkSession(call) {
    const source = await findSession(call);
    const name = textOf(call.members, 'snapshot');
    if (name !== undefined) findSnapshot(source, name);
    const to = textOf(call.members, 'to') ?? '';
    if (to === source.id) {
      throw new Problem('INVALID_REQUEST', 'body/to must differ from the session in the path');
    }
    const fork = await replaceSession(call, to, undefined, (made) => made.copyFrom(source, name));
    return jsonResponse(await describeSession(fork), 201);
  },
  async resetSession(call) {
    const only = listOf(call.members, 'only');
    const parts =
      only === undefined ? sessionParts : sessionParts.filter((part) => only.includes(part));
    await call.session.reset(parts);
    return call.publish('reset', { parts: [...parts] });
  },
  getValidation: answerValidation,
  setValidation(call) {
    setValidation(call.session, call.members);
    return answerValidation(call);
  },
};

function answerValidation({ session, settings }: ControlCall): ControlResponse {
  return jsonResponse({ validate: session.validate ?? settings.settings['validate'] ?? null });
}

/** Sets the level of a session to that of the body; without one, the setting of the mock applies. */
function setValidation(session: EditableSession, members: JsonObject): void {
  const name = textOf(members, 'validate');
  session.validate = validationLevels.find((level) => level === name);
}

const MOST_LISTED = 100;

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

async function findSession(call: ControlCall): Promise<EditableSession> {
  const id = call.path('id');
  const session = await call.settings.sessions.find(id);
  if (session === undefined) {
    throw new Problem('UNKNOWN_SESSION', `there is no session ${JSON.stringify(id)}`);
  }
  return session;
}

/** Replaces a session; the default session cannot be dropped, so it is reset. */
async function replaceSession(
  { settings: { sessions } }: ControlCall,
  id: string,
  seed: string | undefined,
  change: (session: EditableSession) => Awaitable<void>,
): Promise<EditableSession> {
  await sessions.drop(id);
  const session = await sessions.create(id, seed);
  await change(session);
  if (await session.save()) return session;
  throw new Problem('STATE_BUSY', `other clients keep changing the session ${id}; try again`);
}

function readSeed(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

export const snapshotOperations: ControlOperations = {
  async listSnapshots({ session }) {
    const names = [...session.snapshots.keys()];
    const snapshots = names.map((name) => describeSnapshot(session, name));
    return jsonResponse({ snapshots: await Promise.all(snapshots) });
  },
  getSnapshot: async (call) =>
    jsonResponse(await describeSnapshot(call.session, call.path('name'))),
  async takeSnapshot(call) {
    const { session } = call;
    const name = call.path('name');
    const isNew = !session.snapshots.has(name);
    if ((await session.takeSnapshot(name)) === undefined) {
      throw new Problem('TOO_MANY_KEPT', 'the session has too many snapshots; remove some');
    }
    const response = jsonResponse(await describeSnapshot(session, name), isNew ? 201 : 200);
    return call.publish('snapshot', { name, change: 'taken' }, response);
  },
  async removeSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.removeSnapshot(name);
    return call.publish('snapshot', { name, change: 'removed' });
  },
  async restoreSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.copyFrom(call.session, name);
    return call.publish('snapshot', { name, change: 'restored' });
  },
};

function findSnapshot({ snapshots }: EditableSession, name: string): SessionSnapshot {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  throw unknownName('UNKNOWN_SNAPSHOT', 'snapshot', name, snapshots.keys());
}

async function describeSnapshot(session: EditableSession, name: string): Promise<JsonObject> {
  const { takenAt } = findSnapshot(session, name);
  const resources = await countResources(await session.openSnapshot(name));
  return { name, takenAt: toInstant(takenAt), resources };
}
