import { Problem } from '../../base/problem.ts';
import { answerJson, type ControlOperation, type ControlOperations } from '../call.ts';

/** What WireMock does and Coldframe does not, each refused with the reason. */
export const refusedOperations: ControlOperations = {
  saveStubMappings: refuse(
    'stub mappings are not written to files: what is to stay stands in a fixture file',
  ),
  shutDown: refuse('the server ends by a signal to its process, never by a request'),
  startRecording: refuse('nothing is proxied, so there is nothing to record'),
  stopRecording: refuse('nothing is proxied, so nothing is being recorded'),
  takeRecordingSnapshot: refuse('nothing is proxied, so there is nothing to make mappings of'),
  getRecordingStatus: () => answerJson({ status: 'NeverStarted' }),
};

function refuse(reason: string): ControlOperation {
  return () => {
    throw new Problem('NOT_SUPPORTED', reason);
  };
}
