import type { Contract } from '../contract/contract.ts';
import { createFinding, type Finding, type Inspector } from './finding.ts';

/** Finds operations that declare no response, or no success. */
export function createResponseInspector({ document }: Contract): Inspector {
  return {
    *inspect({ method, path, pointer, responses }): Generator<Finding> {
      const { success } = responses;
      if (success === undefined) {
        const what = responses.all.length === 0 ? 'no response' : 'no response but of 1xx';
        const message = `${method} ${path} declares ${what}: a valid request is answered by 200 without content`;
        yield createFinding(document, 'missing-response', pointer, message);
      } else if (success.status >= 400) {
        const message = `${method} ${path} declares no success: a valid request is answered by ${success.status}`;
        yield createFinding(document, 'missing-success', `${pointer}/responses`, message);
      }
    },
  };
}
