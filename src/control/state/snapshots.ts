import { toInstant } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { EditableSession, SessionSnapshot } from '../../session/session.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
  NO_CONTENT,
  unknownName,
} from '../call.ts';
import { countResources } from './read-state.ts';

/** Operations on snapshots of the session. */
export const snapshotOperations: ControlOperations = {
  async listSnapshots({ session }) {
    const names = [...session.snapshots.keys()];
    const snapshots = names.map((name) => describeSnapshot(session, name));
    return jsonResponse({ snapshots: await Promise.all(snapshots) });
  },
  getSnapshot: async (call) =>
    jsonResponse(await describeSnapshot(call.session, call.path('name'))),
  takeSnapshot,
  async removeSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.removeSnapshot(name);
    return publishChange(call, 'removed');
  },
  async restoreSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    await call.session.copyFrom(call.session, name);
    return publishChange(call, 'restored');
  },
};

/** @throws {Problem} TOO_MANY_KEPT */
async function takeSnapshot(call: ControlCall): Promise<ControlResponse> {
  const { session } = call;
  const name = call.path('name');
  const isNew = !session.snapshots.has(name);
  if ((await session.takeSnapshot(name)) === undefined) {
    throw new Problem('TOO_MANY_KEPT', 'the session has too many snapshots; remove some');
  }
  const described = await describeSnapshot(session, name);
  return publishChange(call, 'taken', jsonResponse(described, isNew ? 201 : 200));
}

/** @throws {Problem} UNKNOWN_SNAPSHOT */
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

function publishChange(
  call: ControlCall,
  change: 'taken' | 'removed' | 'restored',
  answer: ControlResponse = NO_CONTENT,
): ControlResponse {
  const name = call.path('name');
  call.publish('snapshot', () => ({ name, change }));
  return answer;
}
