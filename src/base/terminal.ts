/** Codes of a terminal's colors and styles (ECMA-48 §8.3.117). */
const CODES = { bold: 1, dim: 2, underlined: 4, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Returns a text in a color, or as it is where the reader shows none. */
export type Paint = (color: keyof typeof CODES, text: string) => string;

export function createPaint(hasColor: boolean): Paint {
  return (color, text) => (hasColor ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text);
}

/** Visible characters of ASCII, which most texts have alone. */
const PLAIN = /^[ -~]*$/;

/** Escapes controls: foreign text must not move the cursor of a terminal or fake a line (CWE-117). */
export function escapeControls(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}

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
