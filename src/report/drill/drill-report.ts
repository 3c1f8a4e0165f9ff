import { stringifyJson } from '../../base/json/stringify.ts';
import { toJson } from '../../base/json/to-json.ts';
import { formatJunit, type JunitCase } from '../junit.ts';
import { titleOf } from './failures.ts';
import { type DrillReport, findBroken, hasFailed, isBad, type TrialResult } from './run-drill.ts';
import { describeEnding, lastLines } from './text.ts';

/** Formats a drill as JSON, for programs. */
export function formatDrillJson({ command, baseline, results, uncalled }: DrillReport): string {
  const bad = results.filter(isBad).length;
  const names = uncalled.map(({ name }) => name);
  return `${stringifyJson(toJson({ command, baseline, failures: results, bad, uncalled: names }))}\n`;
}

/** Formats a drill as JUnit XML: a test for each failure. */
export function formatDrillJunit({ command, baseline, results, uncalled }: DrillReport): string {
  const unmet: readonly JunitCase[] = uncalled.map((trial) => {
    return { name: titleOf(trial), skipped: 'the command does not call the operation' };
  });
  const cases = [...[baseline, ...results].map(toCase), ...unmet];
  return formatJunit('coldframe drill', [{ name: command, cases }]);
}

function toCase(result: TrialResult): JunitCase {
  const { hits, excuse, output } = result;
  const name = titleOf(result);
  if (isBad(result)) {
    const broken = findBroken(result);
    const reasons = broken.map(({ rule, reason }) => `${rule} is broken: ${reason}`);
    const lost = hasFailed(result) ? [describeEnding(result), ...lastLines(output)] : [];
    const [message = ''] = [...lost, ...reasons];
    const type = lost.length > 0 ? result.result : (broken[0]?.rule ?? '');
    return { name, failure: { type, message, text: [...reasons, ...lost].join('\n') } };
  }
  if (result.result === 'failed') return { name, output: `The command may fail: ${excuse}` };
  return hits === 0 && result.name !== 'baseline' ? { name, skipped: NOT_MET } : { name };
}

const NOT_MET = 'the command sent no request on which the failure acts';
