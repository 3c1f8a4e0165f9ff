import { createPaint, escapeControls, type Paint } from '../../base/terminal.ts';
import type { Coverage } from '../../client/coverage.ts';
import { alignColumns } from '../columns.ts';
import { findMissing, listShares, type MissingGroup, titleOf, titleOfReport } from './missing.ts';

export interface TextOptions {
  readonly hasColor: boolean;
  /** True shows every item; otherwise the most important ones, and how many others there are. */
  readonly showsAll: boolean;
}

/** More items of a group fill the screen. */
const MOST_SHOWN = 12;

/** Formats coverage as text: sums, then what is missing with a line of code that covers it. */
export function formatCoverageText(coverage: Coverage, options: TextOptions): string {
  const paint = createPaint(options.hasColor);
  const missing = findMissing(coverage);
  const isFolded = ({ group }: MissingGroup): boolean =>
    !options.showsAll && group !== 'errors' && group !== 'operations';
  const files = coverage.documents.map(({ file }) => file).join(', ');
  return [
    `${paint('bold', escapeControls(titleOfReport(coverage)))}  ${paint('dim', escapeControls(files))}\n\n`,
    formatSums(coverage, paint),
    ...missing.filter((one) => !isFolded(one)).map((one) => formatGroup(one, options, paint)),
    formatFolded(missing.filter(isFolded), paint),
  ].join('');
}

function formatSums(coverage: Coverage, paint: Paint): string {
  const rows = listShares(coverage).map(({ group, title, share, percent }) => {
    return [group, share, `${percent} %`.padStart(PERCENT_WIDTH), drawBar(percent), title];
  });
  return alignColumns(rows, '  ', (cell, column) => {
    if (column === 4) return paint('dim', cell);
    return column === 3 ? paint(colorOf(cell), cell) : cell;
  });
}

const PERCENT_WIDTH = '100 %'.length;

function colorOf(bar: string): 'green' | 'yellow' | 'red' {
  return bar.startsWith('█'.repeat(7)) ? 'green' : bar.startsWith('███') ? 'yellow' : 'red';
}

const BAR_WIDTH = 10;

function drawBar(percent: number): string {
  const filled = Math.floor((percent * BAR_WIDTH) / 100);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

function formatGroup({ title, items }: MissingGroup, options: TextOptions, paint: Paint): string {
  const shown = options.showsAll ? items : items.slice(0, MOST_SHOWN);
  const rows = shown.map(({ operation, name, group, file, line, code = '' }) =>
    [titleOf(operation), group === 'operations' ? [] : name, `${file}:${line}`, code]
      .flat()
      .filter((cell, index) => index > 0 || cell !== '')
      .map(escapeControls),
  );
  const last = Math.max(...rows.map((row) => row.length)) - 1;
  const dress = (cell: string, column: number): string =>
    column === last ? paint('cyan', cell) : column === last - 1 ? paint('dim', cell) : cell;
  const more = items.length - shown.length;
  const rest = more === 0 ? '' : `  ${paint('dim', `and ${more} more: --all shows them`)}\n`;
  return `\n${paint('bold', `${title}: ${items.length}`)}\n${alignColumns(rows, '  ', dress)}${rest}`;
}

function formatFolded(groups: readonly MissingGroup[], paint: Paint): string {
  if (groups.length === 0) return '';
  const lines = groups.map(({ title, items }) => `  ${title}: ${items.length}\n`).join('');
  return `\n${paint('bold', 'Less important')}  ${paint('dim', '--all shows each')}\n${lines}`;
}
