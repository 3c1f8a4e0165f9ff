import { ratiosByRound, spreadOf } from './statistics.ts';

const absent = '–';

/** A Markdown table, padded so that it reads in a terminal too: first column left, others right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const [header, ...body] = rows;
  if (header === undefined) {
    return '';
  }
  const widths = header.map((_, column) => Math.max(...rows.map((row) => lengthAt(row, column))));
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [header, rule, ...body].map((row) => formatRow(row, widths)).join('\n');
}

function lengthAt(row: readonly string[], column: number): number {
  return row[column]?.length ?? 0;
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => {
    const cell = row[column] ?? '';
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return `| ${cells.join(' | ')} |`;
}

export function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

/** Median, range and ratio to the base: the three cells of one figure. */
export function formatFigure(
  values: readonly number[],
  baseValues: readonly number[] | undefined,
): readonly [median: string, range: string, ratio: string] {
  const spread = spreadOf(values);
  const ratio = spreadOf(ratiosByRound(values, baseValues));
  return [
    spread === undefined ? absent : formatNumber(spread.median),
    spread === undefined
      ? absent
      : `${formatNumber(spread.smallest)}–${formatNumber(spread.largest)}`,
    ratio === undefined ? absent : ratio.median.toFixed(2),
  ];
}
