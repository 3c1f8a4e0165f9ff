import { formatJunit, type JunitCase } from '../../report/junit.ts';
import type { Finding } from '../finding.ts';
import type { Report } from './report.ts';

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
