import type { Coverage, CoveredItem, CoveredOperation } from '../../client/coverage.ts';
import { escapeHtml } from '../../http/html.ts';
import { writePage } from '../page.ts';
import { findMissing, listShares, type MissingGroup, titleOf, titleOfReport } from './missing.ts';

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
