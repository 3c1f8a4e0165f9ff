import { Problem } from '../problem.ts';
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
    await sessions.check();
  }
  const { contract } = serving();
  return answerJson({
    status: 'ok',
    document: { title: contract.title, version: contract.version },
    operations: contract.operations.length,
  });
}
