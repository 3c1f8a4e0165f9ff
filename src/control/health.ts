import { Problem } from '../problem.ts';
import { answerJson, type ControlAnswer, type ControlSettings } from './call.ts';
import { ROOT } from './control-target.ts';

const READY = `${ROOT}/health/ready`;

/**
 * Says that it runs, and what it serves.
 *
 * @throws {Problem} CLOSING where it was asked whether it is ready, and it is about to end
 */
export function answerHealth(path: string, { serving, closing }: ControlSettings): ControlAnswer {
  if (path === READY && closing.aborted) {
    throw new Problem('CLOSING', 'it answers what has begun, and ends');
  }
  const { contract } = serving();
  return answerJson({
    status: 'ok',
    document: { title: contract.title, version: contract.version },
    operations: contract.operations.length,
  });
}
