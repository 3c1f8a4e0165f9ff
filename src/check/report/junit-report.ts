import type { Finding } from '../finding.ts';
import type { Report } from './report.ts';

interface TestCase {
  readonly name: string;
  readonly failures: readonly Finding[];
  readonly others: readonly Finding[];
}

/**
 * Formats the report as JUnit XML: a suite for each document, with a case for each operation and
 * one for the document as a whole.
 *
 * @param isStrict true makes warnings failures
 */
export function formatJunit(report: Report, isStrict: boolean): string {
  const suites = report.documents.map((file) => ({ file, cases: casesOf(report, file, isStrict) }));
  const all = suites.flatMap(({ cases }) => cases);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coldframe check" ${countCases(all)}>
${suites.map(({ file, cases }) => formatSuite(file, cases)).join('')}</testsuites>
`;
}

function casesOf(report: Report, file: string, isStrict: boolean): readonly TestCase[] {
  const { documents, operations, findings } = report;
  const toCase = (name: string, found: readonly Finding[]): TestCase => {
    const isFailure = ({ severity }: Finding): boolean =>
      severity === 'error' || (isStrict && severity === 'warning');
    const others = found.filter((finding) => !isFailure(finding));
    return { name, failures: found.filter(isFailure), others };
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

function formatSuite(file: string, cases: readonly TestCase[]): string {
  return `  <testsuite name=${quote(file)} ${countCases(cases)}>
${cases.map((one) => formatCase(file, one)).join('')}  </testsuite>
`;
}

function countCases(cases: readonly TestCase[]): string {
  const failed = cases.filter(({ failures }) => failures.length > 0);
  return `tests="${cases.length}" failures="${failed.length}" errors="0" skipped="0"`;
}

function formatCase(file: string, { name, failures, others }: TestCase): string {
  const head = `    <testcase classname=${quote(file)} name=${quote(name)}`;
  const [first] = failures;
  if (first === undefined && others.length === 0) return `${head}/>\n`;
  // Most readers show one failure of a case, so that it has all of them.
  const failure =
    first === undefined
      ? ''
      : `      <failure type=${quote(first.rule)} message=${quote(first.message)}>${escapeXml(describe(failures))}</failure>\n`;
  const output =
    others.length === 0 ? '' : `      <system-out>${escapeXml(describe(others))}</system-out>\n`;
  return `${head}>\n${failure}${output}    </testcase>\n`;
}

function describe(findings: readonly Finding[]): string {
  return findings
    .map(({ file, position: { line, column }, severity, rule, message, remedy }) => {
      const what = `${file}:${line}:${column} ${severity}: ${message} [${rule}]`;
      return remedy === undefined ? what : `${what}\n    ${remedy}`;
    })
    .join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text; XML 1.0 §2.2 does not allow most control characters at all. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[\p{Cs}\uFFFE\uFFFF]|(?![\t\n])\p{Cc}/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

function quote(text: string): string {
  return `"${escapeXml(text.replaceAll(/\s/g, ' '))}"`;
}
