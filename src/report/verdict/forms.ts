import { alignColumns, createPaint, escapeControls } from '../../base/terminal.ts';
import { count } from '../../base/words.ts';
import type { RuleVerdict, Verdict } from '../../client/reports.ts';
import { formatJunit, type JunitCase } from '../junit.ts';

const RESULTS = ['broken', 'kept', 'undecided'] as const;
const COLORS = { broken: 'red', kept: 'green', undecided: 'dim' } as const;
/** More evidence of one rule is counted and not shown. */
const MOST_SHOWN = 5;

/** Formats a verdict for people: broken rules first, each with its evidence. */
export function formatVerdictText({ session, rules }: Verdict, hasColor: boolean): string {
  const paint = createPaint(hasColor);
  const sorted = RESULTS.flatMap((result) => rules.filter((rule) => rule.result === result));
  const rows = sorted.map(({ rule, result, reason }) => [result, rule, escapeControls(reason)]);
  const lines = alignColumns(rows, '', (cell, column) => {
    const color = COLORS[cell.trim() as keyof typeof COLORS];
    return column === 0 ? paint(color, cell) : cell;
  }).split('\n');
  const body = sorted.flatMap((rule, index) => [lines[index] ?? '', ...listEvidence(rule)]);
  const sums = RESULTS.map(
    (result) => `${rules.filter((one) => one.result === result).length} ${result}`,
  );
  const sum = `${count(rules.length, 'rule')} for the client of session ${session}: ${sums.join(', ')}`;
  return `${[...body, '', paint('bold', sum)].join('\n')}\n`;
}

function listEvidence({ evidence }: RuleVerdict): readonly string[] {
  const shown = evidence
    .slice(0, MOST_SHOWN)
    .flatMap(({ message, requests: [first], replay }) => [
      `    ${first === undefined ? '' : `${first.at}  `}${escapeControls(message)}`,
      `    Mock-Replay: ${escapeControls(replay)}`,
    ]);
  const more = evidence.length - MOST_SHOWN;
  return more > 0 ? [...shown, `    and ${count(more, 'other')}; --format json has all`] : shown;
}

/** Formats a verdict as JUnit XML: a broken rule has failed, an undecided one is skipped. */
export function formatVerdictJunit({ session, rules }: Verdict): string {
  const cases = rules.map((verdict): JunitCase => {
    const { rule: name, result, reason, evidence } = verdict;
    if (result === 'undecided') return { name, skipped: reason };
    if (result === 'kept') return { name, output: reason };
    const text = evidence
      .map(({ message, replay }) => `${message}\nMock-Replay: ${replay}`)
      .join('\n');
    return { name, failure: { type: 'broken', message: reason, text } };
  });
  return formatJunit('coldframe verdict', [{ name: `session ${session}`, cases }]);
}
