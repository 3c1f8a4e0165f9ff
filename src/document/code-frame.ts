import { escapeControls } from '../base/terminal.ts';
import type { Position } from './diagnostic.ts';

/** Lines before the one with the fault. */
const LINES_BEFORE = 2;
const LONGEST_LINE = 120;

/** Returns the lines of a text that end at a position, with a mark below it. */
export function writeFrame(text: string, { line, column }: Position): string {
  const lines = text.split(/\r?\n/, line);
  const width = String(line).length;
  const first = Math.max(0, line - 1 - LINES_BEFORE);
  const shown = lines.slice(first).map((one, index) => {
    const number = String(first + index + 1).padStart(width);
    return `    ${number} | ${escapeControls(one.replaceAll('\t', ' ').slice(0, LONGEST_LINE))}`;
  });
  const mark = `    ${' '.repeat(width)} | ${' '.repeat(Math.min(column - 1, LONGEST_LINE))}^`;
  return [...shown, mark].join('\n');
}
