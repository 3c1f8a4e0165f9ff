import { toInstant } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { EditableSession, SessionSnapshot } from '../../session/session.ts';
import { type ControlOperations, jsonResponse, unknownName } from '../call.ts';
import { countResources } from './read-state.ts';

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

export function findSnapshot({ snapshots }: EditableSession, name: string): SessionSnapshot {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  throw unknownName('UNKNOWN_SNAPSHOT', 'snapshot', name, snapshots.keys());
}

async function describeSnapshot(session: EditableSession, name: string): Promise<JsonObject> {
  const { takenAt } = findSnapshot(session, name);
  const resources = await countResources(await session.openSnapshot(name));
  return { name, takenAt: toInstant(takenAt), resources };
}
