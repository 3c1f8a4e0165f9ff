import type { Coverage } from '../../client/coverage.ts';
import { formatJunit, type JunitCase } from '../junit.ts';
import { titleOf, titleOfReport } from './missing.ts';

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
