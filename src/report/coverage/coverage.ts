import {
  type Coverage,
  type CoverageGroup,
  type CoverageSums,
  type CoveredItem,
  type CoveredOperation,
  coverageGroups,
} from '../../client/coverage.ts';
import type { Contract } from '../../contract/contract.ts';
import type { UsedItems } from '../../session/used-items.ts';
import { CoverLines } from './cover-line.ts';
import type { CoveragePart } from './item.ts';

export function describeCoverage(
  contract: Contract,
  parts: readonly CoveragePart[],
  used: UsedItems,
): Coverage {
  const { document } = contract;
  const lines = new CoverLines(contract);
  const operations = parts.map((part): CoveredOperation => {
    const marks = used.read(part);
    const items = part.items.flatMap((item, index): CoveredItem | [] => {
      const { group, name, place } = item;
      const { file, position, pointer } = document.whereIs(place, 'key');
      const covered = marks.has(index);
      const found = { group, name, covered, file, line: position.line, pointer };
      if (covered) return found;
      const code = lines.write(part, item);
      // An item that no operation can use is not missing.
      return code === undefined ? [] : { ...found, code };
    });
    if (part.operation === undefined) return { items };
    const { id, method, path } = part.operation;
    return { operationId: id, method, path, items };
  });
  const documents = document.entries.map(({ file, place }) => ({
    file,
    title: String(document.at(`${place}/info/title`) ?? ''),
    version: String(document.at(`${place}/info/version`) ?? ''),
  }));
  return { coverage: 1, documents, sums: sumUp(operations), operations };
}

export function sumUp(operations: readonly CoveredOperation[]): CoverageSums {
  const sums = Object.fromEntries(
    Object.keys(coverageGroups).map((group) => [group, { covered: 0, total: 0 }]),
  ) as Record<CoverageGroup, { covered: number; total: number }>;
  for (const { items } of operations) {
    for (const { group, covered } of items) {
      sums[group].total++;
      if (covered) sums[group].covered++;
    }
  }
  return sums;
}
