import { addFigures, type DocumentResult, type Figures, noFigures } from './figures.ts';

/** Columns: heading, and what stands below it. */
const COLUMNS: readonly (readonly [string, (figures: Figures) => string])[] = [
  ['operations', ({ operations, swept }) => ratio(swept, operations)],
  ['no request', ({ unmade }) => String(unmade)],
  ['accepted', ({ accepted, made }) => ratio(accepted, made)],
  ['answers valid', ({ valid, judged }) => ratio(valid, judged)],
  ['Prefer', ({ codeKept, codeAsked }) => ratio(codeKept, codeAsked)],
  ['Accept', ({ typeKept, typeAsked }) => ratio(typeKept, typeAsked)],
  ['broken refused', ({ refused, broken }) => ratio(refused, broken)],
  ['as declared', ({ asDeclared, declarable }) => ratio(asDeclared, declarable)],
  ['5xx', ({ serverErrors }) => String(serverErrors)],
  ['501', ({ notServed }) => String(notServed)],
  ['hangs', ({ hangs }) => String(hangs)],
  ['deaths', ({ deaths }) => String(deaths)],
];

function ratio(part: number, whole: number): string {
  return part === whole ? String(whole) : `${part}/${whole}`;
}

/** @returns the figures of each document and their sum, as text */
export function formatTable(results: readonly DocumentResult[], folder: string): string {
  const total = noFigures();
  for (const { figures } of results) addFigures(total, figures);
  const rows = [
    ['document', 'version', ...COLUMNS.map(([heading]) => heading), 's'],
    ...results.map((result) => formatRow(result, folder)),
    ['total', '', ...COLUMNS.map(([, show]) => show(total)), sumSeconds(results)],
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.filter(({ length }) => length > 3).map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column], column)).join('  '))
    .join('\n');
}

function formatRow(result: DocumentResult, folder: string): string[] {
  const { document, version, refused, fault, figures, seconds } = result;
  const name = document.startsWith(folder) ? document.slice(folder.length + 1) : document;
  if (refused !== undefined) return [name, version, `refused: ${refused.split('\n')[0]}`];
  if (fault !== undefined) return [name, version, `NOT SWEPT: ${fault.split('\n')[0]}`];
  return [name, version, ...COLUMNS.map(([, show]) => show(figures)), seconds.toFixed(1)];
}

function sumSeconds(results: readonly DocumentResult[]): string {
  return results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0);
}

function pad(text: string, width = 0, column: number): string {
  return column < 2 ? text.padEnd(width) : text.padStart(Math.min(width, 200));
}

/** @returns what was not as it must be by kind, and what could not be judged by reason */
export function formatSums(results: readonly DocumentResult[]): string {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  for (const { failures, notJudged } of results) {
    for (const { kind } of failures) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (const [reason, times] of Object.entries(notJudged)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + times);
    }
  }
  const refused = results.filter((result) => result.refused !== undefined).length;
  const faulty = results.filter((result) => result.fault !== undefined).length;
  return [
    `${results.length} documents: ${results.length - refused - faulty} swept, ${refused} refused at load, ${faulty} not swept`,
    '',
    'Not as it must be:',
    ...list(kinds),
    '',
    'Not judged, by reason:',
    ...list(reasons),
  ].join('\n');
}

/** @returns what was counted, the most frequent first */
export function list(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.length === 0
    ? ['  nothing']
    : sorted.map(([what, times]) => `  ${String(times).padStart(6)}  ${what}`);
}
