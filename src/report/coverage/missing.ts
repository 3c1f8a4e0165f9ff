import { findNearestName } from '../../base/nearest-name.ts';
import {
  type Coverage,
  type CoverageGroup,
  type CoverageSums,
  type CoveredItem,
  type CoveredOperation,
  coverageGroups,
} from '../../client/reports.ts';

interface MissingItem extends CoveredItem {
  readonly operation: CoveredOperation;
  /** The operation and the item: `GET /plants query limit omitted`. */
  readonly title: string;
}

export interface MissingGroup {
  readonly group: CoverageGroup;
  readonly title: string;
  readonly items: readonly MissingItem[];
}

const TITLES: Readonly<Record<CoverageGroup, string>> = {
  errors: 'Declared errors your client has never seen',
  operations: 'Operations never called',
  responses: 'Other responses never met',
  parameters: 'Optional parameters never sent, or never omitted',
  members: 'Optional members of bodies never sent, or never omitted',
  values: 'Enum values and booleans never sent',
  branches: 'Branches of oneOf and anyOf never sent',
  mediaTypes: 'Media types never sent or received',
  security: 'Security schemes never used',
  pages: 'Lists of which only the first page was read',
  failures: 'Kinds of failure never met',
};

const groupNames = Object.keys(coverageGroups) as readonly CoverageGroup[];

export function listShares({ sums }: Coverage) {
  return groupNames
    .filter((group) => sums[group].total > 0)
    .map((group) => {
      const { covered, total } = sums[group];
      const share = `${covered} of ${total}`;
      return { group, title: coverageGroups[group], share, percent: percentOf(sums[group]) };
    });
}

/** Returns what is missing, by group; operations that were never called only in `operations`. */
export function findMissing({ operations }: Coverage): readonly MissingGroup[] {
  const found = operations.flatMap((operation) => {
    const isUnused = operation.items.some(
      ({ group, covered }) => group === 'operations' && !covered,
    );
    return operation.items
      .filter(({ covered, group }) => !covered && (!isUnused || FIRST.has(group)))
      .map((item): MissingItem => {
        const names = [titleOf(operation), item.group === 'operations' ? '' : item.name];
        return { ...item, operation, title: names.join(' ').trim() };
      });
  });
  return groupNames
    .map((group) => ({
      group,
      title: TITLES[group],
      items: found.filter((item) => item.group === group),
    }))
    .filter(({ items }) => items.length > 0);
}

const FIRST: ReadonlySet<CoverageGroup> = new Set(['errors', 'operations']);

/** Returns `GET /plants`; empty for what belongs to no operation. */
export function titleOf({ method, path }: CoveredOperation): string {
  return method === undefined ? '' : `${method} ${path}`;
}

export function titleOfReport({ documents }: Coverage): string {
  const names = documents.map(({ title, version }) => `${title} ${version}`.trim());
  return `Coverage of ${names.join(', ')}`;
}

/** A share of a group that must be reached. */
export interface Gate {
  readonly group: CoverageGroup;
  /** From 0 to 100. */
  readonly percent: number;
}

/**
 * Reads gates such as `operations=90`.
 *
 * @throws {RangeError} that names the remedy
 */
export function readGates(texts: readonly string[]): readonly Gate[] {
  return texts.map((text) => {
    const [, name = '', number = ''] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
    const group = groupNames.find((one) => one === name);
    const percent = Number(number);
    if (group !== undefined && percent <= 100) return { group, percent };
    const meant = findNearestName(text.replace(/=.*/, ''), groupNames) ?? groupNames[0];
    throw new RangeError(
      `${JSON.stringify(text)} is no gate, write a name and a percentage such as ${meant}=90; ` +
        `the names are ${groupNames.join(', ')}`,
    );
  });
}

/** Returns the percentage that is covered, rounded down; 100 where there is nothing to cover. */
function percentOf({ covered, total }: CoverageSums[CoverageGroup]): number {
  return total === 0 ? 100 : Math.floor((covered * 100) / total);
}

/** Returns why a gate is missed; undefined if it is reached. */
export function missGate({ group, percent }: Gate, sums: CoverageSums): string | undefined {
  const { covered, total } = sums[group];
  if (covered * 100 >= percent * total) return undefined;
  const missing = Math.ceil((percent * total) / 100) - covered;
  return `${group}: ${covered} of ${total} (${percentOf(sums[group])} %), the gate of ${percent} % needs ${missing} more`;
}
