import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPaint, escapeControls, type Paint } from '../base/terminal.ts';
import { count } from '../base/words.ts';
import type { Operation } from '../contract/contract.ts';
import type { Severity } from '../document/diagnostic.ts';
import { formatJunit, type JunitCase } from '../report/junit.ts';
import type { Finding } from './finding.ts';
import { type RuleName, rules } from './rules.ts';

export interface CheckedOperation extends Pick<Operation, 'id' | 'method' | 'path'> {
  /** The document that it belongs to, as the user named it. */
  readonly file: string;
  readonly isServed: boolean;
  /** The findings that are new with this operation. */
  readonly findings: readonly Finding[];
}

export interface Report {
  /** The documents, as the user named them. */
  readonly documents: readonly string[];
  /** Empty where the documents cannot be read. */
  readonly operations: readonly CheckedOperation[];
  /** The number of rules that fit the document. */
  readonly fixtures: number;
  /** All findings, those of operations too, by file and line. */
  readonly findings: readonly Finding[];
}

export function countOf({ findings }: Pick<Report, 'findings'>, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Sorts findings by file and place, those of the documents first. */
export function sortFindings(
  findings: readonly Finding[],
  documents: readonly string[],
): readonly Finding[] {
  const files = [...new Set([...documents, ...findings.map(({ file }) => file)])];
  const rank = new Map(files.map((file, index) => [file, index] as const));
  const rankOf = ({ file }: Finding): number => rank.get(file) ?? 0;
  return [...findings].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      a.position.line - b.position.line ||
      a.position.column - b.position.column,
  );
}

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
    const known = (counts.get(key) ?? 0) + 1;
    counts.set(key, known);
    return known <= MOST_SHOWN;
  });
  const hidden = [...counts]
    .filter(([, found]) => found > MOST_SHOWN)
    .map(
      ([key, found]) =>
        `and ${found - MOST_SHOWN} more of ${escapeControls(key)}: --format json has them all\n`,
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
  const noted = notes === 0 ? '' : `, ${count(notes, 'note')}`;
  if (errors + warnings === 0) {
    const what = `${count(operations.length, 'operation')}, ${count(fixtures, 'failure fixture')}`;
    return `${documents.join(', ')}: nothing is wrong (${what})${noted}\n`;
  }
  const served = operations.filter(({ isServed }) => isServed).length;
  const serving =
    operations.length === 0 ? '' : `; ${served} of ${count(operations.length, 'operation')} served`;
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}${noted}${serving}\n`;
}

export function formatJson(report: Report): string {
  const { documents, operations, fixtures, findings } = report;
  const served = operations.filter(({ isServed }) => isServed);
  return `${JSON.stringify(
    {
      documents,
      errors: countOf(report, 'error'),
      warnings: countOf(report, 'warning'),
      notes: countOf(report, 'note'),
      operations: {
        total: operations.length,
        served: served.length,
        notServed: operations
          .filter(({ isServed }) => !isServed)
          .map(({ id, method, path, file }) => ({ id, method, path, file })),
      },
      fixtures,
      findings: findings.map(
        ({ rule, severity, file, position, pointer, operation, message, remedy }) => ({
          rule,
          severity,
          file,
          ...position,
          pointer,
          operation,
          message,
          remedy,
        }),
      ),
    },
    undefined,
    2,
  )}\n`;
}

/**
 * Formats the report as JUnit XML: a suite for each document, with a case for each operation and
 * one for the document as a whole.
 */
export function formatCheckJunit(report: Report, isStrict: boolean): string {
  const suites = report.documents.map((name) => ({ name, cases: casesOf(report, name, isStrict) }));
  return formatJunit('coldframe check', suites);
}

function casesOf(report: Report, file: string, isStrict: boolean): readonly JunitCase[] {
  const { documents, operations, findings } = report;
  const isFailure = ({ severity }: Finding): boolean =>
    severity === 'error' || (isStrict && severity === 'warning');
  const toCase = (name: string, found: readonly Finding[]): JunitCase => {
    const failures = found.filter(isFailure);
    const others = found.filter((finding) => !isFailure(finding));
    const [first] = failures;
    const failure = first && {
      type: first.rule,
      message: first.message,
      text: describe(failures),
    };
    return {
      name,
      ...(failure !== undefined && { failure }),
      ...(others.length > 0 && { output: describe(others) }),
    };
  };
  const own = operations.filter((operation) => operation.file === file);
  const ofOperations = new Set(operations.flatMap((operation) => operation.findings));
  const rest = findings.filter((finding) => !ofOperations.has(finding));
  // Findings in other files, such as fixtures, go with the first document.
  const isOwn = (finding: Finding): boolean =>
    documents.includes(finding.file) ? finding.file === file : file === documents[0];
  return [
    toCase('the document', rest.filter(isOwn)),
    ...own.map((one) => toCase(`${one.method} ${one.path}`, one.findings)),
  ];
}

function describe(findings: readonly Finding[]): string {
  return findings
    .map(({ file, position: { line, column }, severity, rule, message, remedy }) => {
      const what = `${file}:${line}:${column} ${severity}: ${message} [${rule}]`;
      return remedy === undefined ? what : `${what}\n    ${remedy}`;
    })
    .join('\n');
}

const RULE_NAMES = Object.keys(rules) as RuleName[];

/**
 * Formats the report as a SARIF log (OASIS SARIF 2.1.0), which code hosts show next to the lines.
 */
export function formatSarif({ findings }: Report, version: string): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'coldframe', version, rules: RULE_NAMES.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(toResult),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function describeRule(id: RuleName) {
  const { title, severity, remedy } = rules[id];
  return {
    id,
    shortDescription: { text: `${title}.` },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  };
}

/** SARIF's levels have the names of our severities (§3.27.10). */
function toResult({ rule, severity, message, remedy, file, position, pointer }: Finding) {
  return {
    ruleId: rule,
    ruleIndex: RULE_NAMES.indexOf(rule),
    level: severity,
    message: { text: remedy === undefined ? message : `${message}. ${remedy}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: position.line, startColumn: position.column },
        },
        ...(pointer !== '' && { logicalLocations: [{ fullyQualifiedName: pointer }] }),
      },
    ],
  };
}

/** A relative path stays relative to where the check was run (§3.4.4). */
function toUri(file: string): string {
  if (/^https?:/i.test(file)) return file;
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join('/');
}
