import {
  type Coverage,
  type CoverageGroup,
  type CoveredItem,
  type CoveredOperation,
  coverageGroups,
} from '../../client/coverage.ts';
import { percentOf } from '../gates.ts';

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

/** The names of all groups, in the order of a report. */
export const groupNames = Object.keys(coverageGroups) as readonly CoverageGroup[];

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
