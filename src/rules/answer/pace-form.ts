import type { Pace } from '../../delivery/pace.ts';
import type { FormReader } from '../form-reader.ts';
import { LONGEST_DELAY_MILLISECONDS } from './delay-form.ts';

/** Reads `chunkedDribbleDelay` and `bandwidth`, of which an answer has one. */
export function readPace(answer: FormReader): Pace | undefined {
  const dribble = answer.has('chunkedDribbleDelay')
    ? readDribble(answer.object('chunkedDribbleDelay'))
    : undefined;
  const bandwidth = answer.has('bandwidth') ? readBandwidth(answer.object('bandwidth')) : undefined;
  if (dribble !== undefined && bandwidth !== undefined) {
    answer.note('bandwidth', 'cannot stand beside chunkedDribbleDelay');
  }
  return dribble ?? bandwidth;
}

function readDribble(form: FormReader): Pace {
  form.require('numberOfChunks');
  form.require('totalDuration');
  const pieces = form.whole('numberOfChunks', { from: 1 }) ?? 1;
  const to = LONGEST_DELAY_MILLISECONDS;
  const milliseconds = form.whole('totalDuration', { from: 0, to }) ?? 0;
  form.refuseOthers();
  return { kind: 'dribble', pieces, milliseconds };
}

function readBandwidth(form: FormReader): Pace {
  form.require('bytesPerSecond');
  const bytesPerSecond = form.whole('bytesPerSecond', { from: 1 }) ?? 1;
  form.refuseOthers();
  return { kind: 'bandwidth', bytesPerSecond };
}
