import { countOf, type Report } from './report.ts';

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
