import { DEFAULT_SESSION } from '../http/session-id.ts';
import { getMember, type JsonObject, type JsonValue } from '../json/value.ts';
import { Problem } from '../problem.ts';
import { type Session, sessionParts } from '../session.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from './call.ts';
import { describeClock, setClock } from './clock.ts';
import { countResources } from './count-resources.ts';
import { listOf, textOf } from './members.ts';
import { findSnapshot } from './snapshots.ts';

/** Sessions, and the reset of one. */
export const sessionOperations: ControlOperations = {
  listSessions,
  removeSessions(call) {
    call.settings.sessions.dropAll();
    return DONE;
  },
  getSession: (call) => answerJson(describeSession(findSession(call))),
  putSession,
  removeSession(call) {
    call.settings.sessions.drop(call.path('id'));
    return DONE;
  },
  forkSession,
  resetSession,
};

const MOST_LISTED = 100;

/** The default one first, then those that were used last. */
function listSessions(call: ControlCall): ControlAnswer {
  const { sessions } = call.settings;
  const [first, ...others] = sessions.list();
  const all = first === undefined ? others : [first, ...others.reverse()];
  const listed = all.slice(0, call.number('limit') ?? MOST_LISTED);
  return answerJson({ sessions: listed.map(describeSession), total: sessions.size });
}

function describeSession(session: Session): JsonObject {
  const { id, seed, calls, clock, journal, state, snapshots } = session;
  return {
    id,
    seed,
    calls,
    clock: describeClock(clock),
    journal: { exchanges: journal.size, dropped: journal.dropped },
    resources: countResources(state),
    snapshots: [...snapshots.keys()],
  };
}

/** @throws {Problem} UNKNOWN_SESSION */
function findSession(call: ControlCall): Session {
  const id = call.path('id');
  const session = call.settings.sessions.find(id);
  if (session === undefined) {
    throw new Problem('UNKNOWN_SESSION', `there is no session ${JSON.stringify(id)}`);
  }
  return session;
}

/** @throws {Problem} INVALID_SESSION, and INVALID_REQUEST for a moment that cannot be */
function putSession(call: ControlCall): ControlAnswer {
  const id = call.path('id');
  const isNew = call.settings.sessions.find(id) === undefined;
  const session = makeAnew(call, id, readSeed(getMember(call.members, 'seed')));
  setClock(session.clock, call.members);
  return answerJson(describeSession(session), isNew ? 201 : 200);
}

/** @throws {Problem} UNKNOWN_SESSION or UNKNOWN_SNAPSHOT */
function forkSession(call: ControlCall): ControlAnswer {
  const source = findSession(call);
  const name = textOf(call.members, 'snapshot');
  const snapshot = name === undefined ? source.snapshot() : findSnapshot(source, name);
  const to = textOf(call.members, 'to') ?? '';
  if (to === source.id) {
    throw new Problem(
      'INVALID_REQUEST',
      'body/to must be another session than the one of the path',
    );
  }
  const fork = makeAnew(call, to, snapshot.seed);
  fork.restore(snapshot);
  return answerJson(describeSession(fork), 201);
}

/** The default session cannot be dropped: it begins anew. */
function makeAnew({ settings }: ControlCall, id: string, seed: string | undefined): Session {
  settings.sessions.drop(id);
  if (id !== DEFAULT_SESSION) return settings.sessions.create(id, seed);
  const session = settings.sessions.default;
  if (seed !== undefined) session.reseed(seed);
  return session;
}

function readSeed(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function resetSession(call: ControlCall): ControlAnswer {
  const only = listOf(call.members, 'only');
  const parts =
    only === undefined ? sessionParts : sessionParts.filter((part) => only.includes(part));
  call.session.reset(parts);
  call.publish('reset', () => ({ parts: [...parts] }));
  return DONE;
}
