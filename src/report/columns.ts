/**
 * Returns rows of texts as lines in columns.
 *
 * @param indent before each line
 * @param dress changes a cell that has its width already, such as its color
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  indent = '',
  dress: (cell: string, column: number) => string = (cell) => cell,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => {
        const isLast = index === row.length - 1;
        return dress(isLast ? cell : cell.padEnd(widths[index] ?? 0), index);
      });
      return `${indent}${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}
