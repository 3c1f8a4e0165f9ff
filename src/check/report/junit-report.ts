import type { Finding } from '../finding.ts';
import type { CheckedOperation, Report } from './report.ts';

interface TestCase {
  readonly name: string;
  readonly findings: readonly Finding[];
}

/**
 * Formats the report as JUnit XML: a suite for each document, with a case for each operation and
 * one for the document as a whole.
 *
 * @param isStrict true makes warnings failures
 */
export function formatJunit(report: Report, isStrict: boolean): string {
  const suites = report.documents.map((file) => ({ file, cases: casesOf(report, file) }));
  const all = suites.flatMap(({ cases }) => cases);
  const formatted = suites.map(({ file, cases }) => formatSuite(file, cases, isStrict));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coldframe check" ${countCases(all, isStrict)}>
${formatted.join('')}</testsuites>
`;
}

function casesOf({ documents, operations, findings }: Report, file: string): readonly TestCase[] {
  const own = operations.filter((operation) => operation.file === file);
  const ofOperations = new Set(operations.flatMap((operation) => operation.findings));
  const others = findings.filter((finding) => !ofOperations.has(finding));
  // Findings in other files, such as fixtures, go with the first document.
  const isOwn = (finding: Finding): boolean =>
    documents.includes(finding.file) ? finding.file === file : file === documents[0];
  return [{ name: 'the document', findings: others.filter(isOwn) }, ...own.map(toCase)];
}

function toCase({ method, path, findings }: CheckedOperation): TestCase {
  return { name: `${method} ${path}`, findings };
}

function formatSuite(file: string, cases: readonly TestCase[], isStrict: boolean): string {
  return `  <testsuite name=${quote(file)} ${countCases(cases, isStrict)}>
${cases.map((one) => formatCase(file, one, isStrict)).join('')}  </testsuite>
`;
}

function countCases(cases: readonly TestCase[], isStrict: boolean): string {
  const failures = cases.filter(({ findings }) => failuresOf(findings, isStrict).length > 0);
  return `tests="${cases.length}" failures="${failures.length}" errors="0" skipped="0"`;
}

function formatCase(file: string, { name, findings }: TestCase, isStrict: boolean): string {
  const head = `    <testcase classname=${quote(file)} name=${quote(name)}`;
  if (findings.length === 0) return `${head}/>\n`;
  const failures = failuresOf(findings, isStrict);
  const others = findings.filter((finding) => !failures.includes(finding));
  const [first] = failures;
  // Most readers show one failure of a case, so that it has all of them.
  const failure =
    first === undefined
      ? ''
      : `      <failure type=${quote(first.rule)} message=${quote(first.message)}>${escapeXml(describe(failures))}</failure>\n`;
  const output =
    others.length === 0 ? '' : `      <system-out>${escapeXml(describe(others))}</system-out>\n`;
  return `${head}>\n${failure}${output}    </testcase>\n`;
}

function failuresOf(findings: readonly Finding[], isStrict: boolean): readonly Finding[] {
  return findings.filter(
    ({ severity }) => severity === 'error' || (isStrict && severity === 'warning'),
  );
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
