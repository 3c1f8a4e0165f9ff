import { toInstant } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { EditableSession, SessionSnapshot } from '../../session/session.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from '../call.ts';
import { countResources } from './count-resources.ts';

/** The session as it was. */
export const snapshotOperations: ControlOperations = {
  async listSnapshots({ session }) {
    const snapshots = [...session.snapshots].map(([name, one]) =>
      describeSnapshot(session, name, one),
    );
    return answerJson({ snapshots: await Promise.all(snapshots) });
  },
  async getSnapshot(call) {
    const name = call.path('name');
    const snapshot = findSnapshot(call.session, name);
    return answerJson(await describeSnapshot(call.session, name, snapshot));
  },
  takeSnapshot,
  async removeSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.forgetSnapshot(name);
    return told(call, 'removed');
  },
  async restoreSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.takeOver(call.session, name);
    return told(call, 'restored');
  },
};

/** @throws {Problem} TOO_MANY_KEPT */
async function takeSnapshot(call: ControlCall): Promise<ControlAnswer> {
  const { session } = call;
  const name = call.path('name');
  const isNew = !session.snapshots.has(name);
  const snapshot = await session.takeSnapshot(name);
  if (snapshot === undefined) {
    throw new Problem('TOO_MANY_KEPT', 'the session has as many snapshots as it may; remove some');
  }
  const described = await describeSnapshot(session, name, snapshot);
  return told(call, 'taken', answerJson(described, isNew ? 201 : 200));
}

/** @throws {Problem} UNKNOWN_SNAPSHOT */
export function findSnapshot({ snapshots }: EditableSession, name: string): SessionSnapshot {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  const names = [...snapshots.keys()].join(', ');
  throw new Problem(
    'UNKNOWN_SNAPSHOT',
    `the session has no snapshot ${JSON.stringify(name)}, ` +
      (names === '' ? 'it has none at all' : `it has ${names}`),
  );
}

async function describeSnapshot(
  session: EditableSession,
  name: string,
  { takenAt }: SessionSnapshot,
): Promise<JsonObject> {
  const resources = await countResources(await session.openSnapshot(name));
  return { name, takenAt: toInstant(takenAt), resources };
}

function told(
  call: ControlCall,
  change: 'taken' | 'removed' | 'restored',
  answer: ControlAnswer = DONE,
): ControlAnswer {
  const name = call.path('name');
  call.publish('snapshot', () => ({ name, change }));
  return answer;
}
