import { groupBy } from '../../base/group-by.ts';
import type { Coverage, CoveredItem } from '../../client/coverage.ts';

type Counted = CoveredItem & { readonly operation: string };

/**
 * Formats coverage as an LCOV tracefile over the lines of the documents: an operation is a function,
 * an item a branch of its line, and a line is hit if one of its items is covered.
 */
export function formatLcov({ operations }: Coverage): string {
  const items = operations.flatMap((operation) =>
    operation.items.map((item): Counted => ({ ...item, operation: operation.operationId ?? '' })),
  );
  return [...groupBy(items, ({ file }) => file)]
    .map(([file, own]) => formatFile(file, own))
    .join('');
}

function formatFile(file: string, items: readonly Counted[]): string {
  const functions = items.filter(({ group }) => group === 'operations');
  const lines = [...groupBy(items, ({ line }) => line)].sort(([one], [other]) => one - other);
  const branches = lines.flatMap(([line, own]) => {
    const isReached = own.some(({ covered }) => covered);
    return own.map(({ covered }, index) => {
      const taken = isReached ? String(Number(covered)) : '-';
      return `BRDA:${line},0,${index},${taken}`;
    });
  });
  const hit = lines.filter(([, own]) => own.some(({ covered }) => covered)).length;
  const isCovered = ({ covered }: Counted): boolean => covered;
  return [
    'TN:',
    `SF:${file}`,
    ...functions.map(({ line, operation }) => `FN:${line},${operation}`),
    ...functions.map(({ covered, operation }) => `FNDA:${Number(covered)},${operation}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(isCovered).length}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${items.filter(isCovered).length}`,
    ...lines.map(([line, own]) => `DA:${line},${Number(own.some(isCovered))}`),
    `LF:${lines.length}`,
    `LH:${hit}`,
    'end_of_record',
    '',
  ].join('\n');
}
