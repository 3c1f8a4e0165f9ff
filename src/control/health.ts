import { Problem } from '../base/problem.ts';
import { answerJson, type ControlAnswer, type ControlSettings } from './call.ts';
import { ROOT } from './control-target.ts';

const READY = `${ROOT}/health/ready`;

/**
 * Says that it runs, and what it serves.
 *
 * @throws {Problem} where it was asked whether it is ready: CLOSING when it is about to end,
 *   STORE_UNAVAILABLE when its state cannot be reached
 */
export async function answerHealth(
  path: string,
  { serving, sessions, closing }: ControlSettings,
): Promise<ControlAnswer> {
  if (path === READY) {
    if (closing.aborted) throw new Problem('CLOSING', 'it answers what has begun, and ends');
    await checkStore(sessions);
  }
  const { contract } = serving();
  return answerJson({
    status: 'ok',
    document: { title: contract.title, version: contract.version },
    operations: contract.operations.length,
  });
}

/** Whatever keeps it from being used: for whoever asks, it is not there. */
async function checkStore(sessions: ControlSettings['sessions']): Promise<void> {
  try {
    await sessions.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('STORE_UNAVAILABLE', reason, { cause: error });
  }
}
