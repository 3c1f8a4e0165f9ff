import { groupBy } from '../../base/remember.ts';
import { alignColumns, createPaint, escapeControls, type Paint } from '../../base/terminal.ts';
import type { Coverage, CoveredItem, CoveredOperation } from '../../client/reports.ts';
import { escapeHtml, writePage } from '../../http/html.ts';
import { formatJunit, type JunitCase } from '../junit.ts';
import { findMissing, listShares, type MissingGroup, titleOf, titleOfReport } from './missing.ts';

interface TextOptions {
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

/** Formats coverage as a page of HTML that needs nothing else. */
export function formatCoverageHtml(coverage: Coverage): string {
  const files = coverage.documents.map(({ file }) => `<code>${escapeHtml(file)}</code>`).join(', ');
  const body = [
    `<p>What your client has used of ${files}.</p>\n`,
    writeSums(coverage),
    ...findMissing(coverage).map(writeGroup),
    '<h2>All operations</h2>\n',
    ...coverage.operations.map(writeOperation),
  ].join('');
  return writePage(titleOfReport(coverage), body, STYLE);
}

function writeSums(coverage: Coverage): string {
  const rows = listShares(coverage).map(
    ({ group, title, share, percent }) =>
      `<tr><th scope="row"><code>${group}</code> ${title}</th><td>${share}</td>` +
      `<td><meter min="0" max="100" low="30" high="70" optimum="100" value="${percent}"></meter> ${percent} %</td></tr>\n`,
  );
  return `<table>\n${rows.join('')}</table>\n`;
}

function writeGroup({ group, title, items }: MissingGroup): string {
  const rows = items.map(
    (item) =>
      `<tr><td>${escapeHtml(item.title)}</td>${writePlace(item)}` +
      `<td><code>${escapeHtml(item.code ?? '')}</code></td></tr>\n`,
  );
  const table = `<table>\n${rows.join('')}</table>\n`;
  const head = `${title}: ${items.length}`;
  // The most important ones are open.
  const isOpen = group === 'errors' || group === 'operations';
  return `<details${isOpen ? ' open' : ''}><summary>${head}</summary>\n${table}</details>\n`;
}

function writeOperation(operation: CoveredOperation): string {
  const { items } = operation;
  const covered = items.filter((item) => item.covered).length;
  const rows = items.map(
    (item) =>
      `<tr class="${item.covered ? 'yes' : 'no'}"><td>${item.covered ? '✓' : '✗'}</td>` +
      `<td>${escapeHtml(`${item.group} ${item.name}`)}</td>${writePlace(item)}</tr>\n`,
  );
  const title = titleOf(operation) || 'The document as a whole';
  return (
    `<details><summary><code>${escapeHtml(title)}</code> ${covered} of ${items.length}</summary>\n` +
    `<table>\n${rows.join('')}</table>\n</details>\n`
  );
}

function writePlace({ file, line, pointer }: CoveredItem): string {
  return `<td title="${escapeHtml(pointer)}">${escapeHtml(`${file}:${line}`)}</td>`;
}

const STYLE =
  'body{max-width:80rem}table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:normal}' +
  'td,th{padding:.15rem .75rem .15rem 0;vertical-align:top}td code{overflow-wrap:anywhere;font-size:.85em}' +
  'td:nth-child(2){white-space:nowrap}summary{cursor:pointer;margin:.75rem 0;font-weight:600}' +
  '.no td:first-child{color:#c33}.yes td:first-child{color:#393}meter{width:8rem}';

/** A job summary may have at most a megabyte; more items of a group help no reader. */
const MOST_LISTED = 50;

/** Formats coverage as GitHub's Markdown, for the summary of a job. */
export function formatCoverageMarkdown(coverage: Coverage, missed: readonly string[]): string {
  const rows = listShares(coverage).map(
    ({ title, share, percent }) => `| ${title} | ${share} | ${percent} % |`,
  );
  return [
    `## ${escapeMarkdown(titleOfReport(coverage))}\n`,
    ...missed.map((sentence) => `- ❌ ${escapeMarkdown(sentence)}`),
    ...(missed.length > 0 ? [''] : []),
    '| | covered | |',
    '| --- | ---: | ---: |',
    ...rows,
    '',
    ...findMissing(coverage).map(formatMarkdownGroup),
  ].join('\n');
}

function formatMarkdownGroup({ group, title, items }: MissingGroup): string {
  const rows = items.slice(0, MOST_LISTED).map(({ title: what, file, line, code = '' }) => {
    return `| ${escapeMarkdown(what)} | ${escapeMarkdown(`${file}:${line}`)} | ${quoteCode(code)} |`;
  });
  const more = items.length - rows.length;
  return [
    `<details${group === 'errors' ? ' open' : ''}><summary>${title}: ${items.length}</summary>\n`,
    '| | line | a test that covers it |',
    '| --- | --- | --- |',
    ...rows,
    ...(more > 0 ? [`\nand ${more} more`] : []),
    '\n</details>\n',
  ].join('\n');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~$@]/g, '\\$&');
}

