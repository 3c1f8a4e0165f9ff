import {
  type Coverage,
  type CoverageGroup,
  type CoveredItem,
  type CoveredOperation,
  coverageGroups,
} from '../../client/coverage.ts';

/** An item that nobody has used. */
interface MissingItem extends CoveredItem {
  readonly operation: CoveredOperation;
}

/** The items of one group that nobody has used. */
export interface MissingGroup {
  readonly group: CoverageGroup;
  readonly title: string;
  readonly items: readonly MissingItem[];
}

/** Titles of the groups in which something is missing. */
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

/**
 * Returns the groups with something missing. What belongs to an operation that was never called is
 * only in `operations`: the call comes first.
 */
export function findMissing({ operations }: Coverage): readonly MissingGroup[] {
  const found = operations.flatMap((operation) => {
    const isUnused = operation.items.some(
      ({ group, covered }) => group === 'operations' && !covered,
    );
    return operation.items
      .filter(({ covered, group }) => !covered && (!isUnused || FIRST.has(group)))
      .map((item): MissingItem => ({ ...item, operation }));
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

/** Returns the title of a report. */
export function titleOfReport({ documents }: Coverage): string {
  const names = documents.map(({ title, version }) => `${title} ${version}`.trim());
  return `Coverage of ${names.join(', ')}`;
}
