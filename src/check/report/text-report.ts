import { createPaint, escapeControls, type Paint } from '../../base/terminal.ts';
import type { Finding } from '../finding.ts';
import { countOf, inWords, type Report } from './report.ts';

/** Formats each finding as a line that editors can parse, followed by its remedy. */
export function formatLines(report: Report): string {
  const { shown, hidden } = limit(report.findings);
  return shown.map(formatLine).join('') + hidden + summarize(report);
}

/** The most findings of one rule in one file: more would hide the others. */
const MOST_SHOWN = 20;

function limit(findings: readonly Finding[]) {
  const counts = new Map<string, number>();
  const shown = findings.filter(({ rule, file }) => {
    const key = `${rule} in ${file}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST_SHOWN;
  });
  const hidden = [...counts]
    .filter(([, count]) => count > MOST_SHOWN)
    .map(
      ([key, count]) =>
        `and ${count - MOST_SHOWN} more of ${escapeControls(key)}: --format json has them all\n`,
    );
  return { shown, hidden: hidden.join('') };
}

function formatLine({ file, position, severity, message, pointer, rule, remedy }: Finding): string {
  const where = pointer === '' ? '' : ` (${pointer})`;
  const what = `${file}:${position.line}:${position.column} ${severity}: ${message}${where}`;
  const how = remedy === undefined ? '' : `\n    ${remedy}`;
  return `${escapeControls(`${what} [${rule}]`)}${how}\n`;
}

/** Formats a table of findings by file, with position, severity and rule. */
export function formatTable(report: Report, hasColor: boolean): string {
  const paint = createPaint(hasColor);
  const { shown, hidden } = limit(report.findings);
  const files = [...new Set(shown.map(({ file }) => file))];
  const tables = files.map((file) => {
    const findings = shown.filter((finding) => finding.file === file);
    const rows = formatRows(findings, paint);
    return `${paint('underlined', escapeControls(file))}\n${rows}\n`;
  });
  const isGood = countOf(report, 'error') === 0;
  const closing = paint(isGood ? 'green' : 'red', summarize(report).trimEnd());
  return `${tables.join('')}${hidden}${closing}\n`;
}

function formatRows(findings: readonly Finding[], paint: Paint): string {
  const placeOf = ({ position: { line, column } }: Finding): string => `${line}:${column}`;
  const places = Math.max(...findings.map((finding) => placeOf(finding).length));
  const names = Math.max(...findings.map(({ rule }) => rule.length));
  const indent = ' '.repeat(places + names + SEVERITY_WIDTH + 8);
  let last: string | undefined;
  return findings
    .map((finding) => {
      const { severity, rule, message, remedy } = finding;
      const start = `  ${placeOf(finding).padStart(places)}  `;
      const kind = paint(COLORS[severity], severity.padEnd(SEVERITY_WIDTH));
      const row = `${start}${kind}  ${paint('dim', rule.padEnd(names))}  ${escapeControls(message)}\n`;
      // A message of the row above is not repeated.
      const isNews = remedy !== undefined && remedy !== last;
      last = remedy;
      return isNews ? `${row}${indent}${paint('dim', remedy)}\n` : row;
    })
    .join('');
}

const COLORS = { error: 'red', warning: 'yellow', note: 'cyan' } as const;
const SEVERITY_WIDTH = 'warning'.length;

/** Returns the last line: the number of findings, and of operations that are served. */
function summarize(report: Report): string {
  const { documents, operations, fixtures } = report;
  const errors = countOf(report, 'error');
  const warnings = countOf(report, 'warning');
  const notes = countOf(report, 'note');
  const noted = notes === 0 ? '' : `, ${inWords(notes, 'note')}`;
  if (errors + warnings === 0) {
    const what = `${inWords(operations.length, 'operation')}, ${inWords(fixtures, 'failure fixture')}`;
    return `${documents.join(', ')}: nothing is wrong (${what})${noted}\n`;
  }
  const served = operations.filter(({ isServed }) => isServed).length;
  const serving =
    operations.length === 0
      ? ''
      : `; ${served} of ${inWords(operations.length, 'operation')} served`;
  return `${inWords(errors, 'error')}, ${inWords(warnings, 'warning')}${noted}${serving}\n`;
}
