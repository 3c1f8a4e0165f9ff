import { type Coverage, type CoveredOperation, coverageGroups } from '../../client/coverage.ts';
import { escapeHtml } from '../../http/html.ts';
import { percentOf } from '../gates.ts';
import { writePage } from '../page.ts';
import { findMissing, groupNames, type MissingGroup, titleOf, titleOfReport } from './missing.ts';

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

function writeSums({ sums }: Coverage): string {
  const rows = groupNames
    .filter((group) => sums[group].total > 0)
    .map((group) => {
      const { covered, total } = sums[group];
      const percent = percentOf(sums[group]);
      return (
        `<tr><th scope="row"><code>${group}</code> ${coverageGroups[group]}</th><td>${covered} of ${total}</td>` +
        `<td><meter min="0" max="100" low="30" high="70" optimum="100" value="${percent}"></meter> ${percent} %</td></tr>\n`
      );
    });
  return `<table>\n${rows.join('')}</table>\n`;
}

function writeGroup({ group, title, items }: MissingGroup): string {
  const rows = items.map(({ operation, name, file, line, pointer, code = '' }) => {
    const what = [titleOf(operation), group === 'operations' ? '' : name].join(' ').trim();
    return (
      `<tr><td>${escapeHtml(what)}</td>` +
      `<td title="${escapeHtml(pointer)}">${escapeHtml(`${file}:${line}`)}</td>` +
      `<td><code>${escapeHtml(code)}</code></td></tr>\n`
    );
  });
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
      `<td>${escapeHtml(`${item.group} ${item.name}`)}</td>` +
      `<td title="${escapeHtml(item.pointer)}">${escapeHtml(`${item.file}:${item.line}`)}</td></tr>\n`,
  );
  const title = titleOf(operation) || 'The document as a whole';
  return (
    `<details><summary><code>${escapeHtml(title)}</code> ${covered} of ${items.length}</summary>\n` +
    `<table>\n${rows.join('')}</table>\n</details>\n`
  );
}

const STYLE =
  'body{max-width:80rem}table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:normal}' +
  'td,th{padding:.15rem .75rem .15rem 0;vertical-align:top}td code{overflow-wrap:anywhere;font-size:.85em}' +
  'td:nth-child(2){white-space:nowrap}summary{cursor:pointer;margin:.75rem 0;font-weight:600}' +
  '.no td:first-child{color:#c33}.yes td:first-child{color:#393}meter{width:8rem}';
