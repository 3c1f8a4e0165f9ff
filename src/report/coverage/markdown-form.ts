import type { Coverage } from '../../client/coverage.ts';
import { findMissing, listShares, type MissingGroup, titleOfReport } from './missing.ts';

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
    ...findMissing(coverage).map(formatGroup),
  ].join('\n');
}

function formatGroup({ group, title, items }: MissingGroup): string {
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
