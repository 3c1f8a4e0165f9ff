export interface JunitCase {
  readonly name: string;
  /** Left out where the test passed. */
  readonly failure?: {
    readonly type: string;
    readonly message: string;
    /** Everything about the failure: most readers show one of a case. */
    readonly text: string;
  };
  /** Why the test says nothing; left out where it passed or failed. */
  readonly skipped?: string;
  readonly output?: string;
}

/** Cases that belong together, such as those of a document. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Formats a report as JUnit XML, which CI systems read as the results of tests. */
export function formatJunit(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return `${XML_HEAD}
<testsuites name=${quoteXml(name)} ${countCases(all)}>
${suites.map(formatSuite).join('')}</testsuites>
`;
}

function formatSuite({ name, cases }: JunitSuite): string {
  return `  <testsuite name=${quoteXml(name)} ${countCases(cases)}>
${cases.map((one) => formatCase(name, one)).join('')}  </testsuite>
`;
}

function countCases(cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function formatCase(suite: string, { name, failure, skipped, output }: JunitCase): string {
  const head = `    <testcase classname=${quoteXml(suite)} name=${quoteXml(name)}`;
  const parts = [
    failure === undefined
      ? ''
      : `      <failure type=${quoteXml(failure.type)} message=${quoteXml(failure.message)}>${escapeXml(failure.text)}</failure>\n`,
    skipped === undefined ? '' : `      <skipped message=${quoteXml(skipped)}/>\n`,
    output === undefined ? '' : `      <system-out>${escapeXml(output)}</system-out>\n`,
  ].join('');
  return parts === '' ? `${head}/>\n` : `${head}>\n${parts}    </testcase>\n`;
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

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

/** Returns a text as the value of an attribute, in quotes. */
function quoteXml(text: string): string {
  return `"${escapeXml(text.replaceAll(/\s/g, ' '))}"`;
}
