import { toInstant } from '../clock.ts';
import type { JsonObject } from '../json/value.ts';
import { Problem } from '../problem.ts';
import type { Session, SessionSnapshot } from '../session.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from './call.ts';
import { countResources } from './count-resources.ts';

/** The session as it was. */
export const snapshotOperations: ControlOperations = {
  listSnapshots: ({ session }) =>
    answerJson({
      snapshots: [...session.snapshots].map(([name, snapshot]) => describeSnapshot(name, snapshot)),
    }),
  getSnapshot(call) {
    const name = call.path('name');
    return answerJson(describeSnapshot(name, findSnapshot(call.session, name)));
  },
  takeSnapshot,
  removeSnapshot(call) {
    const name = call.path('name');
    findSnapshot(call.session, name);
    call.session.forgetSnapshot(name);
    return told(call, 'removed');
  },
  restoreSnapshot(call) {
    call.session.restore(findSnapshot(call.session, call.path('name')));
    return told(call, 'restored');
  },
};

/** @throws {Problem} TOO_MANY_KEPT */
function takeSnapshot(call: ControlCall): ControlAnswer {
  const { session } = call;
  const name = call.path('name');
  const isNew = !session.snapshots.has(name);
  const snapshot = session.snapshot();
  if (!session.keepSnapshot(name, snapshot)) {
    throw new Problem('TOO_MANY_KEPT', 'the session has as many snapshots as it may; remove some');
  }
  return told(call, 'taken', answerJson(describeSnapshot(name, snapshot), isNew ? 201 : 200));
}

/** @throws {Problem} UNKNOWN_SNAPSHOT */
export function findSnapshot({ snapshots }: Session, name: string): SessionSnapshot {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  const names = [...snapshots.keys()].join(', ');
  throw new Problem(
    'UNKNOWN_SNAPSHOT',
    `the session has no snapshot ${JSON.stringify(name)}, ` +
      (names === '' ? 'it has none at all' : `it has ${names}`),
  );
}

function describeSnapshot(name: string, { takenAt, state }: SessionSnapshot): JsonObject {
  return { name, takenAt: toInstant(takenAt), resources: countResources(state) };
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