/** Returns a code span in a cell of a table, where a bar ends the cell even in code. */
function quoteCode(code: string): string {
  const fence = '`'.repeat(
    1 + Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  return `${fence} ${code.replaceAll('|', '\\|')} ${fence}`;
}

/** A gate or a baseline, and why it is missed. */
export interface GateResult {
  readonly name: string;
  readonly missed: readonly string[];
}

/** Formats coverage as JUnit XML: gates fail where missed, what was never met is skipped. */
export function formatCoverageJunit(coverage: Coverage, gates: readonly GateResult[]): string {
  const operations = coverage.operations.map((operation) => ({
    name: titleOf(operation) || 'the document as a whole',
    cases: operation.items
      .filter(({ group }) => group === 'operations' || group === 'errors' || group === 'failures')
      .map(
        ({ group, name, covered, file, line, code }): JunitCase => ({
          name: group === 'operations' ? name : `${group} ${name}`,
          ...(!covered && { skipped: `never met; ${file}:${line}; ${code}` }),
        }),
      ),
  }));
  return formatJunit(titleOfReport(coverage), [
    ...(gates.length === 0 ? [] : [{ name: 'gates', cases: gates.map(toCase) }]),
    ...operations.filter(({ cases }) => cases.length > 0),
  ]);
}

function toCase({ name, missed }: GateResult): JunitCase {
  const [message] = missed;
  if (message === undefined) return { name };
  return { name, failure: { type: 'gate', message, text: missed.join('\n') } };
}

type Counted = CoveredItem & { readonly operation: string };

/**
 * Formats coverage as an LCOV tracefile over the lines of the documents: an operation is a function,
 * an item a branch of its line, and a line is hit if one of its items is covered.
 */
export function formatLcov({ operations }: Coverage): string {
  const items = operations.flatMap((operation) =>
    operation.items.map((item): Counted => ({ ...item, operation: operation.operationId ?? '' })),
  );
  return [...groupBy(items, ({ file }) => file)]
    .map(([file, own]) => formatFile(file, own))
    .join('');
}

function formatFile(file: string, items: readonly Counted[]): string {
  const functions = items.filter(({ group }) => group === 'operations');
  const lines = [...groupBy(items, ({ line }) => line)].sort(([one], [other]) => one - other);
  const branches = lines.flatMap(([line, own]) => {
    const isReached = own.some(({ covered }) => covered);
    return own.map(({ covered }, index) => {
      const taken = isReached ? String(Number(covered)) : '-';
      return `BRDA:${line},0,${index},${taken}`;
    });
  });
  const hit = lines.filter(([, own]) => own.some(({ covered }) => covered)).length;
  const isCovered = ({ covered }: Counted): boolean => covered;
  return [
    'TN:',
    `SF:${file}`,
    ...functions.map(({ line, operation }) => `FN:${line},${operation}`),
    ...functions.map(({ covered, operation }) => `FNDA:${Number(covered)},${operation}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(isCovered).length}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${items.filter(isCovered).length}`,
    ...lines.map(([line, own]) => `DA:${line},${Number(own.some(isCovered))}`),
    `LF:${lines.length}`,
    `LH:${hit}`,
    'end_of_record',
    '',
  ].join('\n');
}
